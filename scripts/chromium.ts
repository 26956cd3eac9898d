import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';

/**
 * Possible paths of a Chromium. Debian's build without windows comes first, because it renders a page
 * twice as fast as Chromium, which also renders its own window for each context.
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

/** The path of an installed Chromium, or null. */
export const findChromium = (): string | null =>
  candidates().find((file) => file !== '' && existsSync(file)) ?? null;

/** The path of an installed Chromium. Throws if none is executable. */
export function requireChromium(): string {
  const executable = findChromium();
  if (!executable) throw new Error('No Chromium was executable. Set CHROMIUM_PATH to one.');
  return executable;
}

const run = (command: string, args: string[]): boolean =>
  spawnSync(command, args, { stdio: 'inherit' }).status === 0;

/** Installs a Chromium: Debian's package if possible, otherwise Playwright's. Returns its path. */
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
