import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useRef, type CSSProperties, type ReactNode } from 'react';
import classes from './viewer.module.css';

/** Where in the rows the reader is. */
export interface RowsPosition {
  /** Index of the row at the top of the window. */
  current: number;
  goTo: (index: number) => void;
}

/** Pixels below the window's upper edge where a row counts as the first. */
const TOP = 24;

/** What holds all, what holds the rows, and a row. */
const elements = {
  lines: ['div', 'div', 'div'],
  list: ['div', 'ul', 'li'],
  table: ['table', 'tbody', 'tr'],
} as const;

interface QuotedRowsProps {
  /** What the rows are, to be read out. */
  label: string;
  count: number;
  /** The row in which the quote begins; -1 when there is none to go to. */
  quoteRow: number;
  /** Where in the window the quote's row is put; the middle unless said. */
  align?: 'start' | 'center';
  /** Pixels of a row before it is measured. */
  rowHeight: number;
  /** Attributes of a row's element beside its place. */
  rowProps?: (index: number) => { className?: string | undefined; [attribute: string]: unknown };
  renderRow: (index: number) => ReactNode;
  className?: string | undefined;
  style?: CSSProperties;
  /** What the rows together are. */
  kind: keyof typeof elements;
  /** What stays above the rows while they are scrolled. */
  renderHeading?: (position: RowsPosition) => ReactNode;
  /** What stands above all. */
  renderToolbar?: (position: RowsPosition) => ReactNode;
}

/** Rows of a file of which only those in sight are laid out; opens at the quote. */
export function QuotedRows(props: QuotedRowsProps) {
  const {
    label,
    count,
    quoteRow,
    align = 'center',
    rowHeight,
    rowProps,
    renderRow,
    className,
    style,
  } = props;
  const [Whole, Rows, Row] = elements[props.kind];
  const scroller = useRef<HTMLElement>(null);
  // No compiler memoizes this code, so the virtualizer's functions cannot go stale.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });

  useEffect(() => {
    if (quoteRow === -1) return undefined;
    virtualizer.scrollToIndex(quoteRow, { align });
    // A row may be taller than the window: once it is laid out, the mark itself goes to the middle.
    let second = 0;
    const first = requestAnimationFrame(() => {
      second = requestAnimationFrame(() => {
        const mark = scroller.current?.querySelector('[data-testid="quote"]');
        mark?.scrollIntoView({
          block: align === 'center' ? 'center' : 'nearest',
          inline: 'nearest',
        });
      });
    });
    return () => {
      cancelAnimationFrame(first);
      cancelAnimationFrame(second);
    };
  }, [virtualizer, quoteRow, align]);

  const goTo = useCallback(
    (index: number) => virtualizer.scrollToIndex(index, { align: 'start' }),
    [virtualizer],
  );
  const inSight = virtualizer.getVirtualItemForOffset((virtualizer.scrollOffset ?? 0) + TOP);
  const position = { current: inSight?.index ?? 0, goTo };

  return (
    <>
      {props.renderToolbar?.(position)}
      {/* Focusable, so that it can be scrolled by keyboard. */}
      <section
        ref={scroller}
        className={classes.scroller}
        aria-label={label}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
      >
        <Whole className={className} style={style}>
          {props.renderHeading?.(position)}
          <Rows className={classes.rows} style={{ height: virtualizer.getTotalSize() }}>
            {virtualizer.getVirtualItems().map(({ index, key, start: top }) => {
              const { className: own, ...attributes } = rowProps?.(index) ?? {};
              return (
                <Row
                  key={key}
                  ref={virtualizer.measureElement}
                  data-index={index}
                  className={own ? `${classes.row} ${own}` : classes.row}
                  style={{ transform: `translateY(${top}px)` }}
                  {...attributes}
                >
                  {renderRow(index)}
                </Row>
              );
            })}
          </Rows>
        </Whole>
      </section>
    </>
  );
}
