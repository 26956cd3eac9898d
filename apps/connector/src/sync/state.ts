import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { Elsewhere, FileChange, FolderMemory, KnownFile } from '@engram/folder-sync';
import type { DeviceSettings, FolderSettings } from '../connector.ts';
import { openHome } from '../system/home.ts';

/** A synced folder as it is stored. */
export interface Folder extends FolderSettings {
  id: number;
  root: string;
  name: string;
}

/** Each is run once, in this order; `user_version` says how many were. */
const MIGRATIONS = [
  `CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
   CREATE TABLE folders (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     root TEXT NOT NULL UNIQUE,
     name TEXT NOT NULL UNIQUE,
     settings TEXT NOT NULL
   ) STRICT;
   CREATE TABLE files (
     folder INTEGER NOT NULL REFERENCES folders (id) ON DELETE CASCADE,
     path TEXT NOT NULL,
     size INTEGER NOT NULL,
     mtime REAL NOT NULL,
     inode REAL NOT NULL,
     sha256 TEXT,
     artifact TEXT,
     heldSha256 TEXT,
     heldSize INTEGER,
     sentByUs INTEGER NOT NULL,
     placed INTEGER NOT NULL,
     sending INTEGER NOT NULL,
     verdict TEXT,
     reason TEXT,
     nextTry REAL,
     goneAt REAL,
     PRIMARY KEY (folder, path)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE sent (artifact TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
   CREATE INDEX files_by_held ON files (heldSha256);
   CREATE INDEX files_by_artifact ON files (artifact);
   CREATE INDEX files_by_bytes ON files (sha256);`,
] as const;

const FILE_COLUMNS = [
  'path',
  'size',
  'mtime',
  'inode',
  'sha256',
  'artifact',
  'heldSha256',
  'heldSize',
  'sentByUs',
  'placed',
  'sending',
  'verdict',
  'reason',
  'nextTry',
  'goneAt',
] as const satisfies readonly (keyof KnownFile)[];

type Row = Record<string, SQLInputValue>;

/** The row itself as a file: a copy of ten thousand would be as many more objects. */
const toFile = (row: Row): KnownFile =>
  Object.assign(row, {
    sentByUs: row['sentByUs'] === 1,
    placed: row['placed'] === 1,
    sending: row['sending'] === 1,
  }) as never;

const toRow = (file: KnownFile): SQLInputValue[] =>
  FILE_COLUMNS.map((column) => {
    const value = file[column];
    return typeof value === 'boolean' ? Number(value) : value;
  });

function migrate(database: DatabaseSync): void {
  const row = database.prepare('PRAGMA user_version').get() as { user_version: number };
  if (row.user_version > MIGRATIONS.length) {
    throw new Error('What is kept here was written by a newer Connector. Please use that one.');
  }
  for (const [at, migration] of MIGRATIONS.entries()) {
    if (at < row.user_version) continue;
    database.exec(`BEGIN; ${migration} PRAGMA user_version = ${at + 1}; COMMIT;`);
  }
}

export class State {
  readonly #database: DatabaseSync;
  readonly #put: StatementSync;
  readonly #drop: StatementSync;
  readonly #one: StatementSync;
  readonly #release: StatementSync;
  readonly #sent: StatementSync;

