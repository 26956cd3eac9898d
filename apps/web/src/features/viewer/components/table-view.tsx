import { useMemo, type CSSProperties } from 'react';
import { overlaps } from '../find-in-text.ts';
import { columnsOf, sheetRows, type SheetColumns, type SheetRow } from '../table-rows.ts';
import { MarkedText, QuotedRows } from './quoted-rows.tsx';
import type { ReadFile, SegmentedFile } from './read-text.tsx';
import classes from './table-view.module.css';

/** Pixels of a row before it is measured. */
const ROW_HEIGHT = 39;
/** The width in pixels of the row numbers, of a letter and of a cell's padding. */
const NUMBERS = 60;
const LETTER = 9;
const PADDING = 24;

/** Rows are laid out separately, so the widths of their columns must not depend on their content. */
function gridOf({ widths }: SheetColumns): { template: string; width: number } {
  const pixels = widths.map((letters) => Math.round(letters * LETTER + PADDING));
  return {
    template: `${NUMBERS}px ${pixels.map((width) => `minmax(${width}px, ${width}fr)`).join(' ')}`,
    width: NUMBERS + pixels.reduce((sum, width) => sum + width, 0),
  };
}

/** The rows of a table with their numbers and column names. */
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
  const offset = columns.lead ? 1 : 0;
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
        // The table's own header is visible.
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

function ColumnNames({ names, offset }: { names: readonly string[]; offset: number }) {
  return (
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
}

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
