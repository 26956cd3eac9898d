import { isRightToLeft, oneCell, type PdfLine } from './lines.ts';

type Cell = PdfLine['cells'][number];

/** Minimum lines with a gap at the same position. */
const MIN_COLUMN_LINES = 6;
const MIN_PROSE_LENGTH = 18;
/** Minimum gap between columns, in font sizes. */
const MIN_GUTTER = 0.9;
const MAX_CELL_LINES = 4;
const MAX_CELL_LENGTH = 40;
const MAX_DEPTH = 12;

/**
 * Sorts lines into reading order. This is the drawing order, except for columns drawn across the
 * gutter, tables drawn cell by cell, and unordered pages. Text in other directions comes last.
 */
export function inReadingOrder(lines: PdfLine[]): PdfLine[] {
  const turned = turnUpright(lines);
  const upright = turned.filter((line) => line.angle === 0);
  const others = turned.filter((line) => line.angle !== 0);
  const gathered = gatherCells(untangleColumns(upright));
  const ordered = isDisordered(gathered) ? xyCut(gathered, 0) : gathered;
  return [...ordered, ...others];
}

/** Makes the main text direction upright. */
function turnUpright(lines: PdfLine[]): PdfLine[] {
  const lengths = new Map<number, number>();
  for (const { angle, text } of lines) lengths.set(angle, (lengths.get(angle) ?? 0) + text.length);
  const [main = 0] = [...lengths].toSorted((a, b) => b[1] - a[1])[0] ?? [];
  if (main === 0) return lines;
  return lines.map((line) => ({ ...line, angle: (line.angle - main + 360) % 360 }));
}

/** Orders columns that are drawn line by line across the gutter. */
export function untangleColumns(lines: PdfLine[]): PdfLine[] {
  const gutter = findGutter(lines);
  if (gutter === null) return lines;
  const ordered: PdfLine[] = [];
  let left: PdfLine[] = [];
  let right: PdfLine[] = [];
  const flush = (): void => {
    // Separates more than two columns recursively.
    ordered.push(...left, ...untangleColumns(right));
    [left, right] = [[], []];
  };
  for (const line of lines) {
    if (line.cells.some((cell) => cell.left < gutter && cell.right > gutter)) {
      flush();
      ordered.push(line);
      continue;
    }
    const cellsLeft = line.cells.filter((cell) => cell.right <= gutter);
    const cellsRight = line.cells.filter((cell) => cell.left >= gutter);
    if (cellsLeft.length > 0) left.push(withCells(line, cellsLeft));
    if (cellsRight.length > 0) right.push(withCells(line, cellsRight));
  }
  flush();
  return ordered;
}

function withCells(line: PdfLine, cells: Cell[]): PdfLine {
  return {
    ...line,
    cells,
    text: cells.map((cell) => cell.text).join('\t'),
    left: Math.min(...cells.map((cell) => cell.left)),
    right: Math.max(...cells.map((cell) => cell.right)),
  };
}

/** The gutter in most lines with several cells, if both sides are prose. */
function findGutter(lines: PdfLine[]): number | null {
  const rows = lines.filter((line) => line.cells.length > 1);
  if (rows.length < MIN_COLUMN_LINES || rows.length < lines.length * 0.3) return null;
  const starts = rows.map((line) => line.cells[1]?.left ?? 0).toSorted((a, b) => a - b);
  const gutter = (starts[Math.floor(starts.length / 2)] as number) - 1;
  const across = rows.filter(({ cells: [a, b] }) => a && b && a.right < gutter && b.left >= gutter);
  if (across.length < rows.length * 0.7) return null;
  const width = (cell: Cell | undefined): number => (cell ? cell.right - cell.left : 0);
  const leftWidth = Math.max(...across.map(({ cells: [a] }) => width(a)));
  const rightWidth = Math.max(...across.map(({ cells: [, b] }) => width(b)));
  const prose = across.filter(({ cells: [a, b] }) => {
    const full = width(a) > leftWidth * 0.65 && width(b) > rightWidth * 0.65;
    return full && isProse(a) && isProse(b);
  });
  return prose.length >= across.length * 0.55 ? gutter : null;
}

function isProse(cell: Cell | undefined): boolean {
  return cell !== undefined && cell.text.length >= MIN_PROSE_LENGTH && / /.test(cell.text);
}

