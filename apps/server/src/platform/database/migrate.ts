import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PoolClient } from 'pg';
import type { Database } from './database.ts';

interface Migration {
  name: string;
  sql: string;
  checksum: string;
  /** Whether it removes something that the previous version needs. */
  contracts: boolean;
}

type Applied = Omit<Migration, 'sql'>;

const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../../migrations', import.meta.url));
/** Marks a migration that breaks servers of the previous version. */
const CONTRACTS = /^-- contract:/u;
const FILE_NAME = /^(\d{4})_[a-z0-9_]+\.sql$/;
/** An arbitrary number that identifies this lock, which serializes the migrations of several servers. */
const ADVISORY_LOCK = 4_973_158_026;

async function readMigrations(folder: string): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file, index) => {
      const number = FILE_NAME.exec(file)?.[1];
      if (Number(number) !== index + 1) {
        const expected = String(index + 1).padStart(4, '0');
        throw new Error(
          `Migration ${file} is out of order: its name must be ${expected}_name.sql.`,
        );
      }
      // A checkout on Windows may have changed the line endings.
      const sql = (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n');
      const checksum = createHash('sha256').update(sql).digest('hex');
      const name = file.slice(0, -'.sql'.length);
      return { name, sql, checksum, contracts: CONTRACTS.test(sql) };
    }),
  );
}

export async function schemaName(): Promise<string> {
  const hash = createHash('sha256');
  for (const { checksum } of await readMigrations(MIGRATIONS_FOLDER)) hash.update(checksum);
  return hash.digest('hex').slice(0, 16);
}

/**
 * The pending migrations. The database may have newer ones that removed nothing.
 * @throws Error if an applied migration was changed, or a newer one removed something
 */
function findPending(migrations: Migration[], applied: Applied[]): Migration[] {
  for (const [index, { name, checksum, contracts }] of applied.entries()) {
    const local = migrations[index];
    if (!local && !contracts) continue;
    if (!local) {
      throw new Error(
        `The database was created by a newer Engram, because its migration ${name} is unknown here. Start that version again, or restore a backup.`,
      );
    }
    if (local.name !== name || local.checksum !== checksum) {
      throw new Error(
        `Migration ${local.name} was changed after it was applied to this database as ${name}. Restore the file and add a new migration instead.`,
      );
    }
  }
  return migrations.slice(applied.length);
}

async function apply(client: PoolClient, migration: Migration): Promise<void> {
  try {
    await client.query(migration.sql);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Migration ${migration.name} failed and was rolled back: ${reason}`, {
      cause: error,
    });
  }
  await client.query(
    // The sequence is not used, because a crash of an embedded database may have reset it.
    `insert into engram_migrations (position, name, checksum, contracts) overriding system value
     values ((select coalesce(max(position), 0) + 1 from engram_migrations), $1, $2, $3)`,
    [migration.name, migration.checksum, migration.contracts],
  );
}

async function applyNext(client: PoolClient, migrations: Migration[]): Promise<string | undefined> {
  await client.query('begin');
  try {
    await client.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCK]);
    await client.query(`create table if not exists engram_migrations (
      position integer generated always as identity primary key,
      name text not null unique,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`);
    await client.query(
      'alter table engram_migrations add column if not exists contracts boolean not null default true',
    );
    const { rows } = await client.query<Applied>(
      'select name, checksum, contracts from engram_migrations order by position',
    );
    const [next] = findPending(migrations, rows);
    if (next) await apply(client, next);
    await client.query('commit');
    return next?.name;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/**
 * Applies the pending migrations, each in its own transaction, and returns their names.
 * @throws Error if one fails, was changed after it ran, or a newer one removed something
 */
export function migrate(database: Database, folder = MIGRATIONS_FOLDER): Promise<string[]> {
  return database.withoutTimeout(async (client) => {
    const migrations = await readMigrations(folder);
    const applied: string[] = [];
    for (;;) {
      const name = await applyNext(client, migrations);
      if (name === undefined) return applied;
      applied.push(name);
    }
  });
}

export async function newestMigration({
  pool,
}: Pick<Database, 'pool'>): Promise<string | undefined> {
  const { rows } = await pool.query<{ name: string }>(
    'select name from engram_migrations order by position desc limit 1',
  );
  return rows[0]?.name;
}
