import path from 'node:path';
import { build } from 'vite';
import { pageFilesPlugin } from './page-files.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Where the program begins. */
export const entry = path.join(root, 'apps/connector/src/bin.ts');

const keyring = path.join(import.meta.dirname, 'keyring-in-program.ts');

/** Bundles the program with all that it imports into one file, and answers where that is. */
export async function bundle(outDir: string, from = entry): Promise<string> {
  await build({
    configFile: false,
    logLevel: 'warn',
    root,
    plugins: [pageFilesPlugin()],
    resolve: { alias: { '@napi-rs/keyring': keyring } },
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: from,
      outDir,
      emptyOutDir: false,
      target: 'node24',
      minify: true,
      rolldownOptions: { output: { entryFileNames: 'connector.mjs', codeSplitting: false } },
    },
  });
  return path.join(outDir, 'connector.mjs');
}
