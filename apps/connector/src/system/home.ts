import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { IGNORE_FILE } from '@engram/folder-sync';

/** The environment that decides where the Connector stores its files. */
interface SystemEnvironment {
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  home: string;
}

const currentSystem = (): SystemEnvironment => ({
  env: process.env,
  platform: process.platform,
  home: homedir(),
});

/** The Connector's data folder: ENGRAM_CONNECTOR_HOME, or the system's folder for settings. */
export function connectorHome(
  { env, platform, home }: SystemEnvironment = currentSystem(),
): string {
  if (env['ENGRAM_CONNECTOR_HOME']) return path.resolve(env['ENGRAM_CONNECTOR_HOME']);
  const name = 'engram-connector';
  if (platform === 'win32') {
    return path.join(env['LOCALAPPDATA'] || path.join(home, 'AppData', 'Local'), name);
  }
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', name);
  return path.join(env['XDG_CONFIG_HOME'] || path.join(home, '.config'), name);
}

/** The cache of the built program's native module, which systems load from files only. */
export function cacheFolder({ env, platform, home }: SystemEnvironment = currentSystem()): string {
  const cache =
    env['LOCALAPPDATA'] ||
    env['XDG_CACHE_HOME'] ||
    path.join(home, platform === 'win32' ? 'AppData/Local' : '.cache');
  return path.join(cache, 'engram-connector-cache');
}

/** Creates the folder for its owner only, and excludes it from syncing. */
export function openHome(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(path.join(folder, IGNORE_FILE), '*\n', { mode: 0o600 });
  // Windows has no such modes. A user's folders are private there.
  if (process.platform === 'win32') return folder;
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isFile()) chmodSync(path.join(folder, entry.name), 0o600);
  }
  return folder;
}

/** Deletes the stored files and the native module. The lock stays, because the caller holds it. */
export function emptyHome(folder: string): void {
  for (const name of [IGNORE_FILE, 'state.sqlite', 'state.sqlite-wal', 'state.sqlite-shm']) {
    rmSync(path.join(folder, name), { force: true });
  }
  try {
    rmSync(cacheFolder(), { recursive: true, force: true });
  } catch {
    // Windows releases loaded files only when the program exits.
  }
}
