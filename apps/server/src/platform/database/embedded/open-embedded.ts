import {
  chmodSync,
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Pool, type PoolClient } from 'pg';
import { lockDataFolder } from '../data-folder-lock.ts';
import { surviveLostConnections, type Driver, type OpenDatabaseOptions } from '../driver.ts';
import { copyCluster } from './copy-cluster.ts';
import { startEmbeddedServer } from './embedded-server.ts';
import { copyTemplate, EMPTY_CLUSTER, makeCluster } from './cluster-templates.ts';

export const COMPLETE = 'engram-complete';

const DATABASE = 'database';

const CONNECTIONS = 8;

/**
 * Opens PGlite in `<dataDir>/database`, and locks the folder. An incomplete first start is repeated.
 * After an unclean stop the cluster recovers, and is vacuumed in the background.
 */
export async function openEmbedded(options: Required<OpenDatabaseOptions>): Promise<Driver> {
  const lock = lockDataFolder(options.dataDir);
  const folder = join(options.dataDir, DATABASE);
  const complete = join(folder, COMPLETE);
  const inUse = join(folder, 'engram-in-use');
  try {
    const unclean = existsSync(inUse);
    if (!existsSync(complete)) {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const copied = [options.template, EMPTY_CLUSTER].some((name) => copyTemplate(name, folder));
      if (!copied) await makeCluster(folder);
      syncFiles(folder);
      writeFileSync(complete, '');
    }
    // The engine loses the counts of changed rows when it stops.
    let lostCounts = true;
    const server = await startEmbeddedServer({
      folder,
      idleInTransactionMs: options.idleInTransactionMs,
      statementTimeoutMs: options.statementTimeoutMs,
      onDeath(reason) {
        lostCounts = true;
        options.log.error(`The embedded database failed and will be recovered: ${reason}`);
      },
    });
    writeFileSync(inUse, '');
    const pool = new Pool({
      max: CONNECTIONS,
      user: 'postgres',
      database: 'postgres',
      connectionTimeoutMillis: 60_000,
      idleTimeoutMillis: 0,
      stream: () => server.createStream(),
    });
    surviveLostConnections(pool, options.log);
    let last: Promise<unknown> = Promise.resolve();
    /** Runs tasks one by one, because maintenance deletes the log that a copy needs. */
    const queued = <T>(task: () => Promise<T>): Promise<T> => {
      const done = last.then(task);
      last = done.catch(() => undefined);
      return done;
    };
    const driver: Driver = {
      kind: 'embedded',
      pool,
      async withoutTimeout(task) {
        const client = await pool.connect();
        try {
          return await server.withoutTimeout(() => task(client));
        } finally {
          client.release();
        }
      },
      maintain: () =>
        queued(() =>
          driver.withoutTimeout(async (client) => {
            await removeDeleted(client, lostCounts);
            lostCounts = false;
          }),
        ),
      copyTo: (dataDir, signal) =>
        queued(() => copyCluster(folder, join(dataDir, DATABASE), signal)),
      async close() {
        await pool.end();
        await server.close();
        rmSync(inUse, { force: true });
        lock.release();
      },
    };
    if (unclean) {
      options.log.info('The embedded database was recovered after an unclean stop.');
      driver
        .maintain()
        .catch((error: Error) =>
          options.log.warn(`The embedded database was not vacuumed: ${error.message}`),
        );
    }
    return driver;
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Syncs a new cluster, which PGlite does not, and restricts its file modes. */
function syncFiles(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const name = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) chmodSync(name, 0o700);
    if (!entry.isFile()) continue;
    const file = openSync(name, 'r+');
    fchmodSync(file, 0o600);
    fsyncSync(file);
    closeSync(file);
  }
}

/**
 * Reclaims the space of deleted rows and removes their bytes from the disk. VACUUM alone leaves them in free
 * space of pages, in the planner's statistics and in the log. So changed tables and the statistics are
 * rewritten, and a new log file begins. No other query runs meanwhile (170 MB/s).
 * @param everything whether to rewrite all tables, because the changed ones are unknown
 */
async function removeDeleted(client: PoolClient, everything: boolean): Promise<void> {
  // The counts of changed rows are written with a delay.
  await client.query('select pg_stat_force_next_flush()');
  const { rows } = await client.query<{ name: string; changed: boolean; own: boolean }>(
    `select c.oid::regclass::text as name, s.n_tup_upd + s.n_tup_del > 0 as changed,
       c.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace) as own
     from pg_class c join pg_stat_all_tables s on s.relid = c.oid
     where c.relkind in ('r', 'm') and c.relpersistence = 'p' and c.relname <> 'pg_statistic'`,
  );
  for (const { name, changed, own } of rows) {
    // The table may have been dropped.
    const existing = await client.query('select to_regclass($1) is not null as there', [name]);
    if (!existing.rows[0]?.there) continue;
    const rewrite = own && (changed || everything);
    await client.query(`vacuum (${rewrite ? 'full, ' : ''}analyze) ${name}`);
    if (rewrite) {
      await client.query('select pg_stat_reset_single_table_counters(to_regclass($1))', [name]);
    }
  }
  await client.query('vacuum full pg_statistic');
  // The checkpoint deletes older log files.
  await client.query('select pg_switch_wal()');
  await client.query('checkpoint');
}
