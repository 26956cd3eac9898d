import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, type Plugin, type Rolldown, Visitor } from 'vite';
import { paths } from '../src/app/paths.ts';

const app = path.resolve(import.meta.dirname, '../src/app');

/** Of the font's alphabets the one that the app itself is written in. */
const FONT = /inter-latin-wght-normal-.*\.woff2$/u;

type Bundle = Rolldown.OutputBundle;

/** The modules that the router loads for each address, from the outermost layout to the page. */
export function readRoutes(source: string): Map<string, string[]> {
  const loaded = new Map<string, string>();
  const pages = new Map<string, string[]>();
  const around: (string | undefined)[] = [];
  let declared = '';
  new Visitor({
    VariableDeclarator({ id }) {
      if (id.type === 'Identifier') declared = id.name;
    },
    ImportExpression({ source: module }) {
      if (module.type === 'Literal') loaded.set(declared, String(module.value));
    },
    ObjectExpression({ properties }) {
      let address: string | undefined;
      let module: string | undefined;
      for (const property of properties) {
        if (property.type !== 'Property' || property.key.type !== 'Identifier') continue;
        const { key, value } = property;
        if (key.name === 'lazy' && value.type === 'Identifier') module = loaded.get(value.name);
        if (key.name !== 'path' || value.type !== 'MemberExpression') continue;
        if (value.property.type !== 'Identifier') continue;
        address = paths[value.property.name as keyof typeof paths];
      }
      around.push(module);
      if (address !== undefined)
        pages.set(
          address,
          around.filter((one) => one !== undefined),
        );
    },
    'ObjectExpression:exit'() {
      around.pop();
    },
  }).visit(parseSync('router.tsx', source).program);
  return pages;
}

/** A chunk with all scripts and styles that it loads together with itself. */
function filesOf(bundle: Bundle, fileName: string, found = new Set<string>()): Set<string> {
  const chunk = bundle[fileName];
  if (chunk?.type !== 'chunk' || found.has(fileName)) return found;
  found.add(fileName);
  for (const imported of chunk.imports) filesOf(bundle, imported, found);
  for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style);
  return found;
}

function chunkOf(bundle: Bundle, module: string): string {
  const id = path.join(app, module);
  for (const file of Object.values(bundle)) {
    if (file.type === 'chunk' && file.moduleIds.includes(id)) return file.fileName;
  }
  throw new Error(`The build has no chunk with ${module}, which the router loads.`);
}

function linkTo(file: string): string {
  if (file.endsWith('.css')) return `<link rel="stylesheet" crossorigin href="/${file}">`;
  if (file.endsWith('.js')) return `<link rel="modulepreload" crossorigin href="/${file}">`;
  return `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${file}">`;
}

/** Puts links to files at the end of a page's head, as far as it does not name them yet. */
function withLinks(page: string, files: string[]): string {
  const missing = [...new Set(files)].filter((file) => !page.includes(`"/${file}"`));
  return page.replace(
    '</head>',
    `${missing.map((file) => `  ${linkTo(file)}\n  `).join('')}</head>`,
  );
}

/**
 * Writes the app's one page once for each address, with the address's own scripts and styles in its
 * head: a browser then asks for all of them at once, and finds none of them late. `pages.json` tells
 * the server which page is whose.
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

      const routes = readRoutes(readFileSync(path.join(app, 'router.tsx'), 'utf8'));
      const pages = Array.from(routes, ([address, modules], number) => {
        const fileName = `pages/${number}.html`;
        const files = modules.flatMap((module) => [...filesOf(bundle, chunkOf(bundle, module))]);
        const source = withLinks(page, files);
        this.emitFile({ type: 'asset', fileName, source });
        return { address, file: fileName };
      });
      this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(pages) });
    },
  },
});
