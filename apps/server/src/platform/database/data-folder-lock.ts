import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const SQLITE_BUSY = 5;

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}

/**
 * Locks a data folder for this process, and creates it if necessary. SQLite locks the file `lock` through
 * the kernel, so a crash leaves no stale lock.
 * @throws Error if another process holds the lock
 */
export function lockDataFolder(dataDir: string) {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(join(dataDir, 'lock'));
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    throw new Error(
      `The data folder ${dataDir} is in use by another running Engram. Stop that one first, or set ENGRAM_DATA_DIR to another folder.`,
      { cause: error },
    );
  }
  return {
    release(): void {
      if (database.isOpen) database.close();
    },
  };
}
