import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { getRawAsset, isSea } from 'node:sea';
import { cacheFolder } from '../../apps/connector/src/system/home.ts';

/**
 * Replaces `@napi-rs/keyring` in the built program, because it looks for its native module among
 * installed packages. A single executable has it as an asset and writes it to the user's cache once,
 * because native modules load from files only. In the app for macOS it is a file.
 */
const NAME = 'keyring.node';

function extractModule(): string {
  const content = Buffer.from(getRawAsset(NAME));
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
  const folder = cacheFolder();
  const file = path.join(folder, `keyring-${hash}.node`);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, content, { mode: 0o700 });
  renameSync(temporary, file);
  return file;
}

type EntryClass = new (service: string, name: string) => object;

function loadEntry(): EntryClass {
  try {
    const file = isSea() ? extractModule() : path.join(import.meta.dirname, NAME);
    return (createRequire(file)(file) as { Entry: EntryClass }).Entry;
  } catch {
    // The caller then stores the secret in a file.
    return function unavailable() {
      throw new Error('The keychain of this system cannot be reached.');
    } as unknown as EntryClass;
  }
}

export const Entry = loadEntry();