  /** @param home the folder it lies in; it is made where it is missing */
  constructor(home: string) {
    const file = path.join(openHome(home), 'state.sqlite');
    // SQLite gives its own files the mode of the first one.
    closeSync(openSync(file, 'a', 0o600));
    this.#database = new DatabaseSync(file);
    this.#database.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 5000;',
    );
    migrate(this.#database);
    const marks = FILE_COLUMNS.map(() => '?').join(', ');
    this.#put = this.#database.prepare(
      `INSERT OR REPLACE INTO files (folder, ${FILE_COLUMNS.join(', ')}) VALUES (?, ${marks})`,
    );
    this.#drop = this.#database.prepare('DELETE FROM files WHERE folder = ? AND path = ?');
    this.#sent = this.#database.prepare('INSERT OR IGNORE INTO sent VALUES (?)');
    this.#one = this.#database.prepare(
      `SELECT ${FILE_COLUMNS.join(', ')} FROM files WHERE folder = ? AND path = ?`,
    );
    this.#release = this.#database.prepare(
      `UPDATE files SET artifact = NULL, heldSha256 = NULL, heldSize = NULL, sentByUs = 0, placed = 0
       WHERE artifact = ?`,
    );
  }

  /** A setting, or what was handed in where it was never set. */
  setting<T>(name: string, otherwise: T): T {
    const row = this.#database.prepare('SELECT value FROM settings WHERE name = ?').get(name);
    return row ? (JSON.parse(String(row['value'])) as T) : otherwise;
  }

  set(name: string, value: unknown): void {
    this.#database
      .prepare('INSERT OR REPLACE INTO settings VALUES (?, ?)')
      .run(name, JSON.stringify(value));
  }

  folders(): Folder[] {
    const rows = this.#database.prepare('SELECT * FROM folders ORDER BY id').all();
    return rows.map((row) => ({
      ...(JSON.parse(String(row['settings'])) as FolderSettings),
      id: Number(row['id']),
      root: String(row['root']),
      name: String(row['name']),
    }));
  }

  /** @throws Error if the folder is not synced */
  folder(id: number): Folder {
    const folder = this.folders().find((one) => one.id === id);
    if (!folder) throw new Error('There is no such folder.');
    return folder;
  }

  deviceSettings(): DeviceSettings {
    return this.setting<DeviceSettings>('device', { bytesPerSecond: null, autostart: false });
  }

  addFolder(root: string, name: string, settings: FolderSettings): number {
    const { lastInsertRowid } = this.#database
      .prepare('INSERT INTO folders (root, name, settings) VALUES (?, ?, ?)')
      .run(root, name, JSON.stringify(settings));
    return Number(lastInsertRowid);
  }

  changeFolder(id: number, settings: FolderSettings): void {
    this.#database
      .prepare('UPDATE folders SET settings = ? WHERE id = ?')
      .run(JSON.stringify(settings), id);
  }

  removeFolder(id: number): void {
    this.#database.prepare('DELETE FROM folders WHERE id = ?').run(id);
  }

  files(folder: number): KnownFile[] {
    return this.#database
      .prepare(`SELECT ${FILE_COLUMNS.join(', ')} FROM files WHERE folder = ?`)
      .all(folder)
      .map(toFile);
  }

  /** Whether this device sent an artifact, wherever its file is now. */
  wasSent(artifact: string): boolean {
    return (
      this.#database.prepare('SELECT 1 FROM sent WHERE artifact = ?').get(artifact) !== undefined
    );
  }

  /** A file of another folder that is there and holds some bytes. */
  elsewhere(folder: number, sha256: string): Elsewhere | null {
    const row = this.#database
      .prepare(
        `SELECT path, artifact, sentByUs, placed FROM files
         WHERE heldSha256 = ? AND folder <> ? AND sha256 = heldSha256
           AND goneAt IS NULL AND artifact IS NOT NULL
         ORDER BY placed DESC, sentByUs DESC, path LIMIT 1`,
      )
      .get(sha256, folder);
    if (!row) return null;
    const { path: where, artifact, sentByUs, placed } = row;
    return {
      path: String(where),
      artifact: String(artifact),
      sentByUs: sentByUs === 1,
      placed: placed === 1,
    };
  }

  file(folder: number, name: string): KnownFile | null {
    const row = this.#one.get(folder, name);
    return row ? toFile(row) : null;
  }

  /** Writes changes in their order, all of them or none. */
  write(folder: number, changes: readonly FileChange[]): void {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      for (const { put = [], drop = [], release = null } of changes) {
        if (release !== null) this.#release.run(release);
        for (const name of drop) this.#drop.run(folder, name);
        for (const file of put) {
          this.#put.run(folder, ...toRow(file));
          if (file.sentByUs) this.#sent.run(file.artifact);
        }
      }
      this.#database.exec('COMMIT');
    } catch (error) {
      // On a full disk SQLite has rolled back already.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  of(folder: number): FolderMemory {
    return {
      files: () => this.files(folder),
      file: (name) => this.file(folder, name),
      write: (...changes) => this.write(folder, changes),
      wasSent: (artifact) => this.wasSent(artifact),
      elsewhere: (sha256) => this.elsewhere(folder, sha256),
    };
  }

  /** Forgets what a server said: another one knows nothing of it. What was hashed stays. */
  forgetServer(): void {
    this.#database.exec(
      `UPDATE files SET artifact = NULL, heldSha256 = NULL, heldSize = NULL, sentByUs = 0, placed = 0, sending = 0,
         verdict = NULL, reason = NULL, nextTry = NULL;
       DELETE FROM sent`,
    );
  }

  close(): void {
    this.#database.close();
  }
}
