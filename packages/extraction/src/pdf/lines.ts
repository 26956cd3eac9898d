/** A line of text. Coordinates are rotated so that text runs along x. */
export interface PdfLine {
  /** The text, with cells separated by tabs. */
  text: string;
  cells: { left: number; right: number; text: string }[];
  left: number;
  right: number;
  /** Base line, higher is up. */
  y: number;
  /** Main font size in points. */
  size: number;
  /** Text direction in whole degrees, 0 to the right. */
  angle: number;
  /** The font, or null if mixed. */
  font: string | null;
}

interface Run {
  text: string;
  left: number;
  right: number;
  y: number;
  size: number;
  angle: number;
  font: string;
}

/** Minimum gap between cells, in font sizes. */
const MIN_CELL_GAP = 1.7;
const MIN_WORD_GAP = 0.14;
/** Maximum offset of text that is drawn twice for effect. */
const MAX_REDRAW_OFFSET = 0.1;
const MAX_SKEW_DEGREES = 5;
/** Maximum difference of gaps in a justified line. */
const MAX_GAP_DIFFERENCE = 0.06;

/** Joins items to lines in drawing order, which is the order of the text layer in viewers. */
export function linesOf(items: readonly PdfItem[]): PdfLine[] {
  const lines: PdfLine[] = [];
  let runs: Run[] = [];
  let spaced = false;
  let previous = '';
  for (const [index, item] of items.entries()) {
    const text = readable(item, previous, items[index + 1]?.str ?? '');
    previous = item.str;
    if (text.trim() === '') {
      if (text !== '') spaced = true;
      continue;
    }
    const run = runOf(item, text, spaced);
    spaced = false;
    if (runs.some((drawn) => isDrawnAgain(drawn, run))) continue;
    if (runs.length > 0 && !continues(runs, run)) {
      lines.push(lineOf(runs));
      runs = [];
    }
    runs.push(run);
  }
  if (runs.length > 0) lines.push(lineOf(runs));
  return lines;
}

function runOf(item: PdfItem, text: string, spaced: boolean): Run {
  const { transform, width, fontName = '' } = item;
  const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = transform;
  const radians = Math.atan2(b, a);
  const along = x * Math.cos(radians) + y * Math.sin(radians);
  return {
    text: spaced ? ` ${text}` : text,
    left: along,
    right: along + width,
    y: y * Math.cos(radians) - x * Math.sin(radians),
    size: Math.hypot(c, d) || 1,
    angle: upright((radians * 180) / Math.PI),
    font: fontName,
  };
}

/** Rounds to whole degrees and straightens scans. */
function upright(degrees: number): number {
  const quarter = Math.round(degrees / 90) * 90;
  const angle = Math.abs(degrees - quarter) < MAX_SKEW_DEGREES ? quarter : Math.round(degrees);
  return (angle + 360) % 360;
}

function isDrawnAgain(drawn: Run, run: Run): boolean {
  const near = Math.min(run.size * MAX_REDRAW_OFFSET, (run.right - run.left) / 2);
  return (
    Math.abs(drawn.left - run.left) < near &&
    Math.abs(drawn.y - run.y) < near &&
    drawn.angle === run.angle &&
    drawn.text.trim() === run.text.trim()
  );
}

function continues(runs: Run[], next: Run): boolean {
  const last = runs[runs.length - 1] as Run;
  if (last.angle !== next.angle) return false;
  const base = runs.reduce((largest, run) => (run.size > largest.size ? run : largest));
  const size = Math.max(base.size, next.size);
  // Small text may be an exponent, index or footnote mark.
  const reach = next.size < base.size * 0.85 || base.size < next.size * 0.85 ? 0.8 : 0.5;
  if (Math.abs(base.y - next.y) > size * reach) return false;
  // Superscripts may overlap. A jump back begins a new line.
  const forward = next.left >= last.right - size * 0.6;
  const backward = next.right <= last.left + size * 0.6;
  return forward || (backward && isRightToLeft(next.text + last.text));
}