const MIN_BACKWARD_STEPS = 3;
const MIN_BACKWARD_SHARE = 0.2;

/** Whether prose repeatedly jumps up or to an earlier column. */
function isDisordered(lines: PdfLine[]): boolean {
  let back = 0;
  for (let index = 2; index < lines.length - 1; index += 1) {
    const [previous, line] = [lines[index - 1] as PdfLine, lines[index] as PdfLine];
    const size = Math.max(previous.size, line.size);
    const [ahead, behind] = [line.left - previous.right, previous.left - line.right];
    const [onward, backward] = isRightToLeft(line.text) ? [behind, ahead] : [ahead, behind];
    const up = line.y > previous.y + size * 0.7;
    const prose = Math.min(previous.text.length, line.text.length) >= MIN_PROSE_LENGTH;
    if (prose && (backward > size || (up && onward < -size))) back += 1;
  }
  return back >= MIN_BACKWARD_STEPS && back > lines.length * MIN_BACKWARD_SHARE;
}

/** Orders a page by the X-Y cut (Nagy and Seth, 1984). */
function xyCut(lines: PdfLine[], depth: number): PdfLine[] {
  if (lines.length < 2 || depth > MAX_DEPTH) return asRows(lines);
  const gutter = whiteGutter(lines);
  if (gutter !== null) {
    const left = lines.filter((line) => line.right <= gutter);
    const right = lines.filter((line) => line.right > gutter);
    const parts = isRightToLeft(lines[0]?.text ?? '') ? [right, left] : [left, right];
    return parts.flatMap((part) => xyCut(part, depth + 1));
  }
  const wide = widestLine(lines);
  if (wide === null) return asRows(lines);
  const above = lines.filter((line) => line.y > wide.y + wide.size * 0.5);
  const below = lines.filter((line) => line.y < wide.y - wide.size * 0.5);
  const row = lines.filter((line) => Math.abs(line.y - wide.y) <= wide.size * 0.5);
  if (above.length + below.length < MIN_COLUMN_LINES) return asRows(lines);
  return [...xyCut(above, depth + 1), ...asRows(row), ...xyCut(below, depth + 1)];
}

/** The widest line, if it hides columns of narrower ones. */
function widestLine(lines: PdfLine[]): PdfLine | null {
  const width = (line: PdfLine): number => line.right - line.left;
  const widest = lines.reduce((max, line) => (width(line) > width(max) ? line : max));
  const narrow = lines.filter((line) => width(line) < width(widest) * 0.6);
  return narrow.length >= lines.length * 0.5 ? widest : null;
}

/** The widest vertical gap with prose on both sides. */
function whiteGutter(lines: PdfLine[]): number | null {
  const sorted = lines.toSorted((a, b) => a.left - b.left);
  let edge = -Infinity;
  let best: { x: number; width: number } | null = null;
  for (const line of sorted) {
    const width = line.left - edge;
    if (edge > -Infinity && width > line.size * MIN_GUTTER && width > (best?.width ?? 0)) {
      best = { x: line.left - width / 2, width };
    }
    edge = Math.max(edge, line.right);
  }
  if (best === null) return null;
  const { x } = best;
  const sides = [lines.filter((line) => line.right <= x), lines.filter((line) => line.right > x)];
  const prose = sides.every((side) => {
    const long = side.filter((line) => line.text.length >= MIN_PROSE_LENGTH);
    return side.length > 1 && long.length >= side.length * 0.5;
  });
  return prose ? x : null;
}

/** Lines from top to bottom, joined if on one base line. */
function asRows(lines: PdfLine[]): PdfLine[] {
  const rows: PdfLine[] = [];
  for (const line of lines.toSorted((a, b) => b.y - a.y || a.left - b.left)) {
    const row = rows.at(-1);
    if (row === undefined || row.y - line.y > Math.min(row.size, line.size) * 0.4) rows.push(line);
    else rows[rows.length - 1] = joinBeside(row, line);
  }
  return rows;
}

function joinBeside(row: PdfLine, line: PdfLine): PdfLine {
  const cells = [...row.cells, ...line.cells].toSorted((a, b) => a.left - b.left);
  if (isRightToLeft(row.text + line.text)) cells.reverse();
  return { ...withCells(row, cells), font: row.font === line.font ? row.font : null };
}

