import { createHmac, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { holdName } from './advisory-lock.ts';
import type { Database, Executor } from './database.ts';

/** What belongs together: a database, a data folder and a secret. */
export interface InstallationOptions {
  dataDir: string;
  secret: string;
  /** Makes this folder and this secret those of the database, whatever they were before. */
  takeOver?: boolean | undefined;
}

/** As it is kept in the database, and in the data folder. */
const shape = z.object({
  id: z.uuid(),
  /** Tells one secret from another, and nothing else of it. */
  fingerprint: z.string(),
});

type Installation = z.output<typeof shape>;

const TAKE_OVER = 'npm run doctor -- --take-over';

const fileIn = (dataDir: string): string => path.join(dataDir, 'installation');

const fingerprintOf = (secret: string, id: string): string =>
  createHmac('sha256', secret).update(`installation:${id}`).digest('base64url');

/** What the folder says; null when it says nothing, or nothing that can be read and it may be replaced. */
function readFolder(dataDir: string, mayReplace: boolean): Installation | null {
  const file = fileIn(dataDir);
  if (!existsSync(file)) return null;
  try {
    return shape.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    if (mayReplace) return null;
    throw new Error(
      `The file ${file} is damaged. Restore it from a backup, or write it again with '${TAKE_OVER}'.`,
      { cause: error },
    );
  }
}

function writeFolder(dataDir: string, installation: Installation): void {
  const file = fileIn(dataDir);
  const text = `${JSON.stringify(installation)}\n`;
  writeFileSync(`${file}.new`, text, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
}

async function readDatabase(tx: Executor): Promise<Installation | null> {
  await tx.execute(sql`CREATE TABLE IF NOT EXISTS engram_installation (
    id uuid NOT NULL, fingerprint text NOT NULL, since timestamptz NOT NULL DEFAULT now())`);
  const { rows } = await tx.execute(sql`SELECT id, fingerprint FROM engram_installation`);
  return rows.length > 0 ? shape.parse(rows[0]) : null;
}

async function writeDatabase(tx: Executor, { id, fingerprint }: Installation): Promise<void> {
  await tx.execute(sql`DELETE FROM engram_installation`);
  await tx.execute(
    sql`INSERT INTO engram_installation (id, fingerprint) VALUES (${id}, ${fingerprint})`,
  );
}

/** Whether a database from before installations were recorded holds anybody's things. */
async function hasPeople(tx: Executor): Promise<boolean> {
  const { rows: tables } = await tx.execute(sql`SELECT to_regclass('users') AS users`);
  if (tables[0]?.['users'] === null) return false;
  const { rows } = await tx.execute(sql`SELECT FROM users LIMIT 1`);
  return rows.length > 0;
}

/**
 * Sees that the database, the data folder and the secret belong together, and writes down in the
 * first two that they do. Rejects with a sentence for a person when they do not: a server would
 * take the files of the other folder for lost, and end the sessions of all.
 */
export async function assertInstallation(
  database: Pick<Database, 'kind' | 'transaction'>,
  { dataDir, secret, takeOver = false }: InstallationOptions,
): Promise<void> {
  const embedded = database.kind === 'embedded';
  const inFolder = readFolder(dataDir, embedded || takeOver);
  const foreign = () =>
    new Error(
      `The database belongs to another data folder than ${dataDir}. Set ENGRAM_DATA_DIR to that folder, or copy it here. Only where it is lost for good: '${TAKE_OVER}' makes this folder the database's.`,
    );

  const check = async (tx: Executor, inDatabase: Installation | null): Promise<void> => {
    if (inDatabase && inFolder && inDatabase.id !== inFolder.id) throw foreign();
    // An embedded database stands in its folder, and tells what the file would.
    if (!embedded && !inFolder) {
      const filesElsewhere = !existsSync(path.join(dataDir, 'files')) && (await hasPeople(tx));
      if (inDatabase || filesElsewhere) throw foreign();
    }
    const known = inDatabase ?? inFolder;
    if (known && known.fingerprint !== fingerprintOf(secret, known.id)) {
      throw new Error(
        `The secret is another one than before: with it nobody would stay signed in, and no link that was shared would open. Set ENGRAM_SECRET to the former one, or put the file 'secret' back into ${dataDir}. To change it on purpose: '${TAKE_OVER}'.`,
      );
    }
  };

  await database.transaction(async (tx) => {
    await holdName(tx, 'installation');
    const inDatabase = await readDatabase(tx);
    if (!takeOver) await check(tx, inDatabase);
    const id = inFolder?.id ?? (embedded ? inDatabase?.id : undefined) ?? randomUUID();
    const installation = { id, fingerprint: fingerprintOf(secret, id) };
    const isSame = (other: Installation | null) =>
      other?.id === id && other.fingerprint === installation.fingerprint;
    // The folder first: a database that knows its folder refuses one that does not.
    if (!isSame(inFolder)) writeFolder(dataDir, installation);
    if (!isSame(inDatabase)) await writeDatabase(tx, installation);
  });
}
