import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';

const source = path.resolve(import.meta.dirname, '../src');
const publicFolder = path.resolve(import.meta.dirname, '../public');

/**
 * Modules whose chunks are kept for a visit without a network: what stands around every page, the
 * pages that one arrives at, and what takes what was shared. Others are kept once they were visited.
 */
const KEPT_MODULES = [
  'app/public-layout.tsx',
  'app/signed-in-layout.tsx',
  'app/login-page.tsx',
  'app/home-page.tsx',
  'app/search-page.tsx',
  'app/shown-answer.tsx',
  'app/missing-answer.tsx',
  'app/share-page.tsx',
  'app/upload-panel-host.tsx',
  'app/toasts.tsx',
  'app/installation.tsx',
];
/** Of the font's alphabets the one that the app itself is written in. */
const KEPT_FONT = /inter-latin-wght-normal-.*\.woff2$/u;
/** Files of `public` that the page asks for. */
const KEPT_FILES = ['color-scheme.js', 'icon.svg', 'manifest.webmanifest'];

type Bundle = Rolldown.OutputBundle;

/** A chunk with everything that it loads together with itself. */
function collect(bundle: Bundle, fileName: string, found: Set<string>): void {
  const chunk = bundle[fileName];
  if (found.has(fileName) || chunk?.type !== 'chunk') return;
  found.add(fileName);
  for (const css of chunk.viteMetadata?.importedCss ?? []) found.add(css);
  for (const imported of chunk.imports) collect(bundle, imported, found);
}

function entryOf(bundle: Bundle): string {
  const entry = Object.values(bundle).find((file) => file.type === 'chunk' && file.isEntry);
  if (!entry) throw new Error('The build has no entry.');
  return entry.fileName;
}

function keptAssets(bundle: Bundle, entry: string): string[] {
  const found = new Set<string>();
  collect(bundle, entry, found);
  for (const module of KEPT_MODULES) {
    const chunk = Object.values(bundle).find(
      (file) => file.type === 'chunk' && file.facadeModuleId === path.join(source, module),
    );
    if (!chunk)
      throw new Error(`${module} has no chunk of its own for the service worker to keep.`);
    collect(bundle, chunk.fileName, found);
  }
  for (const fileName of Object.keys(bundle)) if (KEPT_FONT.test(fileName)) found.add(fileName);
  return [...found].toSorted();
}

/** The worker as one script, with the list of what it keeps put in. */
async function bundleWorker(kept: object): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    root: source,
    publicDir: false,
    define: { BUILD: JSON.stringify(kept) },
    build: {
      write: false,
      target: 'es2023',
      rolldownOptions: {
        input: path.join(source, 'service-worker/service-worker.ts'),
        output: { format: 'iife' },
      },
    },
  });
  const [output] = [result].flat();
  const script = output && 'output' in output ? output.output[0] : undefined;
  if (script?.type !== 'chunk') throw new Error('The service worker could not be built.');
  return script.code;
}

/** Adds the service worker to a build, at the root, since it serves the addresses below its own. */
export const serviceWorker = (): Plugin => ({
  name: 'engram:service-worker',
  apply: 'build',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    async handler(_, bundle) {
      const entry = entryOf(bundle);
      const assets = keptAssets(bundle, entry);
      const page = bundle['index.html'];
      const version = createHash('sha256').update(JSON.stringify(assets));
      if (page?.type === 'asset') version.update(page.source);
      for (const file of KEPT_FILES) version.update(readFileSync(path.join(publicFolder, file)));
      this.emitFile({
        type: 'asset',
        fileName: 'service-worker.js',
        source: await bundleWorker({
          version: version.digest('hex').slice(0, 12),
          entry: `/${entry}`,
          assets: assets.map((file) => `/${file}`),
          files: KEPT_FILES.map((file) => `/${file}`),
        }),
      });
    },
  },
});
