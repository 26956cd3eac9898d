import path from 'node:path';
import type { Plugin, Rolldown } from 'vite';
import { pages } from '../src/app/pages.ts';
import { paths } from '../src/app/paths.ts';

const sourceFolder = path.resolve(import.meta.dirname, '../src');

/** The font's subset for the app's own texts. */
export const FONT = /inter-latin-wght-normal-.*\.woff2$/u;

export type Bundle = Rolldown.OutputBundle;

/** Adds a chunk to `found`, with all scripts and styles that load together with it. */
export function filesOf(bundle: Bundle, fileName: string, found = new Set<string>()): Set<string> {
  const chunk = bundle[fileName];
  if (chunk?.type !== 'chunk' || found.has(fileName)) return found;
  found.add(fileName);
  for (const imported of chunk.imports) filesOf(bundle, imported, found);
  for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style);
  return found;
}

/** The name of the chunk with a module of `src`. */
export function chunkOf(bundle: Bundle, module: string): string {
  const id = path.join(sourceFolder, module);
  for (const file of Object.values(bundle)) {
    if (file.type === 'chunk' && file.moduleIds.includes(id)) return file.fileName;
  }
  throw new Error(`The build has no chunk with ${module}, which is loaded on its own.`);
}

function linkTo(file: string): string {
  if (file.endsWith('.css')) return `<link rel="stylesheet" crossorigin href="/${file}">`;
  if (file.endsWith('.js')) return `<link rel="modulepreload" crossorigin href="/${file}">`;
  return `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${file}">`;
}

function withLinks(page: string, files: string[]): string {
  const missing = [...new Set(files)].filter((file) => !page.includes(`"/${file}"`));
  return page.replace(
    '</head>',
    `${missing.map((file) => `  ${linkTo(file)}\n  `).join('')}</head>`,
  );
}

/**
 * Writes the app's page once for each address, with that address's scripts and styles in its head, so
 * that browsers request all of them at once. `pages.json` lists the pages for the server.
 */
export const pageHeads = (): Plugin => ({
  name: 'engram:page-heads',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const index = bundle['index.html'];
      if (index?.type !== 'asset') throw new Error('The build has no page.');
      const font = Object.keys(bundle).find((file) => FONT.test(file));
      if (!font) throw new Error('The build has no font.');
      const page = withLinks(String(index.source), [font]);
      index.source = page;

      const heads = Object.entries(pages).map(([name, { file, layout }], number) => {
        const fileName = `pages/${number}.html`;
        const modules = layout ? [layout, file] : [file];
        const files = modules.flatMap((module) => [...filesOf(bundle, chunkOf(bundle, module))]);
        const source = withLinks(page, files);
        this.emitFile({ type: 'asset', fileName, source });
        return { address: paths[name as keyof typeof paths], file: fileName };
      });
      this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(heads) });
    },
  },
});
