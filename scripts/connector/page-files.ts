import path from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';
import { readAsset } from '../../apps/connector/src/page/assets.ts';

const page = path.resolve(import.meta.dirname, '../../apps/connector/src/page');
const SCRIPT = '/main.ts';

/** Bundles the page's scripts into one file. */
async function bundleScripts(): Promise<string> {
  const built = (await build({
    configFile: false,
    logLevel: 'warn',
    root: page,
    build: {
      write: false,
      target: 'es2022',
      rolldownOptions: { input: path.join(page, 'browser/main.ts') },
      modulePreload: { polyfill: false },
    },
  })) as Rolldown.RolldownOutput;
  return built.output[0].code;
}

/** The files of the page by address. */
async function pageFiles(): Promise<Record<string, { type: string; body: string }>> {
  const files: Record<string, { type: string; body: string }> = {};
  for (const address of ['/', '/page.css', '/icon.svg', '/inter.woff2']) {
    const asset = readAsset(address);
    if (!asset) throw new Error(`The page has no ${address}.`);
    files[address] = { type: asset.type, body: Buffer.from(asset.body).toString('base64') };
  }
  const script = Buffer.from(await bundleScripts()).toString('base64');
  files[SCRIPT] = { type: 'text/javascript; charset=utf-8', body: script };
  return files;
}

/** Embeds the page's files in the program, replacing the module that reads them from disk. */
export function pageFilesPlugin(): Plugin {
  const assets = path.join(page, 'assets.ts');
  return {
    name: 'engram:page-files',
    async load(id) {
      if (path.normalize(id) !== assets) return null;
      this.addWatchFile(assets);
      return `
        const files = ${JSON.stringify(await pageFiles())};
        export const readAsset = (address) =>
          Object.hasOwn(files, address)
            ? { type: files[address].type, body: Buffer.from(files[address].body, 'base64') }
            : null;
      `;
    },
  };
}
