import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { IGNORE_FILE } from '@engram/folder-sync';

/** The environment that decides where the Connector stores its files. */
export interface Surroundings {
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  home: string;
}

const here = (): Surroundings => ({
  env: process.env,
  platform: process.platform,
  home: homedir(),
});

/** The folder of what the Connector keeps: ENGRAM_CONNECTOR_HOME, or where this system keeps settings. */
export function connectorHome({ env, platform, home }: Surroundings = here()): string {
  if (env['ENGRAM_CONNECTOR_HOME']) return path.resolve(env['ENGRAM_CONNECTOR_HOME']);
  const name = 'engram-connector';
  if (platform === 'win32') {
    return path.join(env['LOCALAPPDATA'] || path.join(home, 'AppData', 'Local'), name);
  }
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', name);
  return path.join(env['XDG_CONFIG_HOME'] || path.join(home, '.config'), name);
}

/** Where the built program keeps its native part, which systems load from files only. */
export function cacheFolder({ env, platform, home }: Surroundings = here()): string {
  const cache =
    env['LOCALAPPDATA'] ||
    env['XDG_CACHE_HOME'] ||
    path.join(home, platform === 'win32' ? 'AppData/Local' : '.cache');
  return path.join(cache, 'engram-connector-cache');
}

/** Creates the folder. Only its owner can open it, and no folder that holds it sends what is in it. */
export function openHome(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(path.join(folder, IGNORE_FILE), '*\n', { mode: 0o600 });
  // Windows has no such modes. A user's own folders are private there.
  if (process.platform === 'win32') return folder;
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isFile()) chmodSync(path.join(folder, entry.name), 0o600);
  }
  return folder;
}

/** Removes the stored files and the native part. The lock stays, because the caller holds it. */
export function emptyHome(folder: string): void {
  for (const name of [IGNORE_FILE, 'state.sqlite', 'state.sqlite-wal', 'state.sqlite-shm']) {
    rmSync(path.join(folder, name), { force: true });
  }
  try {
    rmSync(cacheFolder(), { recursive: true, force: true });
  } catch {
    // Windows lets go of what a program has loaded only when that ends.
  }
}
