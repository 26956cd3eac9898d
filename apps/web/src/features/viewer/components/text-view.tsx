import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { overlaps } from '../find-in-text.ts';
import { MarkedText, QuotedRows } from './quoted-rows.tsx';
import { ViewerNote, type ReadFile } from './read-text.tsx';
import classes from './viewer.module.css';

/** A line, or a part of a very long line, split at a space if possible. */
const ROW = /[^\n]{0,2000}(?:\n|$)|[^\n]{1,1999} |[^\n]{1,2000}/gu;
/** UTF-16 units and rows that are shown on each side of the quote. */
const WINDOW_LENGTH = 1_000_000;
const WINDOW_ROWS = 150_000;

interface TextRow {
  /** UTF-16 offsets in the whole text. A line break belongs to the line's last row. */
  start: number;
  end: number;
  /** The line number from 1, or null for the other rows of a long line. */
  line: number | null;
}

/** Splits the text around a quote into rows. Every character is in exactly one row. */
export function windowRows(text: string, quoteStart: number, quoteEnd: number) {
  const earliest = Math.max(0, quoteStart - WINDOW_LENGTH);
  const lineStart = earliest === 0 ? 0 : text.lastIndexOf('\n', earliest - 1) + 1;
  // A single line may be longer than the whole window.
  const from = Math.max(lineStart, quoteStart - 2 * WINDOW_LENGTH);
  let line = 1;
  for (
    let index = text.indexOf('\n');
    index !== -1 && index < from;
    index = text.indexOf('\n', index + 1)
  ) {
    line += 1;
  }
  const rows: TextRow[] = [];
  let quoteRow = 0;
  let startsLine = from === lineStart;
  for (const [row] of text.slice(from, quoteEnd + WINDOW_LENGTH).matchAll(ROW)) {
    if (row === '') break;
    const start = rows.at(-1)?.end ?? from;
    if (start <= quoteStart) quoteRow = rows.length;
    rows.push({ start, end: start + row.length, line: startsLine ? line : null });
    startsLine = row.endsWith('\n');
    if (startsLine) line += 1;
  }

  const firstRow = Math.max(0, quoteRow - WINDOW_ROWS);
  const shown = rows.slice(firstRow, quoteRow + WINDOW_ROWS);
  return {
    rows: shown,
    quoteRow: quoteRow - firstRow,
    isCut: (shown[0]?.start ?? 0) > 0 || (shown.at(-1)?.end ?? 0) < text.length,
  };
}

const LINE_HEIGHT = 26;

export function TextView({ text, place, numbered }: ReadFile & { numbered: boolean }) {
  const [start, end] = place ?? [0, 0];
  const { rows, quoteRow, isCut } = useMemo(() => windowRows(text, start, end), [text, start, end]);
  return (
    <>
      {isCut && (
        <ViewerNote>This text is very long, so only the part around the quote is shown.</ViewerNote>
      )}
      <QuotedRows
        kind="lines"
        label="Text of the file"
        count={rows.length}
        quoteRow={place ? quoteRow : -1}
        rowHeight={LINE_HEIGHT}
        className={classes.column}
        rowProps={(index) => {
          const row = rows[index];
          return {
            className: classes.line,
            'data-quoted': (row && place && overlaps([row.start, row.end], place)) || undefined,
          };
        }}
        renderRow={(index) => {
          const row = rows[index];
          if (!row) return null;
          return (
            <>
              {numbered && (
                <Text span flex="none" miw={36} size="xs" lh="inherit" c="dimmed" ta="right">
                  {row.line}
                </Text>
              )}
              <span className={classes.words}>
                <MarkedText text={text} start={row.start} end={row.end} quote={place} />
              </span>
            </>
          );
        }}
      />
    </>
  );
}
