import type { PoolClient } from 'pg';

/**
 * Reclaims the space of deleted rows and removes their bytes from the folder. VACUUM alone leaves
 * them: in the free space of the pages, in the planner's samples of columns, and in the log. So
 * tables in which rows were deleted or replaced are written anew (170 MB/s were measured, and nobody
 * else is served while a table is), then the samples, and then the log begins a new file.
 *
 * @param everything whether to write all tables anew, when nobody knows which have changed
 */
export async function removeDeleted(client: PoolClient, everything: boolean): Promise<void> {
  // The counters of changed rows are gathered, and written now and then.
  await client.query('select pg_stat_force_next_flush()');
  const { rows } = await client.query<{ name: string; changed: boolean; own: boolean }>(
    `select c.oid::regclass::text as name, s.n_tup_upd + s.n_tup_del > 0 as changed,
       c.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace) as own
     from pg_class c join pg_stat_all_tables s on s.relid = c.oid
     where c.relkind in ('r', 'm') and c.relpersistence = 'p' and c.relname <> 'pg_statistic'`,
  );
  for (const { name, changed, own } of rows) {
    // A table may have been dropped since it was listed.
    const still = await client.query('select to_regclass($1) is not null as there', [name]);
    if (!still.rows[0]?.there) continue;
    const anew = own && (changed || everything);
    await client.query(`vacuum (${anew ? 'full, ' : ''}analyze) ${name}`);
    if (anew) {
      await client.query('select pg_stat_reset_single_table_counters(to_regclass($1))', [name]);
    }
  }
  await client.query('vacuum full pg_statistic');
  // Files of the log before the one that a checkpoint begins in are deleted by it.
  await client.query('select pg_switch_wal()');
  await client.query('checkpoint');
}
