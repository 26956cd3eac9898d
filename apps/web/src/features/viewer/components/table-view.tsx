import { useMemo, type CSSProperties } from 'react';
import type { ArtifactSegment } from '../api.ts';
import { overlaps } from '../find-in-text.ts';
import { MarkedText, QuotedRows } from './quoted-rows.tsx';
import type { ReadFile, SegmentedFile } from './read-text.tsx';
import classes from './table-view.module.css';

const ROW_HEIGHT = 39;
/** The width in pixels of the row numbers, of a letter and of a cell's padding. */
const NUMBERS_WIDTH = 60;
const LETTER_WIDTH = 9;
const CELL_PADDING = 24;

/** Rows are laid out separately, so all use the same column widths. */
function gridOf({ widths }: SheetColumns): { template: string; width: number } {
  const pixels = widths.map((letters) => Math.round(letters * LETTER_WIDTH + CELL_PADDING));
  return {
    template: `${NUMBERS_WIDTH}px ${pixels.map((width) => `minmax(${width}px, ${width}fr)`).join(' ')}`,
    width: NUMBERS_WIDTH + pixels.reduce((sum, width) => sum + width, 0),
  };
}

export function TableView({ text, place, segments }: SegmentedFile) {
  const rows = useMemo(() => sheetRows(text, segments), [text, segments]);
  const columns = useMemo(() => columnsOf(rows), [rows]);
  const grid = gridOf(columns);
  const isQuoted = ({ start, end }: SheetRow): boolean =>
    place !== null && overlaps([start, end], place);
  const quoteRow = rows.findIndex(isQuoted);
  const style: CSSProperties & Record<'--columns', string> = {
    minWidth: grid.width,
    '--columns': grid.template,
  };
  const offset = columns.hasLead ? 1 : 0;
  return (
    <QuotedRows
      kind="table"
      label="Table of the file"
      count={rows.length}
      quoteRow={quoteRow}
      rowHeight={ROW_HEIGHT}
      className={classes.table}
      style={style}
      renderHeading={({ current }) => {
        const top = rows[current];
        if (!top?.names || top.isHeader) return null;
        return <ColumnNames names={top.names} offset={offset} />;
      }}
      rowProps={(index) => {
        const row = rows[index];
        return {
          className: classes.row,
          'data-kind': row?.number === null ? 'heading' : row?.isHeader ? 'header' : undefined,
          'data-quoted': (row && isQuoted(row)) || undefined,
          'aria-current': (row && isQuoted(row)) || undefined,
        };
      }}
      renderRow={(index) => {
        const row = rows[index];
        return row && <RowCells row={row} text={text} place={place} offset={offset} />;
      }}
    />
  );
}

const ColumnNames = ({ names, offset }: { names: readonly string[]; offset: number }) => (
  <thead className={classes.head}>
    <tr className={classes.row}>
      <th scope="col" className={`${classes.cell} ${classes.number}`}>
        Row
      </th>
      {names.map((name, column) => (
        <th
          key={name}
          scope="col"
          className={classes.cell}
          style={{ gridColumn: column + 2 + offset }}
        >
          {name}
        </th>
      ))}
    </tr>
  </thead>
);

function RowCells({ row, text, place, offset }: ReadFile & { row: SheetRow; offset: number }) {
  if (row.number === null) {
    return (
      <td>
        <MarkedText text={text} start={row.start} end={row.end} quote={place} />
      </td>
    );
  }
  const Cell = row.isHeader ? 'th' : 'td';
  return (
    <>
      <th scope="row" className={`${classes.cell} ${classes.number}`}>
        {row.number}
      </th>
      {row.cells.map(({ column, start, end }) => (
        <Cell key={column} className={classes.cell} style={{ gridColumn: column + 2 + offset }}>
          <MarkedText text={text} start={start} end={end} quote={place} />
        </Cell>
      ))}
    </>
  );
}

const CELL_SEPARATOR = ' · ';
const NAME_SEPARATOR = ': ';
/** A wider table is shown row by row as text. */
const MAX_COLUMNS = 40;
const MAX_NAME_LENGTH = 120;

interface Cell {
  /** The index of the column, or -1 for text before the first named one. */
  column: number;
  start: number;
  end: number;
}

export interface ParsedRow {
  names: readonly string[] | null;
  isHeader: boolean;
  cells: Cell[];
}

const nameOf = (text: string): string => text.replace(/:$/u, '').trimEnd();

function bareCells(line: string): Cell[] {
  let start = 0;
  return line.split(CELL_SEPARATOR).map((part, column) => {
    const cell = { column, start, end: start + part.length };
    start = cell.end + CELL_SEPARATOR.length;
    return cell;
  });
}