/** Lines drawn below each other: the text of a cell or a column. */
type Stack = PdfLine[];

/** Makes rows of tables drawn by cell or column. */
export function gatherCells(lines: PdfLine[]): PdfLine[] {
  const stacks = stacksOf(lines);
  const gathered: PdfLine[] = [];
  let group: Stack[] = [];
  const close = (): void => {
    gathered.push(...rowsOf(group));
    group = [];
  };
  for (const stack of stacks) {
    const previous = group.at(-1);
    const beside = previous === undefined ? [] : besidePart(previous, stack);
    if (previous !== undefined && beside.length < previous.length) {
      // Higher lines are not part of the row.
      group[group.length - 1] = previous.filter((line) => !beside.includes(line));
      close();
      if (beside.length > 0) group.push(beside);
    }
    group.push(stack);
  }
  close();
  return gathered;
}

function stacksOf(lines: PdfLine[]): Stack[] {
  const stacks: Stack[] = [];
  for (const line of lines) {
    const stack = stacks.at(-1);
    const previous = stack?.at(-1);
    if (stack === undefined || previous === undefined || !isBelow(previous, line)) {
      stacks.push([line]);
    } else stack.push(line);
  }
  return stacks;
}

function isBelow(upper: PdfLine, line: PdfLine): boolean {
  const step = upper.y - line.y;
  const size = Math.max(upper.size, line.size);
  const [cell, beside] = line.cells;
  // The next cell may be on the base line of this cell's last line.
  const single = upper.cells.length === 1 && (!beside || beside.left >= upper.right - size * 0.2);
  const overlap = cell !== undefined && cell.left < upper.right && cell.right > upper.left;
  return single && overlap && step > 0 && step < size * 3 && line.left > upper.left - size * 5;
}

/** The end of a stack that is beside the next stack. */
function besidePart(previous: Stack, stack: Stack): Stack {
  if (isBeside(previous, stack)) return previous;
  const top = stack[0] as PdfLine;
  const lower = previous.filter((line) => line.y <= top.y + top.size * 0.5);
  return lower.length > 0 && isBeside(lower, stack) ? lower : [];
}

function isBeside(previous: Stack, stack: Stack): boolean {
  const [first, next] = [previous[0] as PdfLine, stack[0] as PdfLine];
  const last = previous.at(-1) as PdfLine;
  const size = Math.max(first.size, next.size);
  const right = Math.max(...previous.map((line) => line.right));
  const left = Math.min(...stack.map((line) => line.left));
  const end = stack.at(-1) as PdfLine;
  const overlap = next.y > last.y - size && end.y < first.y + size;
  return next.y > last.y + size * 0.5 && overlap && left >= right - size * 0.2;
}

function rowsOf(group: Stack[]): PdfLine[] {
  const lines = group.flat();
  if (group.length < 2 || lines.some((line) => line.text.length > MAX_CELL_LENGTH)) return lines;
  if (group.length > 2 && group.every((stack) => stack.length <= MAX_CELL_LINES)) {
    const cells = group.flatMap(cellsOf);
    const lowest = lines.reduce((min, line) => (line.y < min.y ? line : min));
    return [withCells(lowest, cells)];
  }
  return isColumnwise(group) ? asRows(lines) : lines;
}

function cellsOf(stack: Stack): Cell[] {
  const text = stack.map((line) => line.cells[0]?.text ?? '').join(' ');
  const { left, right } = oneCell(stack.flatMap((line) => line.cells.slice(0, 1)));
  return [{ left, right, text }, ...(stack.at(-1)?.cells.slice(1) ?? [])];
}

/** Whether adjacent stacks are columns of a table with common base lines. */
function isColumnwise(group: Stack[]): boolean {
  const [first = [], ...others] = group;
  if (first.length < 3) return false;
  const figures = others.some((stack) => {
    return stack.filter(({ text }) => /\d/.test(text)).length > stack.length * 0.6;
  });
  const short = group.flat().filter(({ text }) => text.length < 25).length;
  const level = others.every((stack) => {
    const same = stack.filter((line) =>
      first.some(({ y }) => Math.abs(y - line.y) < line.size * 0.3),
    );
    return same.length >= stack.length * 0.8;
  });
  return figures && level && short >= group.flat().length * 0.7;
}
