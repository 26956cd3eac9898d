/** How deep a Markdown text may be nested. */
export const MARKDOWN_DEPTH_LIMIT = 100;

const MARKERS = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t])))+/u;
const MARK = /[[\]]|[*_~]+/gu;
const isSpace = (character: string): boolean => character.trim() === '';

/** The depth of the quotes and lists at the start of a line, and of its indentation. */
function depthOfBlocks(line: string): number {
  const markers = MARKERS.exec(line)?.[0] ?? '';
  const indentation = /^[ \t]*/u.exec(line)?.[0].length ?? 0;
  return (markers.match(/[>\-*+.)]/gu)?.length ?? 0) + Math.floor(indentation / 2);
}

/**
 * The deepest nesting of quotes, lists, brackets and emphasis in a Markdown text. Unclosed marks
 * count too, since a parser searches for their end.
 */
export function markdownDepth(markdown: string): number {
  let deepest = 0;
  let brackets = 0;
  let emphasis = 0;
  for (const line of markdown.split('\n')) {
    // Marks end with their paragraph.
    if (line.trim() === '') [brackets, emphasis] = [0, 0];
    for (const { 0: mark, index } of line.matchAll(MARK)) {
      if (mark === '[') brackets += 1;
      else if (mark === ']') brackets = Math.max(0, brackets - 1);
      else if (!isSpace(line.charAt(index - 1))) emphasis = Math.max(0, emphasis - 1);
      else if (!isSpace(line.charAt(index + mark.length))) emphasis += 1;
      deepest = Math.max(deepest, brackets, emphasis);
    }
    deepest = Math.max(deepest, depthOfBlocks(line));
  }
  return deepest;
}
