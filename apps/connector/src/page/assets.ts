import { globSync, readFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import path from 'node:path';

export interface Asset {
  type: string;
  body: string | Buffer;
}

const folder = path.join(import.meta.dirname, 'browser');
const tokens = path.join(import.meta.dirname, '../../../web/src/styles/tokens.css');
const { resolve } = createRequire(import.meta.url);

const DARK = "[data-mantine-color-scheme='dark'] {";

/**
 * The colours and measures of the web app. It sets the dark ones by an attribute, as people choose
 * there; here the system alone chooses.
 */
function tokenStyles(): string {
  const [light, dark] = readFileSync(tokens, 'utf8').split(DARK);
  return `${light}\n@media (prefers-color-scheme: dark) {\n:root {${dark}\n}`;
}

/** In the order in which later ones have the last word. */
const sheets = ['base.css', 'page.css', 'pairing.css', 'dialog.css', 'narrow.css'];

const styles = (): string =>
  [tokenStyles(), ...sheets.map((name) => readFileSync(path.join(folder, name), 'utf8'))].join(
    '\n',
  );

const font = (): Buffer =>
  readFileSync(resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'));

const named: Record<string, () => Asset> = {
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

/** The page's scripts as they are, without their types: nothing has to be built to work on them. */
const scripts = (): string[] => globSync('*.ts', { cwd: folder });

function readScript(address: string): Asset | null {
  const name = address.slice(1);
  if (!scripts().includes(name)) return null;
  const body = stripTypeScriptTypes(readFileSync(path.join(folder, name), 'utf8'));
  return { type: 'text/javascript; charset=utf-8', body };
}

/**
 * Answers a file of the page. The built program has a module of the same shape in this one's place,
 * with all files in it: `scripts/connector/page-files.ts`.
 */
export const readAsset = (address: string): Asset | null =>
  Object.hasOwn(named, address) ? (named[address]?.() ?? null) : readScript(address);
