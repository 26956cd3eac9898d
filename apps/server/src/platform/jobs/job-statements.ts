export const SCHEMA = 'jobs';
/** The partition of pg-boss's job table for queues without a table of their own. */
export const TABLE = `${SCHEMA}.job_common`;
export const CHANNEL = 'engram_jobs';
/** Notifies other processes of a queue whose running jobs were cancelled. */
export const CANCELLED = 'engram_jobs_cancelled';
/** Interruptions after which a job runs alone. */
export const QUARANTINE_AFTER = 3;
/** Interruptions, the later ones while it ran alone, after which a job has failed. */
export const FAIL_AFTER = 8;

/**
 * Additions to pg-boss's tables: an index by key, the processes that run jobs, the number of
 * interruptions, and the start tags of start-time fair queueing (Goyal, Vin, Cheng 1996). A group's next
 * job has the tag after its last, but not less than the tag that the queue has reached; lower tags go
 * first. Earlier versions set the heartbeats of pg-boss.
 */
export const ADDITIONS = `
  alter table ${SCHEMA}.job add column if not exists interruptions integer not null default 0;
  alter table ${SCHEMA}.job add column if not exists process uuid;
  create table if not exists ${SCHEMA}.process (id uuid primary key, seen_at timestamptz not null);
  create index if not exists job_by_key on ${TABLE} (name, singleton_key) where state <= 'active';
  create table if not exists ${SCHEMA}.turn (
    queue text not null, group_id text not null, turn integer not null, primary key (queue, group_id)
  );
  update ${SCHEMA}.queue set heartbeat_seconds = null where heartbeat_seconds is not null;
  update ${TABLE} set heartbeat_seconds = null where heartbeat_seconds is not null;`;

/** Jobs that wait to run beside others. `not blocked` makes PostgreSQL use an ordered index. */
export const WAITS = `state < 'active' and not blocked and interruptions < ${QUARANTINE_AFTER}`;
export const WAITS_ALONE = `state < 'active' and interruptions >= ${QUARANTINE_AFTER}`;
/** Milliseconds until the first of the jobs is due; negative when it is. */
export const MS_TO_FIRST =
  '(extract(epoch from min(start_after) - clock_timestamp()) * 1000)::float8 as ms';

export const COUNTS = `
  select name as queue, case state when 'active' then 'running' when 'failed' then 'failed' else
      case when start_after <= now() then 'waiting' else 'later' end end as state,
    count(*)::int as count,
    greatest(0, extract(epoch from now() - min(coalesce(started_on, start_after))))::float8
      as "oldestSeconds"
  from ${TABLE} where state <= 'active' or state = 'failed' group by 1, 2`;

/** Jobs of whose key no process but $1 runs another one. */
export const NO_TWIN_ELSEWHERE = `not exists (select from ${TABLE} twin where twin.name = own.name
  and twin.singleton_key = own.singleton_key and twin.state = 'active' and twin.process <> $1::uuid)`;

/** Claims up to $2 waiting jobs for the process $1, unless others have removed it as dead. */
export const claimWhere = (conditions: string) => `
  with next as (
    select name, id from ${TABLE} own where ${conditions} and start_after <= now()
      and exists (select from ${SCHEMA}.process where id = $1::uuid)
    order by priority desc, created_on limit $2 for update skip locked
  )
  update ${TABLE} j set state = 'active', started_on = now(), process = $1::uuid,
    retry_count = retry_count + (started_on is not null)::int
  from next where j.name = next.name and j.id = next.id
  returning j.name, j.id, retry_count as "retryCount", data, singleton_key as key, group_id as "group",
    source_name as "sourceName", source_output as "sourceOutput", -priority as turn,
    extract(epoch from created_on)::float8 as "createdOn"`;

/** Puts active jobs back as if they had not been claimed, or deletes those with a newer job of their key. */
export const putBackWhere = (conditions: string, interruptions: 0 | 1) => {
  const chosen = `state = 'active' and ${conditions}`;
  const newer = `exists (select from ${TABLE} newer where newer.name = j.name
    and newer.singleton_key = j.singleton_key and (newer.state = 'created' or (newer.state = 'active'
      and (newer.created_on, newer.id) > (j.created_on, j.id))))`;
  return `
    with replaced as (delete from ${TABLE} j where ${chosen} and ${newer})
    update ${TABLE} j
    set state = (case when retry_count > 0 then 'retry' else 'created' end)::${SCHEMA}.job_state,
      started_on = null, process = null, interruptions = interruptions + ${interruptions}
    where ${chosen} and not ${newer} returning j.id`;
};

/** Takes a group's next $4 start tags, and deletes waiting retries that the new jobs replace. */
export const takeStartTags = (notify: boolean) => `
  with replaced as (
    delete from ${TABLE} where name = $1 and singleton_key = any($2::text[]) and state = 'retry'
  ), reached as (
    select coalesce(
      (select -priority from ${TABLE}
       where name = $1 and ${WAITS} and start_after <= now()
       order by priority desc, created_on limit 1),
      (select max(turn) from ${SCHEMA}.turn where queue = $1), 0) as turn
  ), claimed as (
    insert into ${SCHEMA}.turn as own (queue, group_id, turn)
    select $1, $3, turn + $4::int - 1 from reached where $3::text is not null
    on conflict (queue, group_id) do update set turn = greatest(excluded.turn, own.turn + $4::int)
    returning turn
  )
  select coalesce((select turn - $4::int + 1 from claimed), (select turn from reached))::int as turn
  ${notify ? `, pg_notify('${CHANNEL}', $1)` : ''}`;
