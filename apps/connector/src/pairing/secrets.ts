import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Tokens } from '@engram/client';
import { openHome } from '../system/home.ts';

/** The credentials: tokens that are renewed, or an API key. */
export type Secret = { kind: 'key'; key: string } | Tokens;

export interface Secrets {
  read(): Secret | null;
  /** Returns once the secret is stored durably. */
  write(secret: Secret): void;
  forget(): void;
  readonly location: string;
}

/** One entry of a system's keychain. */
export interface KeychainEntry {
  getPassword(): string | null;
  setPassword(value: string): void;
  deletePassword(): unknown;
}

const SERVICE = 'Engram Connector';

/** A file that only its user can read, for systems without a keychain. */
function openFileSecrets(home: string): Secrets {
  const file = path.join(home, 'secret.json');
  return {
    location: `The secret is stored in ${file}, which only you can open, because no keychain is available.`,
    read: () => {
      try {
        return JSON.parse(readFileSync(file, 'utf8')) as Secret;
      } catch {
        return null;
      }
    },
    write: (secret) => {
      const temporary = path.join(openHome(home), 'secret.json.new');
      rmSync(temporary, { force: true });
      writeFileSync(temporary, JSON.stringify(secret), { mode: 0o600, flush: true });
      if (process.platform !== 'win32') chmodSync(temporary, 0o600);
      renameSync(temporary, file);
    },
    forget: () => rmSync(file, { force: true }),
  };
}

function openKeychainSecrets(entry: KeychainEntry): Secrets {
  return {
    location: 'The secret is stored in the keychain of this system.',
    read: () => {
      const text = entry.getPassword();
      return text === null ? null : (JSON.parse(text) as Secret);
    },
    write: (secret) => entry.setPassword(JSON.stringify(secret)),
    forget: () => void entry.deletePassword(),
  };
}

/** The keychain entry of this data folder, or null without a working keychain. */
export async function openKeychain(home: string): Promise<KeychainEntry | null> {
  try {
    const { Entry } = await import('@napi-rs/keyring');
    // Only writing shows whether a keychain works.
    const probe = new Entry(SERVICE, `${home} (check)`);
    probe.setPassword('works');
    const works = probe.getPassword() === 'works';
    probe.deletePassword();
    return works ? new Entry(SERVICE, home) : null;
  } catch {
    return null;
  }
}

/** Stores the secret in the keychain or a file. A secret that is in a file stays there. */
export function openSecrets(home: string, keychain: KeychainEntry | null): Secrets {
  const file = openFileSecrets(home);
  return keychain === null || file.read() !== null ? file : openKeychainSecrets(keychain);
}
