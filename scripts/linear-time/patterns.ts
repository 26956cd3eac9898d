import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { analyse } from 'scslre';
import { parseAst } from 'vite';

const root = path.resolve(import.meta.dirname, '../..');

interface Pattern {
  file: string;
  pattern: RegExp;
}

interface SyntaxNode {
  start: number;
  end: number;
  name?: string;
  regex?: { pattern: string; flags: string };
  callee?: SyntaxNode;
  arguments?: SyntaxNode[];
}

/** The nodes of a syntax tree, from the outside in. */
export function* nodesOf(value: unknown): Generator<SyntaxNode> {
  if (typeof value !== 'object' || value === null) return;
  yield value as SyntaxNode;
  for (const child of Object.values(value)) yield* nodesOf(child);
}

/** Why a pattern may take more than linear time, or undefined. */
export function superLinear(pattern: RegExp): string | undefined {
  const { reports } = analyse(pattern, {
    reportTypes: { Move: true, Self: true, Trade: true },
    assumeRejectingSuffix: false,
  });
  return reports[0] && `backtracks over many ${JSON.stringify(reports[0].character.pick)}`;
}

/** The patterns that modules construct when they are loaded. */
async function patternsConstructedBy(files: readonly string[]): Promise<Pattern[]> {
  const patterns: Pattern[] = [];
  const { RegExp: original } = globalThis;
  let current = '';
  globalThis.RegExp = new Proxy(original, {
    construct(target, [source, flags]: [string, string?]) {
      const pattern = new target(source, flags);
      const [, , caller] = (new Error('caller').stack ?? '').split('\n');
      if (caller?.includes(current)) patterns.push({ file: current, pattern });
      return pattern;
    },
  });
  try {
    for (const file of files) {
      current = file;
      // The query loads the module again if it is already loaded.
      await import(`${path.join(root, file)}?patterns`);
    }
  } finally {
    globalThis.RegExp = original;
  }
  return patterns;
}

/**
 * A message for each regular expression of the product that may take more than linear time. Patterns
 * that are constructed after their module is loaded are not checked.
 */
export async function superLinearPatterns(): Promise<string[]> {
  const patterns: Pattern[] = [];
  const constructing: string[] = [];
  for (const file of globSync('{packages,apps}/*/src/**/*.{ts,tsx}', { cwd: root })) {
    if (/[\\/]tests[\\/]/u.test(file)) continue;
    const text = readFileSync(path.join(root, file), 'utf8');
    const nodes = [...nodesOf(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }).body)];
    for (const { regex } of nodes) {
      if (regex) patterns.push({ file, pattern: new RegExp(regex.pattern, regex.flags) });
    }
    if (nodes.some(({ callee }) => callee?.name === 'RegExp')) constructing.push(file);
  }
  patterns.push(...(await patternsConstructedBy(constructing)));
  return patterns.flatMap(({ file, pattern }) => {
    const reason = superLinear(pattern);
    return reason === undefined ? [] : [`${file}: ${String(pattern).slice(0, 200)} ${reason}.`];
  });
}
