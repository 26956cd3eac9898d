import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useRef, type CSSProperties, type ReactNode } from 'react';
import classes from './viewer.module.css';
import { overlaps, type TextRange } from '../find-in-text.ts';

interface RowsPosition {
  current: number;
  goTo: (index: number) => void;
}

/** The row at this many pixels below the window's top is the current one. */
const CURRENT_OFFSET = 24;

const elements = {
  lines: ['div', 'div', 'div'],
  list: ['div', 'ul', 'li'],
  table: ['table', 'tbody', 'tr'],
} as const;

interface QuotedRowsProps {
  label: string;
  count: number;
  /** The row in which the quote begins, or -1. */
  quoteRow: number;
  align?: 'start' | 'center';
  rowHeight: number;
  rowProps?: (index: number) => { className?: string | undefined; [attribute: string]: unknown };
  renderRow: (index: number) => ReactNode;
  className?: string | undefined;
  style?: CSSProperties;
  kind: keyof typeof elements;
  /** Stays above the rows while they scroll. */
  renderHeading?: (position: RowsPosition) => ReactNode;
  renderToolbar?: (position: RowsPosition) => ReactNode;
}

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
  const [Frame, Body, Row] = elements[props.kind];
  const scroller = useRef<HTMLElement>(null);
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });

  useEffect(() => {
    if (quoteRow === -1) return undefined;
    virtualizer.scrollToIndex(quoteRow, { align });
    // A row may be taller than the window, so the mark itself is centered after layout.
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
  const visible = virtualizer.getVirtualItemForOffset(
    (virtualizer.scrollOffset ?? 0) + CURRENT_OFFSET,
  );
  const position = { current: visible?.index ?? 0, goTo };

  return (
    <>
      {props.renderToolbar?.(position)}
      <section ref={scroller} className={classes.scroller} aria-label={label} tabIndex={0}>
        <Frame className={className} style={style}>
          {props.renderHeading?.(position)}
          <Body className={classes.rows} style={{ height: virtualizer.getTotalSize() }}>
            {virtualizer.getVirtualItems().map(({ index, key, start: top }) => {
              const { className: rowClass, ...attributes } = rowProps?.(index) ?? {};
              return (
                <Row
                  key={key}
                  ref={virtualizer.measureElement}
                  data-index={index}
                  className={rowClass ? `${classes.row} ${rowClass}` : classes.row}
                  style={{ transform: `translateY(${top}px)` }}
                  {...attributes}
                >
                  {renderRow(index)}
                </Row>
              );
            })}
          </Body>
        </Frame>
      </section>
    </>
  );
}

interface MarkedTextProps {
  text: string;
  start: number;
  end: number;
  quote: TextRange | null;
}

export function MarkedText({ text, start, end, quote }: MarkedTextProps) {
  if (!quote || !overlaps([start, end], quote)) return text.slice(start, end);
  const [from, to] = [Math.max(start, quote[0]), Math.min(end, quote[1])];
  return (
    <>
      {text.slice(start, from)}
      <mark data-testid="quote">{text.slice(from, to)}</mark>
      {text.slice(to, end)}
    </>
  );
}
