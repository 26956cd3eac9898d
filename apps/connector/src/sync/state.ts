import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { type Elsewhere, type FolderMemory, type KnownFile, fromSeen } from '@engram/folder-sync';
import type { DeviceSettings, FolderSettings } from '../connector.ts';
import { openHome } from '../system/home.ts';

/** A synced folder as it is stored. */
export interface Folder extends FolderSettings {
  id: number;
  root: string;
  name: string;
}

/** Each migration runs once, in this order. `user_version` is the number of completed ones. */
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

const FILE_COLUMNS = Object.keys(
  fromSeen({ path: '', size: 0, mtime: 0, inode: 0 }),
) as readonly (keyof KnownFile)[];

/** Converts the row in place. Copies of thousands of rows would double the memory. */
const toFile = (row: Record<string, SQLInputValue>): KnownFile =>
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
    throw new Error('The state was written by a newer Connector. Please use that one.');
  }
  for (const [index, migration] of MIGRATIONS.entries()) {
    if (index < row.user_version) continue;
    database.exec(`BEGIN; ${migration} PRAGMA user_version = ${index + 1}; COMMIT;`);
  }
}

/** Everything that the Connector stores on this computer, except the secret. */
export class State {
  readonly #database: DatabaseSync;

  /** @param home the folder of the database, which is created if it is missing */
  constructor(home: string) {
    const file = path.join(openHome(home), 'state.sqlite');
    // SQLite gives its own files the mode of the first one.
    closeSync(openSync(file, 'a', 0o600));
    this.#database = new DatabaseSync(file);
    this.#database.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 5000;',
    );
    migrate(this.#database);
  }

  setting<T>(name: string, fallback: T): T {
    const row = this.#database.prepare('SELECT value FROM settings WHERE name = ?').get(name);
    return row ? (JSON.parse(String(row['value'])) as T) : fallback;
  }

  set(name: string, value: unknown): void {
    this.#database
      .prepare('INSERT OR REPLACE INTO settings VALUES (?, ?)')
      .run(name, JSON.stringify(value));
  }

  deviceSettings(): DeviceSettings {
    return this.setting<DeviceSettings>('device', { bytesPerSecond: null, autostart: false });
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
    const folder = this.folders().find((folder) => folder.id === id);
    if (!folder) throw new Error('There is no such folder.');
    return folder;
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

  /** The stored files of one folder. */
  memoryOf(folder: number): FolderMemory {
    const database = this.#database;
    const columns = FILE_COLUMNS.join(', ');
    const placeholders = FILE_COLUMNS.map(() => '?').join(', ');
    const selectAll = database.prepare(`SELECT ${columns} FROM files WHERE folder = ?`);
    const select = database.prepare(`SELECT ${columns} FROM files WHERE folder = ? AND path = ?`);
    const insert = database.prepare(
      `INSERT OR REPLACE INTO files (folder, ${columns}) VALUES (?, ${placeholders})`,
    );
    const remove = database.prepare('DELETE FROM files WHERE folder = ? AND path = ?');
    const release = database.prepare(
      `UPDATE files SET artifact = NULL, heldSha256 = NULL, heldSize = NULL, sentByUs = 0, placed = 0
       WHERE artifact = ?`,
    );
    const addSent = database.prepare('INSERT OR IGNORE INTO sent VALUES (?)');
    const sent = database.prepare('SELECT 1 FROM sent WHERE artifact = ?');
    const elsewhere = database.prepare(
      `SELECT path, artifact, sentByUs, placed FROM files
       WHERE heldSha256 = ? AND folder <> ? AND sha256 = heldSha256
         AND goneAt IS NULL AND artifact IS NOT NULL
       ORDER BY placed DESC, sentByUs DESC, path LIMIT 1`,
    );
    return {
      files: () => selectAll.all(folder).map(toFile),
      file: (name) => {
        const row = select.get(folder, name);
        return row ? toFile(row) : null;
      },
      /** Writes all changes or none. */
      write: (...changes) => {
        database.exec('BEGIN IMMEDIATE');
        try {
          for (const change of changes) {
            if (change.release) release.run(change.release);
            for (const name of change.drop ?? []) remove.run(folder, name);
            for (const file of change.put ?? []) {
              insert.run(folder, ...toRow(file));
              if (file.sentByUs) addSent.run(file.artifact);
            }
          }
          database.exec('COMMIT');
        } catch (error) {
          // On a full disk SQLite has rolled back already.
          if (database.isTransaction) database.exec('ROLLBACK');
          throw error;
        }
      },
      wasSent: (artifact) => sent.get(artifact) !== undefined,
      elsewhere: (sha256) => {
        const row = elsewhere.get(sha256, folder);
        return row ? (toFile(row) as Elsewhere) : null;
      },
    };
  }

  /** Removes the IDs and states of one server, which another server does not have. Hashes stay. */
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