/** Splits a line by the names of its columns. Null if the line does not have these columns. */
function namedCells(names: readonly string[], line: string): Cell[] | null {
  const columnAt = (at: number, first: number): number =>
    names.findIndex((name, index) => index >= first && line.startsWith(name + NAME_SEPARATOR, at));
  /** The offset before the next cell of a later column. Cells may contain the separator. */
  const nextCell = (at: number, first: number): number => {
    let next = line.indexOf(CELL_SEPARATOR, at);
    while (next !== -1 && columnAt(next + CELL_SEPARATOR.length, first) === -1) {
      next = line.indexOf(CELL_SEPARATOR, next + CELL_SEPARATOR.length);
    }
    return next;
  };

  const cells: Cell[] = [];
  let named = 0;
  for (let at = 0; at < line.length;) {
    const column = columnAt(at, (cells.at(-1)?.column ?? -1) + 1);
    if (column === -1 && at > 0) return null;
    if (column !== -1) named += 1;
    const start = column === -1 ? at : at + names[column]!.length + NAME_SEPARATOR.length;
    const next = nextCell(start - 1, column + 1);
    const end = next === -1 ? line.length : next;
    cells.push({ column, start: Math.min(start, end), end });
    at = next === -1 ? line.length : next + CELL_SEPARATOR.length;
  }
  return named > 0 ? cells : null;
}

/** The column names in a row, for tables without a header. */
function namesInRow(line: string): string[] | null {
  const parts = line.split(CELL_SEPARATOR);
  const names = parts.map((part) => part.slice(0, Math.max(0, part.indexOf(NAME_SEPARATOR))));
  const fits = names.every((name) => name !== '' && name.length <= MAX_NAME_LENGTH);
  return fits && parts.length > 1 && new Set(names).size === names.length ? names : null;
}

/** Splits rows like 'Name: Ada · City: London' into cells. A header is recognized by the row after it. */
export function parseRows(lines: readonly string[]): ParsedRow[] {
  const rows: ParsedRow[] = [];
  let names: readonly string[] | null = null;
  for (const line of lines) {
    const previousRow = rows.at(-1);
    const headerNames: string[] | null =
      previousRow && !previousRow.names
        ? previousRow.cells.map(({ start, end }) =>
            nameOf(lines[rows.length - 1]!.slice(start, end)),
          )
        : null;
    const choices: (readonly string[] | null)[] = [headerNames, names, namesInRow(line)];
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
    if (previousRow && names === headerNames) Object.assign(previousRow, { names, isHeader: true });
    rows.push({ names, isHeader: false, cells: fitting.cells });
  }
  return rows;
}

interface SheetRow {
  /** The row's number in the sheet, from 1. Null for the title of a table. */
  number: number | null;
  start: number;
  end: number;
  names: readonly string[] | null;
  isHeader: boolean;
  cells: readonly Cell[];
}

function sheetRows(text: string, segments: readonly ArtifactSegment[]): SheetRow[] {
  const rows: { start: number; end: number; number: number; heading: boolean }[] = [];
  for (const { start, end, kind, location } of segments) {
    if (!('row' in location)) continue;
    const number = Number(location.row);
    const heading = kind === 'heading';
    const last = rows.at(-1);
    const continues = last?.number === number && !last.heading && !heading;
    // A sheet and its only table often have the same name.
    if (heading && last?.heading && text.slice(last.start, last.end) === text.slice(start, end)) {
      last.end = end;
      last.start = start;
    } else if (continues && !text.slice(last.end, start).includes('\n')) last.end = end;
    else rows.push({ start, end, number, heading });
  }
  const tables = rows.filter(({ heading }) => !heading);
  const parsed = parseRows(tables.map(({ start, end }) => text.slice(start, end)));
  let at = 0;
  return rows.map(({ start, end, number, heading }) => {
    const row = heading ? undefined : parsed[at++];
    return {
      number: heading ? null : number,
      start,
      end,
      names: row?.names ?? null,
      isHeader: row?.isHeader ?? false,
      cells: (row?.cells ?? []).map((cell) => ({
        column: cell.column,
        start: start + cell.start,
        end: start + cell.end,
      })),
    };
  });
}

interface SheetColumns {
  /** Whether a row has text before its first named column. */
  hasLead: boolean;
  /** The width of each column in characters, starting with the text before the first one. */
  widths: number[];
}

const MIN_COLUMN = 6;
const MAX_COLUMN = 36;

function columnsOf(rows: readonly SheetRow[]): SheetColumns {
  const hasLead = rows.some(({ cells }) => cells.some(({ column }) => column === -1));
  const widths: number[] = [];
  const widen = (column: number, length: number): void => {
    const at = column + (hasLead ? 1 : 0);
    while (widths.length <= at) widths.push(MIN_COLUMN);
    widths[at] = Math.max(widths[at]!, Math.min(length, MAX_COLUMN));
  };
  for (const { names, cells } of rows) {
    for (const { column, start, end } of cells) widen(column, end - start);
    names?.forEach((name, column) => widen(column, name.length));
  }
  return { hasLead, widths };
}
