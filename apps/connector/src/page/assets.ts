import { globSync, readFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import path from 'node:path';

interface Asset {
  type: string;
  body: string | Buffer;
}

const folder = path.join(import.meta.dirname, 'browser');
const tokensFile = path.join(import.meta.dirname, '../../../web/src/styles/tokens.css');
const { resolve } = createRequire(import.meta.url);

const DARK_SELECTOR = "[data-mantine-color-scheme='dark'] {";

/** The colors and measures of the web app. Here the system chooses between light and dark. */
function tokenStyles(): string {
  const [light, dark] = readFileSync(tokensFile, 'utf8').split(DARK_SELECTOR);
  return `${light}\n@media (prefers-color-scheme: dark) {\n:root {${dark}\n}`;
}

/** Later sheets override earlier ones. */
const sheets = ['base.css', 'page.css', 'pairing.css', 'dialog.css', 'narrow.css'];

const styles = (): string =>
  [tokenStyles(), ...sheets.map((name) => readFileSync(path.join(folder, name), 'utf8'))].join(
    '\n',
  );

const font = (): Buffer =>
  readFileSync(resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'));

const namedAssets: Record<string, () => Asset> = {
  '/': () => ({
    type: 'text/html; charset=utf-8',
    body: readFileSync(path.join(folder, 'index.html')),
  }),
  '/page.css': () => ({ type: 'text/css; charset=utf-8', body: styles() }),
  '/icon.svg': () => ({
    type: 'image/svg+xml',
    body: readFileSync(path.join(import.meta.dirname, '../../../web/public/icon.svg')),
  }),
  '/inter.woff2': () => ({ type: 'font/woff2', body: font() }),
};

/** The scripts are served without their types, so that nothing has to be built during development. */
const scripts = (): string[] => globSync('*.ts', { cwd: folder });

function readScript(address: string): Asset | null {
  const name = address.slice(1);
  if (!scripts().includes(name)) return null;
  const body = stripTypeScriptTypes(readFileSync(path.join(folder, name), 'utf8'));
  return { type: 'text/javascript; charset=utf-8', body };
}

/**
 * Returns a file of the page. In the built program, `scripts/connector/page-files.ts` replaces this
 * module by one that contains the files.
 */
export const readAsset = (address: string): Asset | null =>
  Object.hasOwn(namedAssets, address) ? (namedAssets[address]?.() ?? null) : readScript(address);
