import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';
import { nodesOf } from './linear-time/patterns.ts';

/** Idioms that read like a translation, British spellings, and what to write instead. */
const IDIOMS = [
  ['whoever|who (?:asks|cannot)', "'the user', 'anyone' or 'a client that …'"],
  ['anew|once more', "'again', or a verb such as 'restart' or 'rebuild'"],
  ['(?:is|are|was|were) none|there is none', "'is missing', 'is invalid' or 'no … exists'"],
  ['(?:is|are|was|were) told', "'is shown', 'is reported' or 'gets an error'"],
  ['tells of', "'reports', 'shows' or 'lists'"],
  ['by (?:itself|themselves)', "'automatically' or 'alone'"],
  ['for good', "'permanently'"],
  ['nothing of', "'none of', 'no data of' or 'does not …'"],
  ['so many', "'up to N', 'the given number of' or 'is limited'"],
  ['goes on', "'continues', 'resumes' or 'lasts'"],
  ['(?:is|are) gone', "'is deleted', 'is removed' or 'is missing'"],
  ['lets? in|lets through', "'authorizes', 'accepts' or 'allows'"],
  ['is not looked at', "'is skipped'"],
  ['in the long run', "'on average'"],
  ['(?:cannot|could not) be had', "'is unavailable' or 'cannot be loaded'"],
  ['(?:statements|queries) of others', "'other statements' or 'other queries'"],
  ['the version before', "'the previous version'"],
  [
    String.raw`(?:behavi|col|neighb)ours?|(?:recogn|summar|normal|organ)is(?:e[ds]?|ing)|analysed|labelled|misspelt|fulfils?`,
    'the American spelling',
  ],
] as const;

/** A comment may wrap within an idiom. */
const GAP = String.raw`[\s*/#>]+`;
const FOUND = new RegExp(
  IDIOMS.map(([words]) => String.raw`\b(${words.replaceAll(' ', GAP)})\b`).join('|'),
  'giu',
);

const root = path.resolve(import.meta.dirname, '..');
const FILES =
  '{*,{apps,bench,deploy,docs,packages,scripts,sdks,tests}/**/*}.{ts,tsx,mjs,cjs,css,md,py,xml}';
const EXCLUDED = /^(?:node_modules|dist|data|fixtures|\.venv|wording\.ts)$/u;
const TEST = /(?:^|[\\/])tests[\\/]|\.test(?:-setup)?\./u;

/** The text of a test with dots instead of everything but comments and titles, which may be data. */
function withoutData(file: string, text: string): string {
  const { comments, program } = parseSync(file, text);
  const titles = [...nodesOf(program.body)].flatMap(({ callee, arguments: callArguments = [] }) => {
    const name = callee ? text.slice(callee.start, callee.end) : '';
    return callArguments.length > 1 && /^(?:test|it|describe)\b/u.test(name)
      ? callArguments.slice(0, 1)
      : [];
  });
  let prose = '';
  for (const { start, end } of [...comments, ...titles].toSorted((a, b) => a.start - b.start)) {
    prose += text.slice(prose.length, start).replace(/\S/g, '.') + text.slice(start, end);
  }
  return prose;
}

/** A message for each idiom in a text. In tests only comments and titles are checked. */
export function idiomsIn(file: string, text: string): string[] {
  // In Python, `is None` is code.
  let prose = file.endsWith('.py') ? text.replaceAll('is None', 'is null') : text;
  if (prose.search(FOUND) < 0) return [];
  if (TEST.test(file) && !/\.(?:py|md)$/u.test(file)) prose = withoutData(file, text);
  return [...prose.matchAll(FOUND)].map(({ index, 0: words, ...groups }) => {
    const line = prose.slice(0, index).split('\n').length;
    const advice = IDIOMS.find((_, index) => groups[index + 1] !== undefined)?.[1];
    return `${file}:${line}: Instead of '${words.replace(/[\s*/#>]+/gu, ' ')}' write ${advice}.`;
  });
}

/** The idioms in sources and documents, but not in migrations, whose checksums are stored. */
export function idioms(): string[] {
  const exclude = (name: string): boolean => EXCLUDED.test(path.basename(name));
  return globSync(FILES, { cwd: root, exclude }).flatMap((file) =>
    idiomsIn(file, readFileSync(path.join(root, file), 'utf8')),
  );
}
