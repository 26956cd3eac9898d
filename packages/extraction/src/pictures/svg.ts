/** What may stand before the first element of an XML file, and how each ends. */
const BEFORE_ROOT: readonly (readonly [begin: RegExp, end: RegExp])[] = [
  [/<\?/y, /\?>/g],
  [/<!--/y, /-->/g],
  [/<!doctype(?!\s+html\b)[^[>]*>/iy, /(?<=>)/g],
  [/<!doctype(?!\s+html\b)[^[>]*\[/iy, /\]\s*>/g],
];
const BLANK = /\s*/y;
const ROOT = /<(?:[\w.-]{1,40}:)?svg(?=[\s/>])/iy;

/** Where a match of a sticky pattern ends, or of a global one that is searched for; -1 without one. */
function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  const found = pattern.exec(text);
  return found ? found.index + found[0].length : -1;
}

/** Whether the first element is svg, in linear time. A `cut` text without any counts as a drawing. */
export function isDrawing(text: string, { cut = false } = {}): boolean {
  let at = endOf(BLANK, text, 0);
  for (;;) {
    const found = BEFORE_ROOT.find(([begin]) => endOf(begin, text, at) !== -1);
    if (!found) return endOf(ROOT, text, at) !== -1;
    const end = endOf(found[1], text, endOf(found[0], text, at));
    if (end === -1) return cut;
    at = endOf(BLANK, text, end);
    if (at === text.length) return cut;
  }
}