function lineOf(runs: Run[]): PdfLine {
  let cells: PdfLine['cells'] = [];
  for (const [index, run] of runs.entries()) {
    const previous = runs[index - 1];
    const cell = cells.at(-1);
    const gap = previous === undefined ? Infinity : gapBetween(previous, run);
    if (cell === undefined || gap > MIN_CELL_GAP * run.size) {
      cells.push({ left: run.left, right: run.right, text: run.text });
      continue;
    }
    const needsSpace =
      gap > MIN_WORD_GAP * run.size ||
      isRightToLeft(previous?.text ?? '') !== isRightToLeft(run.text);
    cell.text += needsSpace && /[^\s\p{P}]/u.test(run.text.slice(0, 1)) ? ` ${run.text}` : run.text;
    cell.left = Math.min(cell.left, run.left);
    cell.right = Math.max(cell.right, run.right);
  }
  for (const cell of cells) cell.text = cell.text.replace(/\s+/gu, ' ').trim();
  if (isJustified(cells, runs)) cells = [oneCell(cells)];
  const main = runs.reduce((max, run) => (run.text.length > max.text.length ? run : max));
  return {
    text: cells.map((cell) => cell.text).join('\t'),
    cells,
    left: Math.min(...cells.map((cell) => cell.left)),
    right: Math.max(...cells.map((cell) => cell.right)),
    y: main.y,
    size: main.size,
    angle: main.angle,
    font: runs.every((run) => run.font === main.font) ? main.font : null,
  };
}

/** Whether the gaps between words are equal, as in justified text. */
function isJustified(cells: PdfLine['cells'], runs: Run[]): boolean {
  if (cells.length < 3 || cells.some((cell) => cell.text.includes(' '))) return false;
  if (isRightToLeft(runs[0]?.text ?? '')) return false;
  const words = cells.filter(({ text }) => /\p{Ll}{2}/u.test(text));
  if (words.length * 2 < cells.length) return false;
  const gaps = cells.slice(1).map((cell, index) => cell.left - (cells[index]?.right ?? 0));
  const widest = Math.max(...gaps);
  return widest - Math.min(...gaps) <= widest * MAX_GAP_DIFFERENCE;
}

export function oneCell(cells: PdfLine['cells']): PdfLine['cells'][number] {
  return {
    left: Math.min(...cells.map((cell) => cell.left)),
    right: Math.max(...cells.map((cell) => cell.right)),
    text: cells.map((cell) => cell.text).join(' '),
  };
}

function gapBetween(previous: Run, next: Run): number {
  return next.left >= previous.left ? next.left - previous.right : previous.left - next.right;
}

export interface PdfItem {
  str: string;
  /** Text matrix [a, b, c, d, x, y], y up. */
  transform: number[];
  width: number;
  /** The document's name of the font. */
  fontName?: string;
}

/** Control characters. U+0080 and up show a font without a map. */
const CONTROLS = /(?![\u0080-\u009f])\p{Cc}/gu;
const COMPATIBILITY = /[\ufb00-\ufb06\ufb13-\ufb17\u2000-\u200a\u202f\u3000]/g;
const PRIVATE = /[\p{Co}\ufffd]/gu;
/** PDF.js reverses the lam-alef ligature of the Arabic article. No word has two alefs in a row. */
const TURNED_ARTICLE = /ا([أإآ])ل/gu;
const INVISIBLE = /[\u200b\u2060\ufeff]/g;
const PLAIN = /^[\u0020-\u007e\u00a0-\u05ff]*$/;
/** Some programs write this for an unnamed ff ligature. */
const NAMELESS_FF = '\u21b5';

/** Normalizes ligatures and spaces. Unnamed ligatures of TeX fonts are recognized by width. */
export function readable(item: PdfItem, previous: string, after: string): string {
  const { str } = item;
  if (str === '\0' || str === NAMELESS_FF) {
    return namelessLigature(item, /\p{L}$/u.test(previous), /^\p{Ll}/u.test(after));
  }
  if (PLAIN.test(str)) return str;
  return str
    .replace(COMPATIBILITY, (character) => character.normalize('NFKC'))
    .replace(CONTROLS, ' ')
    .replace(PRIVATE, ' ')
    .replace(INVISIBLE, '')
    .replace(TURNED_ARTICLE, 'ال$1');
}

/** Widths of Computer Modern ligatures: ff .58, ffi .83 of the font size. */
function namelessLigature(item: PdfItem, follows: boolean, leads: boolean): string {
  const [a = 1, b = 0] = item.transform;
  const wide = item.width / (Math.hypot(a, b) || 1);
  if (item.str === NAMELESS_FF) {
    return wide > 0.5 && wide < 0.7 && (follows || leads) ? 'ff' : item.str;
  }
  return wide > 0.75 && wide < 0.95 && follows && leads ? 'ffi' : ' ';
}

export function isRightToLeft(text: string): boolean {
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(text);
}
