import type { PoolClient } from 'pg';

/**
 * Reclaims the space of deleted rows and removes their bytes from the folder. VACUUM alone leaves them in
 * the free space of pages, in the planner's statistics and in the log. So tables with changed rows are
 * rewritten (170 MB/s, while nobody else is served), then the statistics, and a new log file begins.
 * @param everything whether to rewrite all tables, if it is not known which have changed
 */
export async function removeDeleted(client: PoolClient, everything: boolean): Promise<void> {
  // The counts of changed rows are written with a delay.
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
    const rewrite = own && (changed || everything);
    await client.query(`vacuum (${rewrite ? 'full, ' : ''}analyze) ${name}`);
    if (rewrite) {
      await client.query('select pg_stat_reset_single_table_counters(to_regclass($1))', [name]);
    }
  }
  await client.query('vacuum full pg_statistic');
  // The checkpoint deletes the older files of the log.
  await client.query('select pg_switch_wal()');
  await client.query('checkpoint');
}
