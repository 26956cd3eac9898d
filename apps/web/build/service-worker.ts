import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build, type Plugin } from 'vite';
import { chunkOf, filesOf, FONT, type Bundle } from './page-heads.ts';

const source = path.resolve(import.meta.dirname, '../src');
const publicFolder = path.resolve(import.meta.dirname, '../public');

/**
 * Modules whose chunks are cached for visits without a network: the layouts, the pages that users
 * arrive at, and those for shared files. Others are cached once they were visited.
 */
const CACHED_MODULES = [
  'app/public-layout.tsx',
  'app/signed-in-layout.tsx',
  'app/login-page.tsx',
  'app/home-page.tsx',
  'app/search-page.tsx',
  'app/shown-answer.tsx',
  'app/share-page.tsx',
  'features/upload/components/upload-panel.tsx',
  'app/toasts.tsx',
  'features/installation/components/notices.tsx',
];
/** Files of `public` that the page loads. */
const CACHED_FILES = ['color-scheme.js', 'icon.svg', 'manifest.webmanifest'];

function entryOf(bundle: Bundle): string {
  const entry = Object.values(bundle).find((file) => file.type === 'chunk' && file.isEntry);
  if (!entry) throw new Error('The build has no entry.');
  return entry.fileName;
}

function cachedAssets(bundle: Bundle, entry: string): string[] {
  const found = filesOf(bundle, entry);
  for (const module of CACHED_MODULES) filesOf(bundle, chunkOf(bundle, module), found);
  for (const fileName of Object.keys(bundle)) if (FONT.test(fileName)) found.add(fileName);
  return [...found].toSorted();
}

async function bundleWorker(cached: object): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    root: source,
    publicDir: false,
    define: { BUILD: JSON.stringify(cached) },
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

/** Adds the service worker to a build, at the root, because it handles all addresses below its own. */
export const serviceWorker = (): Plugin => ({
  name: 'engram:service-worker',
  apply: 'build',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    async handler(_, bundle) {
      const entry = entryOf(bundle);
      const assets = cachedAssets(bundle, entry);
      const page = bundle['index.html'];
      const version = createHash('sha256').update(JSON.stringify(assets));
      if (page?.type === 'asset') version.update(page.source);
      for (const file of CACHED_FILES) version.update(readFileSync(path.join(publicFolder, file)));
      this.emitFile({
        type: 'asset',
        fileName: 'service-worker.js',
        source: await bundleWorker({
          version: version.digest('hex').slice(0, 12),
          entry: `/${entry}`,
          assets: assets.map((file) => `/${file}`),
          files: CACHED_FILES.map((file) => `/${file}`),
        }),
      });
    },
  },
});
