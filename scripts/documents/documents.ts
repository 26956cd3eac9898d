import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** A fenced block of code in a document. */
export interface CodeBlock {
  /** Such as docs/how-to/set-a-model.md:20. */
  place: string;
  /** Such as sh; empty if the fence has none. */
  language: string;
  /** Without the indentation of the fence. */
  code: string;
}

/** Documents that name commands, settings, calls, files or tests, relative to the root of the checkout. */
export const documents: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'docs/security.md',
  'docs/spec-coverage.md',
  ...globSync('docs/how-to/*.md', { cwd: root }).toSorted(),
  'packages/client/README.md',
  'sdks/python/README.md',
];

/** The text of a file of the checkout. */
export const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

const FENCE = /^([ \t]*)```(\w*)\n(.*?)^[ \t]*```$/gmsu;

/** The code blocks of a document. */
export function codeBlocks(document: string): CodeBlock[] {
  const text = read(document);
  return [...text.matchAll(FENCE)].map(
    ({ index, 1: indent = '', 2: language = '', 3: code = '' }) => {
      const line = text.slice(0, index).split('\n').length;
      return {
        place: `${document}:${line}`,
        language,
        code: code.replaceAll(new RegExp(`^${indent}`, 'gmu'), ''),
      };
    },
  );
}

const DOCUMENTATION = 'apps/web/src/features/documentation';

/** The code of an SDK on the page /documentation: setup, start and stream. */
export const shownCode = (sdk: 'typescript' | 'python'): Record<string, string> =>
  JSON.parse(read(`${DOCUMENTATION}/${sdk}-sdk.json`)) as Record<string, string>;
