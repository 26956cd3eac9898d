const BEGIN = '\x13';
const SEPARATOR = '\x14';
const END = '\x15';

/**
 * A text with its fields' results, as they are shown, and without their codes; all else keeps its
 * place, and what is left out is NUL. A mark without its counterpart counts for nothing.
 */
export function withResults(text: string): string {
  const open: { at: number; separator: number | null }[] = [];
  const codes: { from: number; to: number }[] = [];
  for (const { 0: mark, index } of text.matchAll(/\p{Cc}/gu)) {
    const field = open.at(-1);
    if (mark === BEGIN) open.push({ at: index, separator: null });
    else if (mark === SEPARATOR && field !== undefined) field.separator ??= index;
    else if (mark === END && field !== undefined) {
      open.pop();
      codes.push({ from: field.at, to: (field.separator ?? index) + 1 });
    }
  }
  const parts: string[] = [];
  let at = 0;
  for (const { from, to } of codes.sort((one, other) => one.from - other.from)) {
    if (from < at) continue;
    parts.push(text.slice(at, from), '\0'.repeat(to - from));
    at = to;
  }
  parts.push(text.slice(at));
  return parts.join('');
}
