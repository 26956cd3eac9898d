import { rmSync, statSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { getLoadablePath } from 'sqlite-vec';

/** Must be raised if the tables or their content change. Files of other versions are rebuilt. */
const VERSION = 2;

/** All ASCII characters except letters and digits, because only spaces separate terms. */
const TOKEN_CHARACTERS = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index))
  .filter((character) => !/[a-z0-9]/iu.test(character))
  .join('');

const quoted = (text: string, quote: string): string =>
  quote + text.replaceAll(quote, quote + quote) + quote;

const tokenizer = `ascii tokenchars ${quoted(TOKEN_CHARACTERS, "'")}`;

/**
 * Searches read the narrow table `chunks` for each row, and `contents` only for the best ones. `words` stores
 * no text (contentless FTS5), and `vocabulary` counts the chunks with each term. `signs` has one bit for each
 * dimension, which is fast to compare, and `vectors` one byte.
 */
const SCHEMA = `
  CREATE TABLE library (chunks INTEGER NOT NULL, terms INTEGER NOT NULL, purge INTEGER NOT NULL);
  INSERT INTO library VALUES (0, 0, 0);
  CREATE TABLE artifacts (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
    chunks INTEGER NOT NULL, terms INTEGER NOT NULL);
  CREATE TABLE chunks (
    id INTEGER PRIMARY KEY AUTOINCREMENT, artifact INTEGER NOT NULL, ordinal INTEGER NOT NULL,
    start INTEGER NOT NULL, "end" INTEGER NOT NULL, length INTEGER NOT NULL);
  CREATE UNIQUE INDEX chunk_places ON chunks (artifact, ordinal);
  CREATE TABLE contents (
    chunk INTEGER PRIMARY KEY, text TEXT NOT NULL, terms TEXT NOT NULL, context TEXT NOT NULL);
  CREATE VIRTUAL TABLE words USING fts5(
    terms, content = '', contentless_delete = 1, tokenize = ${quoted(tokenizer, '"')});
  CREATE VIRTUAL TABLE vocabulary USING fts5vocab(words, 'row');
  CREATE TABLE models (
    number INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE,
    dimensions INTEGER NOT NULL, setting TEXT NOT NULL, complete INTEGER NOT NULL);
  CREATE TABLE signs (
    model INTEGER NOT NULL, chunk INTEGER NOT NULL, signs BLOB,
    PRIMARY KEY (model, chunk)) WITHOUT ROWID;
  CREATE TABLE vectors (
    model INTEGER NOT NULL, chunk INTEGER NOT NULL, vector BLOB NOT NULL,
    PRIMARY KEY (model, chunk)) WITHOUT ROWID;
  PRAGMA user_version = ${VERSION};`;

/**
 * Statements as template literals, prepared once per file. Unlike Node's `createTagStore`, closing the
 * database ends them.
 */
function createStatements(db: DatabaseSync) {
  const prepared = new Map<TemplateStringsArray, StatementSync>();
  const of = (text: TemplateStringsArray): StatementSync => {
    const known = prepared.get(text);
    if (known) return known;
    const statement = db.prepare(text.join('?'));
    prepared.set(text, statement);
    return statement;
  };
  return {
    get: <Row>(text: TemplateStringsArray, ...values: SQLInputValue[]) =>
      of(text).get(...values) as Row | undefined,
    all: <Row>(text: TemplateStringsArray, ...values: SQLInputValue[]) =>
      of(text).all(...values) as Row[],
    run: (text: TemplateStringsArray, ...values: SQLInputValue[]) => of(text).run(...values),
  };
}

const CACHE_KB = 4096;
/** How long a thread waits for the other one's lock, in milliseconds. */
const TIMEOUT_MS = 10_000;

export interface UserFile {
  db: DatabaseSync;
  sql: ReturnType<typeof createStatements>;
  /** Detects that another file has replaced this one. */
  inode: number;
}

const inodeOf = (path: string): number | null =>
  statSync(path, { throwIfNoEntry: false })?.ino ?? null;

export const isCurrent = (file: UserFile, path: string): boolean => file.inode === inodeOf(path);

export function removeUserFile(path: string): void {
  for (const ending of ['', '-wal', '-shm']) {
    rmSync(path + ending, { force: true, maxRetries: 10, retryDelay: 50 });
  }
}

function open(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { allowExtension: true, timeout: TIMEOUT_MS });
  try {
    db.loadExtension(getLoadablePath());
    db.enableLoadExtension(false);
    // The index can be rebuilt, so a commit does not wait for the disk.
    db.exec(`PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
      PRAGMA secure_delete = ON; PRAGMA cache_size = -${CACHE_KB}; PRAGMA temp_store = MEMORY`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

const versionOf = (db: DatabaseSync): unknown =>
  db.prepare('PRAGMA user_version').get()?.['user_version'];

/** Opens a user's file. With `create`, it is created if no file of this version exists. */
export function openUserFile(path: string, { create }: { create: boolean }): UserFile | null {
  if (!create && inodeOf(path) === null) return null;
  let db = open(path);
  const version = versionOf(db);
  if (version !== VERSION) {
    db.close();
    if (!create) return null;
    if (version !== 0) removeUserFile(path);
    db = open(path);
    db.exec(`BEGIN; ${SCHEMA} COMMIT`);
  }
  return { db, sql: createStatements(db), inode: inodeOf(path) ?? 0 };
}

export function inTransaction<Result>({ db }: UserFile, run: () => Result): Result {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = run();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
