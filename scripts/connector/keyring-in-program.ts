import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { getRawAsset, isSea } from 'node:sea';
import { cacheFolder } from '../../apps/connector/src/system/home.ts';

/**
 * Stands in the built program for `@napi-rs/keyring`, which looks for its native part among
 * installed packages. In a single executable that part is an asset; the system loads files only, so
 * it is written to the person's cache once. In the app for macOS it lies beside the program.
 */
const NAME = 'keyring.node';

function extracted(): string {
  const content = Buffer.from(getRawAsset(NAME));
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
  const folder = cacheFolder();
  const file = path.join(folder, `keyring-${hash}.node`);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const part = `${file}.${process.pid}`;
  writeFileSync(part, content, { mode: 0o700 });
  renameSync(part, file);
  return file;
}

/** What is used of it. */
type EntryClass = new (service: string, name: string) => object;
interface Keyring {
  AsyncEntry: EntryClass;
  Entry: EntryClass;
}

function refuse(): never {
  throw new Error('The keychain of this system cannot be reached.');
}

/** Where it cannot be loaded, whoever opens an entry is told so and keeps the secret elsewhere. */
function load(): Keyring {
  try {
    const file = isSea() ? extracted() : path.join(import.meta.dirname, NAME);
    return createRequire(file)(file) as Keyring;
  } catch {
    const Unreachable = refuse as unknown as EntryClass;
    return { AsyncEntry: Unreachable, Entry: Unreachable };
  }
}

export const { AsyncEntry, Entry } = load();
