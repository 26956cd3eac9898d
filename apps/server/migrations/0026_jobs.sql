-- contract: jobs move from the tables of pg-boss into tables of Engram, so servers of the version before must be stopped first.
CREATE TABLE job_workers (
  id uuid PRIMARY KEY,
  seen_at timestamptz NOT NULL
);

CREATE TABLE jobs (
  -- A newer job of a key has a higher one.
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  queue text NOT NULL,
  key text,
  group_id text,
  start_tag bigint NOT NULL,
  data jsonb NOT NULL,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'active', 'failed')),
  run_at timestamptz NOT NULL DEFAULT now(),
  claimed_at timestamptz,
  -- Null for an active job whose worker is dead.
  worker_id uuid REFERENCES job_workers ON DELETE SET NULL,
  attempts integer NOT NULL DEFAULT 0,
  outages integer NOT NULL DEFAULT 0,
  interruptions integer NOT NULL DEFAULT 0,
  failure jsonb
);
CREATE INDEX jobs_by_start_tag ON jobs (queue, start_tag, id) WHERE state <> 'failed';
CREATE INDEX jobs_by_group ON jobs (queue, group_id, start_tag) WHERE state <> 'failed';
CREATE INDEX jobs_by_key ON jobs (queue, key) WHERE state <> 'failed';
CREATE UNIQUE INDEX jobs_waiting_key ON jobs (queue, key) WHERE state = 'waiting' AND failure IS NULL;

DO $$
BEGIN
  IF to_regclass('jobs.job') IS NULL THEN RETURN; END IF;
  LOCK TABLE jobs.job IN ACCESS EXCLUSIVE MODE;
  -- As JSON, because earlier versions lack some columns. An attempt that failed was counted when the next one began.
  INSERT INTO jobs (queue, key, group_id, start_tag, data, state, run_at, claimed_at, attempts, interruptions)
  SELECT name, singleton_key, group_id, -priority, data,
    CASE state WHEN 'active' THEN 'active' ELSE 'waiting' END, start_after, started_on,
    retry_count + (state < 'active' AND started_on IS NOT NULL)::int,
    coalesce((to_jsonb(job) ->> 'interruptions')::int, 0)
  FROM jobs.job
  WHERE state <= 'active' AND name <> 'dead-letters' AND name NOT LIKE '\_\_pgboss%'
  ORDER BY state <> 'active', state <> 'created', created_on
  ON CONFLICT DO NOTHING;
  INSERT INTO jobs (queue, key, group_id, start_tag, data, failure)
  SELECT source_name, singleton_key, group_id, 0, data,
    coalesce(source_output, '{}') || jsonb_build_object(
      'message', coalesce(source_output ->> 'message', 'The job took too long.'))
  FROM jobs.job
  WHERE state <= 'active' AND name = 'dead-letters' AND source_name IS NOT NULL
  ORDER BY created_on;
  -- A crash would undo the numbers that were taken in the transaction that created the sequence, where wal_level is minimal.
  PERFORM setval(pg_get_serial_sequence('jobs', 'id'), (SELECT max(id) FROM jobs));
  DROP SCHEMA jobs CASCADE;
END $$;
