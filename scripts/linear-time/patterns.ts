import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAst } from 'vite';

/** A regular expression of the source, and where it stands: 'file:line'. */
export interface Pattern {
  place: string;
  pattern: RegExp;
}

const root = path.resolve(import.meta.dirname, '../..');

const SOURCES = ['packages/*/src/**/*.{ts,tsx}', 'apps/*/src/**/*.{ts,tsx}'];
/** Tests and what only they use. */
const OF_TESTS = /[\\/]tests[\\/]/u;

interface SyntaxNode {
  type: string;
  start: number;
  regex?: { pattern: string; flags: string };
  callee?: { name?: string };
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value;

function* nodesOf(value: unknown): Generator<SyntaxNode> {
  if (isNode(value)) yield value;
  if (typeof value === 'object' && value !== null) {
    for (const child of Object.values(value)) yield* nodesOf(child);
  }
}

const placeOf = (file: string, text: string, offset: number): string =>
  `${file}:${text.slice(0, offset).split('\n').length}`;

export interface Sources {
  literals: Pattern[];
  /** Where patterns are put together by the constructor: 'file:line'. */
  constructed: string[];
}

/** Every regular expression that stands in the source of the product. */
export function patternsInSource(): Sources {
  const literals: Pattern[] = [];
  const constructed: string[] = [];
  for (const file of globSync(SOURCES, { cwd: root })) {
    if (OF_TESTS.test(file)) continue;
    const text = readFileSync(path.join(root, file), 'utf8');
    const lang = file.endsWith('x') ? 'tsx' : 'ts';
    for (const { type, start, regex, callee } of nodesOf(parseAst(text, { lang }).body)) {
      const place = (): string => placeOf(file, text, start);
      if (regex) literals.push({ place: place(), pattern: new RegExp(regex.pattern, regex.flags) });
      else if (/^(?:New|Call)Expression$/u.test(type) && callee?.name === 'RegExp') {
        constructed.push(place());
      }
    }
  }
  return { literals, constructed };
}

/** The place of the source that called the constructor, from the stack. */
function caller(): string {
  const frames = (new Error('where').stack ?? '').split('\n');
  const frame = frames.find((line) => line.includes(root) && !line.includes(import.meta.filename));
  const [, file, line] =
    /(?:file:\/\/|\()(\/[^():?]+)(?:\?patterns)?:(\d+):\d+/u.exec(frame ?? '') ?? [];
  return file === undefined ? '' : `${path.relative(root, file)}:${line}`;
}

/**
 * What the modules of these places construct when they are loaded, or later in `use`, which is for
 * what a module makes only when it is first needed.
 */
export async function patternsConstructed(
  places: readonly string[],
  use: () => Promise<void>,
): Promise<Pattern[]> {
  const found: Pattern[] = [];
  const { RegExp: original } = globalThis;
  globalThis.RegExp = new Proxy(original, {
    construct(target, [source, flags]: [string, string?]) {
      const pattern = new target(source, flags);
      found.push({ place: caller(), pattern });
      return pattern;
    },
  });
  try {
    for (const file of new Set(places.map((place) => place.replace(/:\d+$/u, '')))) {
      // Anew, also where it was loaded before.
      await import(`${path.join(root, file)}?patterns`);
    }
    await use();
  } finally {
    globalThis.RegExp = original;
  }
  return found.filter(({ place }) => places.includes(place));
}
