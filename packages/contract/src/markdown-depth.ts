/** Quotes, lists and marks of emphasis within each other that a text in Markdown may have. */
export const MARKDOWN_DEPTH_LIMIT = 100;

const MARKERS = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t])))+/u;
const SIGN = /[[\]]|[*_~]+/gu;
const isSpace = (sign: string): boolean => sign.trim() === '';

/** Markers of quotes and lists that a line begins with, and what its indentation stands for. */
function depthOfBlocks(line: string): number {
  const markers = MARKERS.exec(line)?.[0] ?? '';
  const indentation = /^[ \t]*/u.exec(line)?.[0].length ?? 0;
  return (markers.match(/[>\-*+.)]/gu)?.length ?? 0) + Math.floor(indentation / 2);
}

/**
 * How deep quotes, lists, brackets and emphasis of a text in Markdown lie within each other at most;
 * what opens and never closes counts too, since a reader has to look for its end.
 */
export function markdownDepth(markdown: string): number {
  let deepest = 0;
  let brackets = 0;
  let emphasis = 0;
  for (const line of markdown.split('\n')) {
    // A paragraph's marks end with it.
    if (line.trim() === '') [brackets, emphasis] = [0, 0];
    for (const { 0: sign, index } of line.matchAll(SIGN)) {
      if (sign === '[') brackets += 1;
      else if (sign === ']') brackets = Math.max(0, brackets - 1);
      else if (!isSpace(line.charAt(index - 1))) emphasis = Math.max(0, emphasis - 1);
      else if (!isSpace(line.charAt(index + sign.length))) emphasis += 1;
      deepest = Math.max(deepest, brackets, emphasis);
    }
    deepest = Math.max(deepest, depthOfBlocks(line));
  }
  return deepest;
}
