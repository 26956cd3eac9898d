import { createHmac, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { holdName } from './advisory-lock.ts';
import type { Database, Executor } from './database.ts';

/** What servers share beside the database: addresses of the files and the index, without secrets. */
export interface SharedPlaces {
  files: string;
  search: string;
}

interface InstallationOptions {
  dataDir: string;
  secret: string;
  /** Names of the settings that this server lacks to share its installation. */
  missing: readonly string[];
  /** Set if nothing is missing. */
  shared: SharedPlaces | null;
  /** Whether the folder or places and the secret replace those of the database. */
  takeOver?: boolean | undefined;
}

const shape = z.object({
  id: z.uuid(),
  /** Distinguishes secrets without revealing them. */
  fingerprint: z.string(),
});

const storedShape = shape.extend({ files: z.string().nullable(), search: z.string().nullable() });

type Stored = z.output<typeof storedShape>;
type Installation = z.output<typeof shape>;

const TAKE_OVER = 'npm run doctor -- --take-over';

const fileIn = (dataDir: string): string => path.join(dataDir, 'installation');

const fingerprintOf = (secret: string, id: string): string =>
  createHmac('sha256', secret).update(`installation:${id}`).digest('base64url');

/** The folder's installation; null if there is none, or it is damaged and may be replaced. */
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

async function readDatabase(tx: Executor): Promise<Stored | null> {
  await tx.execute(sql`CREATE TABLE IF NOT EXISTS engram_installation (
    id uuid NOT NULL, fingerprint text NOT NULL, since timestamptz NOT NULL DEFAULT now())`);
  await tx.execute(sql`ALTER TABLE engram_installation
    ADD COLUMN IF NOT EXISTS files text, ADD COLUMN IF NOT EXISTS search text`);
  const { rows } = await tx.execute(
    sql`SELECT id, fingerprint, files, search FROM engram_installation`,
  );
  return rows.length > 0 ? storedShape.parse(rows[0]) : null;
}

async function writeDatabase(
  tx: Executor,
  { id, fingerprint, files, search }: Stored,
): Promise<void> {
  await tx.execute(sql`DELETE FROM engram_installation`);
  await tx.execute(sql`INSERT INTO engram_installation (id, fingerprint, files, search)
    VALUES (${id}, ${fingerprint}, ${files}, ${search})`);
}

/** Whether a database from before installations were recorded has users. */
async function hasPeople(tx: Executor): Promise<boolean> {
  const { rows: tables } = await tx.execute(sql`SELECT to_regclass('users') AS users`);
  if (tables[0]?.['users'] === null) return false;
  const { rows } = await tx.execute(sql`SELECT FROM users LIMIT 1`);
  return rows.length > 0;
}

const ON_PURPOSE = `To change it on purpose: '${TAKE_OVER}'.`;

function assertSecret(known: Installation | null, secret: string, where: string): void {
  if (!known || known.fingerprint === fingerprintOf(secret, known.id)) return;
  throw new Error(
    `The secret is another one than before: with it nobody would stay signed in, and no link that was shared would open. Set ENGRAM_SECRET to the former one${where}. ${ON_PURPOSE}`,
  );
}

/** @throws Error if servers with other places share the database */
function assertPlaces(known: Stored, { files, search }: SharedPlaces): void {
  const differing = [
    ['ENGRAM_FILES', known.files, files],
    ['ENGRAM_SEARCH', known.search, search],
  ].find(([, before, now]) => before !== now);
  if (!differing) return;
  const [name, before, now] = differing;
  const was = before ?? 'a data folder';
  throw new Error(
    `The servers of this database have ${was} where ${name} names ${now}: what is on one would be missing on the others. ${ON_PURPOSE}`,
  );
}

/** Servers that share everything: the database alone knows the installation. */
async function agreeWithOthers(
  tx: Executor,
  places: SharedPlaces,
  { secret, takeOver = false }: InstallationOptions,
): Promise<void> {
  const known = await readDatabase(tx);
  if (!takeOver) {
    assertSecret(known, secret, '');
    if (known) assertPlaces(known, places);
  }
  const id = known?.id ?? randomUUID();
  const installation = { id, fingerprint: fingerprintOf(secret, id), ...places };
  if (!known || takeOver) await writeDatabase(tx, installation);
}

/** One server with a data folder: the folder and the database know each other. */
async function agreeWithFolder(
  tx: Executor,
  embedded: boolean,
  { dataDir, secret, missing, takeOver = false }: InstallationOptions,
): Promise<void> {
  const inFolder = readFolder(dataDir, embedded || takeOver);
  const inDatabase = await readDatabase(tx);
  const foreign = () =>
    new Error(
      `The database belongs to another data folder than ${dataDir}. Set ENGRAM_DATA_DIR to that folder, or copy it here. Only where it is lost for good: '${TAKE_OVER}' makes this folder the database's.`,
    );
  if (!takeOver) {
    if (inDatabase?.files) {
      throw new Error(
        `The database is shared by several servers, and this one lacks ${missing.join(' and ')}. ${ON_PURPOSE}`,
      );
    }
    if (inDatabase && inFolder && inDatabase.id !== inFolder.id) throw foreign();
    // An embedded database is in its folder, and has what the file would have.
    if (!embedded && !inFolder) {
      const filesElsewhere = !existsSync(path.join(dataDir, 'files')) && (await hasPeople(tx));
      if (inDatabase || filesElsewhere) throw foreign();
    }
    assertSecret(inDatabase ?? inFolder, secret, `, or put the file 'secret' back into ${dataDir}`);
  }
  const id = inFolder?.id ?? (embedded ? inDatabase?.id : undefined) ?? randomUUID();
  const installation = { id, fingerprint: fingerprintOf(secret, id) };
  const isSame = (other: Installation | null) =>
    other?.id === id && other.fingerprint === installation.fingerprint;
  // The folder is written first, as the database then refuses other folders.
  if (!isSame(inFolder)) writeFolder(dataDir, installation);
  if (!isSame(inDatabase) || inDatabase?.files) {
    await writeDatabase(tx, { ...installation, files: null, search: null });
  }
}

/**
 * Checks that the database, the secret, and the data folder or shared places belong together, and
 * records them. Otherwise a server would treat the files of another place as lost.
 * @throws Error with a sentence if they do not
 */
export async function assertInstallation(
  database: Pick<Database, 'kind' | 'transaction'>,
  options: InstallationOptions,
): Promise<void> {
  const { shared } = options;
  await database.transaction(async (tx) => {
    await holdName(tx, 'installation');
    if (shared) await agreeWithOthers(tx, shared, options);
    else await agreeWithFolder(tx, database.kind === 'embedded', options);
  });
}
