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

/**
 * A Chromium that loads extensions, or null. The headless shell cannot, and Google's own build ignores
 * the flag for it.
 */
export const findFullChromium = (): string | null =>
  candidates().find(
    (file) => file !== '' && !/headless|google|Google/u.test(file) && existsSync(file),
  ) ?? null;

/** The path of an installed Chromium. Throws if there is no Chromium. */
export function requireChromium(): string {
  const chromiumPath = findChromium();
  if (!chromiumPath) throw new Error('No Chromium was found. Set CHROMIUM_PATH to one.');
  return chromiumPath;
}

const run = (command: string, args: string[]): boolean =>
  spawnSync(command, args, { stdio: 'inherit' }).status === 0;

/** Installs the Debian package of a browser, if that is possible. */
const installPackage = (name: string, ...options: string[]): boolean =>
  existsSync('/usr/bin/apt-get') &&
  process.getuid?.() === 0 &&
  run('apt-get', ['update', '-q']) &&
  run('apt-get', ['install', '-qy', ...options, name]);

/** Installs a Chromium that loads extensions, where Debian has one. */
export function installFullChromium(): string | null {
  installPackage('chromium', '--no-install-recommends');
  return findFullChromium();
}

/** Installs a Chromium: Debian's package if possible, otherwise Playwright's. Returns its path. */
export function installChromium(): string | null {
  if (installPackage('chromium-headless-shell') || installPackage('chromium')) {
    return findChromium();
  }
  const cli = path.resolve(import.meta.dirname, '../node_modules/playwright-core/cli.js');
  run(process.execPath, [cli, 'install', '--with-deps', 'chromium']);
  return findChromium();
}
