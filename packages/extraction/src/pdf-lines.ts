/** A piece of text as PDF.js's `getTextContent` reports it. */
export interface PdfItem {
  str: string;
  /** The text matrix: [a, b, c, d, x, y], the y axis pointing up. */
  transform: number[];
  width: number;
  /** The document's own name for the font: it tells fonts apart and nothing else. */
  fontName?: string;
}

/** One line of text on a page; coordinates are turned so that its text runs along x. */
export interface PdfLine {
  /** The line's text; cells that stand apart are divided by a tab. */
  text: string;
  /** Left and right end of each cell, in reading order. */
  cells: { left: number; right: number; text: string }[];
  left: number;
  right: number;
  /** The base line; greater is higher. */
  y: number;
  /** Font size of most of the line, in points. */
  size: number;
  /** Direction of the text in whole degrees: 0 runs to the right. */
  angle: number;
  /** The font of all of the line; null where it mixes fonts. */
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

/** A gap this wide, in font sizes, stands between cells and not between words. */
const CELL_GAP = 1.7;
const WORD_GAP = 0.14;

/**
 * Puts a page's items together to lines, in the order in which the page draws them: it is the order
 * of the text layer that a viewer selects and searches in.
 */
export function linesOf(items: Iterable<PdfItem>): PdfLine[] {
  const lines: PdfLine[] = [];
  let runs: Run[] = [];
  let spaced = false;
  for (const item of items) {
    if (item.str.trim() === '') {
      if (item.str !== '') spaced = true;
      continue;
    }
    const run = runOf(item, spaced);
    spaced = false;
    if (runs.length > 0 && !continues(runs, run)) {
      lines.push(lineOf(runs));
      runs = [];
    }
    runs.push(run);
  }
  if (runs.length > 0) lines.push(lineOf(runs));
  return lines;
}

function runOf({ str, transform, width, fontName = '' }: PdfItem, spaced: boolean): Run {
  const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = transform;
  const radians = Math.atan2(b, a);
  const along = x * Math.cos(radians) + y * Math.sin(radians);
  return {
    // eslint-disable-next-line no-control-regex
    text: (spaced ? ' ' : '') + str.replace(/[\u0000-\u001f]/g, ' '),
    left: along,
    right: along + width,
    y: y * Math.cos(radians) - x * Math.sin(radians),
    size: Math.hypot(c, d) || 1,
    angle: Math.round((radians * 180) / Math.PI),
    font: fontName,
  };
}

function continues(runs: Run[], next: Run): boolean {
  const last = runs[runs.length - 1] as Run;
  if (last.angle !== next.angle) return false;
  const base = runs.reduce((most, run) => (run.size > most.size ? run : most));
  const size = Math.max(base.size, next.size);
  // Small print beside a line may stand higher or lower: exponents, indices, marks of footnotes.
  const reach = next.size < base.size * 0.85 || base.size < next.size * 0.85 ? 0.8 : 0.5;
  if (Math.abs(base.y - next.y) > size * reach) return false;
  // Superscripts may overlap a little; a jump back begins a new line on the same height.
  const forward = next.left >= last.right - size * 0.6;
  const backward = next.right <= last.left + size * 0.6;
  return forward || (backward && isRightToLeft(next.text + last.text));
}

function lineOf(runs: Run[]): PdfLine {
  const cells: PdfLine['cells'] = [];
  for (const [at, run] of runs.entries()) {
    const before = runs[at - 1];
    const cell = cells.at(-1);
    const gap = before === undefined ? Infinity : gapBetween(before, run);
    if (cell === undefined || gap > CELL_GAP * run.size) {
      cells.push({ left: run.left, right: run.right, text: run.text });
      continue;
    }
    const apart =
      gap > WORD_GAP * run.size || isRightToLeft(before?.text ?? '') !== isRightToLeft(run.text);
    cell.text += apart && /[^\s\p{P}]/u.test(run.text.slice(0, 1)) ? ` ${run.text}` : run.text;
    cell.left = Math.min(cell.left, run.left);
    cell.right = Math.max(cell.right, run.right);
  }
  for (const cell of cells) cell.text = cell.text.replace(/\s+/gu, ' ').trim();
  const main = runs.reduce((most, run) => (run.text.length > most.text.length ? run : most));
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

function gapBetween(before: Run, next: Run): number {
  return next.left >= before.left ? next.left - before.right : before.left - next.right;
}

export function isRightToLeft(text: string): boolean {
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/.test(text);
}

/** Lines of a page that must have a gap at the same place before columns are believed in. */
const MIN_COLUMN_LINES = 6;

/**
 * Undoes pages that draw two columns of prose line by line across the gutter: what stands left of
 * the gutter is read before what stands right of it, between lines that run across. Pages that
 * draw column by column already, and tables, stay as they are.
 */
export function untangleColumns(lines: PdfLine[]): PdfLine[] {
  const gutter = findGutter(lines);
  if (gutter === null) return lines;
  const ordered: PdfLine[] = [];
  let right: PdfLine[] = [];
  for (const line of lines) {
    const crossing = line.cells.some((cell) => cell.left < gutter && cell.right > gutter);
    if (crossing) {
      ordered.push(...right, line);
      right = [];
      continue;
    }
    const cellsLeft = line.cells.filter((cell) => cell.right <= gutter);
    const cellsRight = line.cells.filter((cell) => cell.left >= gutter);
    if (cellsLeft.length > 0) ordered.push(partOf(line, cellsLeft));
    if (cellsRight.length > 0) right.push(partOf(line, cellsRight));
  }
  return [...ordered, ...right];
}

function partOf(line: PdfLine, cells: PdfLine['cells']): PdfLine {
  return {
    ...line,
    cells,
    text: cells.map((cell) => cell.text).join('\t'),
    left: Math.min(...cells.map((cell) => cell.left)),
    right: Math.max(...cells.map((cell) => cell.right)),
  };
}

/** Where most lines of two cells have their gap, if both sides are filled like prose. */
function findGutter(lines: PdfLine[]): number | null {
  const pairs = lines.filter((line) => line.cells.length === 2 && line.angle === 0);
  if (pairs.length < MIN_COLUMN_LINES || pairs.length < lines.length * 0.4) return null;
  const starts = pairs.map((line) => line.cells[1]?.left ?? 0).sort((a, b) => a - b);
  const start = starts[Math.floor(starts.length / 2)] as number;
  const gutter = start - 1;
  const across = pairs.filter(
    ({ cells: [a, b] }) => a && b && a.right < gutter && b.left >= gutter,
  );
  if (across.length < pairs.length * 0.8) return null;
  const leftWidth = Math.max(...across.map(({ cells: [a] }) => (a?.right ?? 0) - (a?.left ?? 0)));
  const rightWidth = Math.max(
    ...across.map(({ cells: [, b] }) => (b?.right ?? 0) - (b?.left ?? 0)),
  );
  const prose = across.filter(({ cells: [a, b] }) => {
    if (a === undefined || b === undefined) return false;
    const full = a.right - a.left > leftWidth * 0.7 && b.right - b.left > rightWidth * 0.7;
    return full && a.text.length > 20 && b.text.length > 20;
  });
  return prose.length >= across.length * 0.6 ? gutter : null;
}
