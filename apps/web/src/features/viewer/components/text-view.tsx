import type { Citation } from '@engram/contract';
import { useMemo } from 'react';
import { overlaps } from '../quote-place.ts';
import { windowRows } from '../text-rows.ts';
import { MarkedText } from './marked-text.tsx';
import { QuotedRows } from './quoted-rows.tsx';
import { ReadText, type ReadFile } from './read-text.tsx';
import classes from './text-view.module.css';
import viewerClasses from './viewer.module.css';

/** A file's extracted text, at the quote. */
export function TextView({ citation }: { citation: Citation }) {
  return (
    <ReadText citation={citation}>
      {(file) => <Lines {...file} numbered={'line' in citation.location} />}
    </ReadText>
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
        <p className={viewerClasses.note}>
          This text is very long: only the part around the quote is shown.
        </p>
      )}
      <QuotedRows
        kind="lines"
        label="Text of the file"
        count={rows.length}
        quoteRow={place ? quoteRow : -1}
        rowHeight={LINE_HEIGHT}
        className={classes.text}
        rowProps={(index) => {
          const row = rows[index];
          return {
            className: classes.row,
            'data-quoted': (row && place && overlaps([row.start, row.end], place)) || undefined,
          };
        }}
        renderRow={(index) => {
          const row = rows[index];
          return (
            row && (
              <>
                {numbered && <span className={classes.line}>{row.line}</span>}
                <span className={`${classes.words} ${viewerClasses.words}`}>
                  <MarkedText text={text} start={row.start} end={row.end} quote={place} />
                </span>
              </>
            )
          );
        }}
      />
    </>
  );
}
