import { chmodSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** What the Connector takes from its surroundings to know where its own things are. */
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

/** Makes the folder, and sees to it that nobody else looks into it. */
export function openHome(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Windows keeps a person's own folders from others by itself, and knows no such modes.
  if (process.platform !== 'win32') chmodSync(folder, 0o700);
  return folder;
}
