import {
  cpSync,
  createWriteStream,
  globSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import sharp from 'sharp';
import { build } from 'vite';
import { ZipFile } from 'yazl';
import { contractModules } from '../apps/web/build/contract.ts';
import { type Browser, ICON_SIZES, manifestFor } from '../apps/clipper/src/manifest.ts';
import project from '../package.json' with { type: 'json' };

const root = path.resolve(import.meta.dirname, '..');
const app = path.join(root, 'apps/clipper');
const icon = path.join(root, 'apps/web/public/icons/icon-512.png');

/** A constant, for reproducible archives. */
const mtime = new Date(2026, 0, 1);

async function zip(folder: string): Promise<string> {
  const file = `${folder}.zip`;
  const archive = new ZipFile();
  for (const { parentPath, name } of globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const absolute = path.join(parentPath, name);
    const inZip = path.relative(folder, absolute).replaceAll(path.sep, '/');
    archive.addBuffer(readFileSync(absolute), inZip, { mtime });
  }
  archive.end();
  await finished(archive.outputStream.pipe(createWriteStream(file)));
  return file;
}

/** Builds the browser extension into a folder and a zip for each browser. Returns the zips. */
export async function buildClipper(folder: string): Promise<string[]> {
  const built = path.join(folder, 'chrome');
  await build({
    root: app,
    configFile: false,
    mode: 'production',
    logLevel: 'warn',
    plugins: [contractModules()],
    build: {
      outDir: built,
      emptyOutDir: true,
      target: 'es2023',
      assetsInlineLimit: 0,
      modulePreload: false,
      rolldownOptions: {
        input: [path.join(app, 'popup.html'), path.join(app, 'src/background.ts')],
        output: { entryFileNames: '[name].js' },
      },
    },
  });
  mkdirSync(path.join(built, 'icons'), { recursive: true });
  for (const size of ICON_SIZES) {
    await sharp(icon)
      .resize(size)
      .toFile(path.join(built, `icons/${size}.png`));
  }
  cpSync(built, path.join(folder, 'firefox'), { recursive: true });
  const browsers: Browser[] = ['chrome', 'firefox'];
  return Promise.all(
    browsers.map((browser) => {
      const target = path.join(folder, browser);
      const manifest = JSON.stringify(manifestFor(browser, project.version), null, 2);
      writeFileSync(path.join(target, 'manifest.json'), `${manifest}\n`);
      return zip(target);
    }),
  );
}
