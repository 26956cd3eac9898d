import { Text } from '@mantine/core';
import type { Citation } from '@engram/contract';
import { useMemo } from 'react';
import { overlaps } from '../find-in-text.ts';
import { MarkedText, QuotedRows } from './quoted-rows.tsx';
import { ReadText, type ReadFile, ViewerNote } from './read-text.tsx';
import classes from './viewer.module.css';

/** The longest text in one row, in UTF-16 units. */
const ROW_LENGTH = 2_000;
/** How much text is shown on each side of the quote, in UTF-16 units. */
const WINDOW_REACH = 1_000_000;
/** How many rows are shown on each side of the quote. */
const ROW_REACH = 150_000;

interface TextRow {
  /** UTF-16 offsets in the whole text. A line break belongs to the line's last row. */
  start: number;
  end: number;
  /** Line number from 1, or null for a further row of a long line. */
  line: number | null;
}

interface TextWindow {
  rows: TextRow[];
  quoteRow: number;
  cut: boolean;
}

/** Where to end a row: at a blank if there is one. */
function breakAt(text: string, start: number, end: number): number {
  const limit = start + ROW_LENGTH;
  if (end <= limit) return end;
  const blank = text.slice(start, limit).lastIndexOf(' ');
  if (blank > 0) return start + blank + 1;
  const last = text.charCodeAt(limit - 1);
  return last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit;
}

/**
 * Splits the text around a quote into rows: lines, and pieces of lines that are too long to lay out
 * at once. Every character is in exactly one row.
 */
export function windowRows(text: string, quoteStart: number, quoteEnd: number): TextWindow {
  const lineStart = (at: number): number => (at <= 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1);
  const from = Math.max(
    lineStart(Math.max(0, quoteStart - WINDOW_REACH)),
    // A single line may be longer than the whole window.
    quoteStart - 2 * WINDOW_REACH,
  );
  const to = Math.min(text.length, quoteEnd + WINDOW_REACH);

  const startsLine = lineStart(from) === from;
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < from; at = text.indexOf('\n', at + 1)) {
    line += 1;
  }
  const rows: TextRow[] = [];
  let quoteRow = 0;
  for (let at = from; at < to; line += 1) {
    const newline = text.indexOf('\n', at);
    const lineEnd = newline === -1 ? to : Math.min(to, newline + 1);
    for (let first = true; at < lineEnd; first = false) {
      const end = breakAt(text, at, lineEnd);
      if (at <= quoteStart) quoteRow = rows.length;
      rows.push({ start: at, end, line: first && (at > from || startsLine) ? line : null });
      at = end;
    }
  }

  const firstRow = Math.max(0, quoteRow - ROW_REACH);
  const kept = rows.slice(firstRow, quoteRow + ROW_REACH);
  return {
    rows: kept,
    quoteRow: quoteRow - firstRow,
    cut: (kept[0]?.start ?? 0) > 0 || (kept.at(-1)?.end ?? 0) < text.length,
  };
}

interface TextViewProps {
  citation: Citation;
  numbered: boolean;
}

export function TextView({ citation, numbered }: TextViewProps) {
  return (
    <ReadText citation={citation}>{(file) => <Lines {...file} numbered={numbered} />}</ReadText>
  );
}

/** Pixels of a row before it is measured: one line. */
const LINE_HEIGHT = 26;

function Lines({ text, place, numbered }: ReadFile & { numbered: boolean }) {
  const [start, end] = place ?? [0, 0];
  const { rows, quoteRow, cut } = useMemo(() => windowRows(text, start, end), [text, start, end]);
  return (
    <>
      {cut && (
        <ViewerNote>This text is very long: only the part around the quote is shown.</ViewerNote>
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
