import { createHmac, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { lockName } from './sql.ts';
import type { Database, Executor } from './database.ts';

/** The addresses of shared files and the shared index, without secrets. */
export interface SharedPlaces {
  files: string;
  search: string;
}

interface InstallationOptions {
  dataDir: string;
  secret: string;
  /** The settings that are needed to share the installation, but not set. */
  missing: readonly string[];
  shared: SharedPlaces | null;
  /** Whether the folder or the shared places, and the secret, replace those of the database. */
  replaceInstallation?: boolean | undefined;
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

/** The folder's installation; null if it is missing, or damaged and replaceable. */
function readFolder(dataDir: string, mayReplace: boolean): Installation | null {
  const file = fileIn(dataDir);
  if (!existsSync(file)) return null;
  try {
    return shape.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    if (mayReplace) return null;
    throw new Error(
      `The file ${file} is damaged. Restore it from a backup, or recreate it with '${TAKE_OVER}'.`,
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

async function writeDatabase(tx: Executor, { id, fingerprint, files, search }: Stored) {
  await tx.execute(sql`DELETE FROM engram_installation`);
  await tx.execute(sql`INSERT INTO engram_installation (id, fingerprint, files, search)
    VALUES (${id}, ${fingerprint}, ${files}, ${search})`);
}

async function hasUsers(tx: Executor): Promise<boolean> {
  const { rows: tables } = await tx.execute(sql`SELECT to_regclass('users') AS users`);
  if (tables[0]?.['users'] === null) return false;
  const { rows } = await tx.execute(sql`SELECT FROM users LIMIT 1`);
  return rows.length > 0;
}

const ON_PURPOSE = `To change this on purpose, run '${TAKE_OVER}'.`;

function assertSecret(known: Installation | null, secret: string, hint: string): void {
  if (!known || known.fingerprint === fingerprintOf(secret, known.id)) return;
  throw new Error(
    `The secret has changed. All users would be signed out, and shared links would stop working. Set ENGRAM_SECRET to the previous one${hint}. ${ON_PURPOSE}`,
  );
}

function assertPlaces(known: Stored, { files, search }: SharedPlaces): void {
  const differing = [
    ['ENGRAM_FILES', known.files, files],
    ['ENGRAM_SEARCH', known.search, search],
  ].find(([, stored, current]) => stored !== current);
  if (!differing) return;
  const [name, stored, current] = differing;
  const was = stored ?? 'a data folder';
  throw new Error(
    `The other servers of this database use ${was}, but ${name} names ${current}. Data would be missing on some servers. ${ON_PURPOSE}`,
  );
}

/** @throws Error if the database is shared by servers, or belongs to another data folder */
async function assertFolder(
  tx: Executor,
  embedded: boolean,
  inDatabase: Stored | null,
  inFolder: Installation | null,
  { dataDir, missing }: InstallationOptions,
): Promise<void> {
  if (inDatabase?.files) {
    throw new Error(
      `The database is shared by several servers, which requires ${missing.join(' and ')}. ${ON_PURPOSE}`,
    );
  }
  let isForeign = inFolder !== null && inDatabase !== null && inDatabase.id !== inFolder.id;
  // An embedded database is inside its folder, so the file may be missing.
  if (!embedded && !inFolder) {
    const filesElsewhere = !existsSync(path.join(dataDir, 'files')) && (await hasUsers(tx));
    isForeign = inDatabase !== null || filesElsewhere;
  }
  if (!isForeign) return;
  throw new Error(
    `The database belongs to another data folder than ${dataDir}. Set ENGRAM_DATA_DIR to that folder, or copy it here. If that folder is permanently lost, '${TAKE_OVER}' assigns this folder to the database.`,
  );
}

/**
 * Checks that the database, the secret, and the data folder or shared places belong together, and records
 * them. Otherwise a server with another folder would treat all files as lost.
 * @throws Error if they do not belong together
 */
export async function assertInstallation(
  database: Pick<Database, 'kind' | 'transaction'>,
  options: InstallationOptions,
): Promise<void> {
  const { dataDir, secret, shared, replaceInstallation = false } = options;
  const embedded = database.kind === 'embedded';
  await database.transaction(async (tx) => {
    await lockName(tx, 'installation');
    const inDatabase = await readDatabase(tx);
    const inFolder = shared ? null : readFolder(dataDir, embedded || replaceInstallation);
    if (!replaceInstallation) {
      if (!shared) await assertFolder(tx, embedded, inDatabase, inFolder, options);
      const secretHint = shared ? '' : `, or restore the file 'secret' in ${dataDir}`;
      assertSecret(inDatabase ?? inFolder, secret, secretHint);
      if (shared && inDatabase) assertPlaces(inDatabase, shared);
    }
    const known = inFolder ?? (shared || embedded ? inDatabase : null);
    const id = known?.id ?? randomUUID();
    const installation = { id, fingerprint: fingerprintOf(secret, id) };
    // The folder is written first, because the database then rejects other folders.
    if (!shared && !isDeepStrictEqual(inFolder, installation)) writeFolder(dataDir, installation);
    const stored = { ...installation, ...(shared ?? { files: null, search: null }) };
    if (!isDeepStrictEqual(inDatabase, stored)) await writeDatabase(tx, stored);
  });
}
