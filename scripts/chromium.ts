import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';

/**
 * Where a Chromium may be. Debian's build without windows comes first: a page takes it half the time,
 * because Chromium also renders its own window for each context.
 */
const candidates = (): string[] => [
  process.env['CHROMIUM_PATH'] ?? '',
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  String.raw`C:\Program Files\Google\Chrome\Application\chrome.exe`,
  chromium.executablePath(),
];

/** A Chromium of this machine, or null. */
export const findChromium = (): string | null =>
  candidates().find((file) => file !== '' && existsSync(file)) ?? null;

/** A Chromium of this machine. Throws if none is found. */
export function requireChromium(): string {
  const found = findChromium();
  if (!found) throw new Error('No Chromium was found. Set CHROMIUM_PATH to one.');
  return found;
}

const run = (command: string, args: string[]): boolean =>
  spawnSync(command, args, { stdio: 'inherit' }).status === 0;

/** Installs a Chromium: Debian's package where that is possible, else the test library's own. */
export function installChromium(): string | null {
  const debian = existsSync('/usr/bin/apt-get') && process.getuid?.() === 0;
  const install = (name: string): boolean => run('apt-get', ['install', '-qy', name]);
  if (
    debian &&
    run('apt-get', ['update', '-q']) &&
    (install('chromium-headless-shell') || install('chromium'))
  ) {
    return findChromium();
  }
  const cli = path.resolve(import.meta.dirname, '../node_modules/playwright-core/cli.js');
  run(process.execPath, [cli, 'install', '--with-deps', 'chromium']);
  return findChromium();
}
