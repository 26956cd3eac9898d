import { Text } from '@mantine/core';
import type { Citation } from '@engram/contract';
import { useMemo } from 'react';
import { overlaps } from '../quote-place.ts';
import { windowRows } from '../text-rows.ts';
import { MarkedText } from './marked-text.tsx';
import { QuotedRows } from './quoted-rows.tsx';
import { ReadText, type ReadFile } from './read-text.tsx';
import classes from './viewer.module.css';
import { ViewerNote } from './viewer-states.tsx';

interface TextViewProps {
  citation: Citation;
  /** Whether the lines are those of the file, and have their numbers. */
  numbered: boolean;
}

/** A file's extracted text, at the quote. */
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
