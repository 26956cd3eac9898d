/** What stands between two cells of a row, and between a column's name and its cell. */
const BETWEEN = ' · ';
const NAMED = ': ';
/** A wider table is shown row by row as text: nobody reads it across. */
const MAX_COLUMNS = 40;
const MAX_NAME_LENGTH = 120;

export interface Cell {
  /** Index of the column; -1 for what stands before the first named one. */
  column: number;
  /** Offsets in the row's text. */
  start: number;
  end: number;
}

/** A row of a table as the extracted text gives it. */
export interface ParsedRow {
  /** Names of the columns that the cells stand under; null where they have none. */
  names: readonly string[] | null;
  /** Whether this row is the one that names the columns. */
  isHeader: boolean;
  cells: Cell[];
}

const nameOf = (text: string): string => text.replace(/:$/u, '').trimEnd();

function bareCells(line: string): Cell[] {
  let start = 0;
  return line.split(BETWEEN).map((part, column) => {
    const cell = { column, start, end: start + part.length };
    start = cell.end + BETWEEN.length;
    return cell;
  });
}

/** Cells by the names in front of them; null when they are not of a table with these columns. */
function namedCells(names: readonly string[], line: string): Cell[] | null {
  const columnAt = (at: number, first: number): number =>
    names.findIndex((name, index) => index >= first && line.startsWith(name + NAMED, at));
  /** Where the next cell of a later column begins: a separator may also stand within a cell. */
  const nextCell = (at: number, first: number): number => {
    let next = line.indexOf(BETWEEN, at);
    while (next !== -1 && columnAt(next + BETWEEN.length, first) === -1) {
      next = line.indexOf(BETWEEN, next + BETWEEN.length);
    }
    return next;
  };

  const cells: Cell[] = [];
  let named = 0;
  for (let at = 0; at < line.length;) {
    const column = columnAt(at, (cells.at(-1)?.column ?? -1) + 1);
    if (column === -1 && at > 0) return null;
    if (column !== -1) named += 1;
    const start = column === -1 ? at : at + names[column]!.length + NAMED.length;
    const next = nextCell(start - 1, column + 1);
    const end = next === -1 ? line.length : next;
    cells.push({ column, start: Math.min(start, end), end });
    at = next === -1 ? line.length : next + BETWEEN.length;
  }
  return named > 0 ? cells : null;
}

/** The names that a row itself gives to each of its cells, where its header is not in sight. */
function namesWithin(line: string): string[] | null {
  const parts = line.split(BETWEEN);
  const names = parts.map((part) => part.slice(0, Math.max(0, part.indexOf(NAMED))));
  const fits = names.every((name) => name !== '' && name.length <= MAX_NAME_LENGTH);
  return fits && parts.length > 1 && new Set(names).size === names.length ? names : null;
}

/**
 * Finds the cells of a table's rows in lines like 'Name: Ada · City: London'. The row that names the
 * columns is found by what follows it.
 */
export function parseRows(lines: readonly string[]): ParsedRow[] {
  const rows: ParsedRow[] = [];
  let names: readonly string[] | null = null;
  for (const line of lines) {
    const above = rows.at(-1);
    const heads: string[] | null =
      above && !above.names
        ? above.cells.map(({ start, end }) => nameOf(lines[rows.length - 1]!.slice(start, end)))
        : null;
    const choices: (readonly string[] | null)[] = [heads, names, namesWithin(line)];
    const fitting = choices
      .filter((choice) => choice !== null && choice.length <= MAX_COLUMNS)
      .map((choice) => ({ names: choice, cells: namedCells(choice!, line) }))
      .find(({ cells }) => cells !== null);
    if (!fitting?.cells) {
      const bare = bareCells(line);
      const cells = bare.length > MAX_COLUMNS ? [{ column: 0, start: 0, end: line.length }] : bare;
      rows.push({ names: null, isHeader: false, cells });
      continue;
    }
    names = fitting.names;
    if (above && names === heads) Object.assign(above, { names, isHeader: true });
    rows.push({ names, isHeader: false, cells: fitting.cells });
  }
  return rows;
}
