import type { Citation } from '@engram/contract';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, type ReactNode } from 'react';
import { useArtifactText } from '../api/get-artifact-text.ts';
import { windowRows, type TextRow } from '../text-rows.ts';
import classes from './text-view.module.css';
import { ViewerFailure, ViewerSkeleton } from './viewer-states.tsx';

/** A file's extracted text, at the quote. */
export function TextView({ citation }: { citation: Citation }) {
  const { data, error, isPending, refetch } = useArtifactText(citation.artifactId);
  if (isPending) return <ViewerSkeleton />;
  if (data === undefined) {
    return <ViewerFailure error={error} quote={citation.quote} onRetry={() => void refetch()} />;
  }
  return <QuotedText text={data} citation={citation} />;
}

/** Where the quote stands now: where it was cited, or, in a text that was read anew, where it is found. */
function findQuote(text: string, { quote, start, end }: Citation): [number, number] | null {
  if (text.slice(start, end) === quote) return [start, end];
  const at = text.indexOf(quote);
  return at === -1 ? null : [at, at + quote.length];
}

/** Pixels of a row before it is measured: one line. */
const LINE_HEIGHT = 26;

function QuotedText({ text, citation }: { text: string; citation: Citation }) {
  const place = useMemo(() => findQuote(text, citation), [text, citation]);
  const [start, end] = place ?? [0, 0];
  const { rows, quoteRow, cut } = useMemo(() => windowRows(text, start, end), [text, start, end]);
  const scroller = useRef<HTMLElement>(null);
  // No compiler memoizes this code, so the virtualizer's functions cannot go stale.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: 12,
  });

  useEffect(() => {
    if (!place) return undefined;
    virtualizer.scrollToIndex(quoteRow, { align: 'center' });
    // A row may be taller than the window: once it is laid out, the mark itself goes to the middle.
    let second = 0;
    const first = requestAnimationFrame(() => {
      second = requestAnimationFrame(() => {
        const mark = scroller.current?.querySelector('[data-testid="quote"]');
        mark?.scrollIntoView({ block: 'center' });
      });
    });
    return () => {
      cancelAnimationFrame(first);
      cancelAnimationFrame(second);
    };
  }, [virtualizer, place, quoteRow]);

  const numbered = 'line' in citation.location;
  const inTable = 'row' in citation.location;
  return (
    <>
      {!place && (
        <output className={classes.note}>
          The quote is no longer in this file’s text: “{citation.quote}”
        </output>
      )}
      {cut && (
        <p className={classes.note}>
          This text is very long: only the part around the quote is shown.
        </p>
      )}
      {/* Focusable, so that it can be scrolled by keyboard. */}
      <section
        ref={scroller}
        className={classes.scroller}
        aria-label="Text of the file"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
      >
        <div
          className={classes.text}
          data-table={inTable || undefined}
          style={{ height: virtualizer.getTotalSize() }}
        >
          {virtualizer.getVirtualItems().map(({ index, key, start: top }) => {
            const row = rows[index];
            return (
              row && (
                <div
                  key={key}
                  ref={virtualizer.measureElement}
                  data-index={index}
                  className={classes.row}
                  data-quoted={(row.start < end && row.end > start) || undefined}
                  style={{ transform: `translateY(${top}px)` }}
                >
                  {numbered && <span className={classes.line}>{row.line}</span>}
                  <span className={classes.words}>{markRow(text, row, start, end)}</span>
                </div>
              )
            );
          })}
        </div>
      </section>
    </>
  );
}

/** A row's text with its part of the quote marked. */
function markRow(text: string, row: TextRow, start: number, end: number): ReactNode {
  const from = Math.max(start, row.start);
  const to = Math.min(end, row.end);
  if (from >= to) return text.slice(row.start, row.end);
  return (
    <>
      {text.slice(row.start, from)}
      <mark data-testid="quote">{text.slice(from, to)}</mark>
      {text.slice(to, row.end)}
    </>
  );
}
