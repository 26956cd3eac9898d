import type { HistoryThread } from '@engram/contract';
import { useEffect, useMemo, useRef, type RefObject } from 'react';
import type { HistoryFilter } from '../history-pages.ts';
import type { HistoryRow } from '../history-rows.ts';
import { useKeepPlace, useRememberedPlace, type Place } from '../use-remembered-place.ts';
import { useRowFocus } from '../use-row-focus.ts';
import { useColumnRows, usePageRows, type RowVirtualizer } from '../use-virtual-rows.ts';
import { visibleDays } from '../visible-days.ts';
import { QuestionRow } from './question-row.tsx';
import classes from './question-rows.module.css';

export interface QuestionRowsProps {
  rows: readonly HistoryRow[];
  filter: HistoryFilter;
  /** How many questions there are, read or not. */
  total: number;
  shownId: string | null;
  starred: boolean;
  onShow: (entry: HistoryThread, today: boolean) => void;
  /** Called while the last rows are near. */
  onEnd: () => void;
}

/** Rows before the end at which more are asked for. */
const AHEAD = 20;

/** Questions by day where a column scrolls. */
export function ColumnQuestionRows({
  column,
  ...props
}: QuestionRowsProps & { column: HTMLElement }) {
  const list = useRef<HTMLDivElement>(null);
  const place = useRememberedPlace(props.filter);
  const virtualizer = useColumnRows({ rows: props.rows, list, place, column });
  return <Rows {...props} {...{ list, place, virtualizer }} />;
}

/** Questions by day where the page scrolls. */
export function PageQuestionRows(props: QuestionRowsProps) {
  const list = useRef<HTMLDivElement>(null);
  const place = useRememberedPlace(props.filter);
  const virtualizer = usePageRows({ rows: props.rows, list, place });
  return <Rows {...props} {...{ list, place, virtualizer }} />;
}

interface RowsProps extends QuestionRowsProps {
  list: RefObject<HTMLDivElement | null>;
  place: Place | undefined;
  virtualizer: RowVirtualizer;
}

/** The rows in sight, in the page's own flow below the room of those above them. */
function Rows(props: RowsProps) {
  const { rows, filter, total, shownId, starred, onShow, onEnd, list, place, virtualizer } = props;
  const onKeyDown = useRowFocus({
    rows,
    list,
    virtualizer,
    focusedKey: place?.focusedKey ?? null,
  });
  useKeepPlace(filter, list, virtualizer);
  const words = useMemo(() => filter.q.split(/\s+/u).filter(Boolean), [filter.q]);

  const items = virtualizer.getVirtualItems();
  const isNearEnd = (items.at(-1)?.index ?? 0) >= rows.length - AHEAD;
  useEffect(() => {
    if (isNearEnd) onEnd();
  });

  const days = visibleDays(items, rows);
  const top = virtualizer.options.scrollMargin;
  const [first] = items;
  const [firstDay] = days;
  let above = (first?.start ?? top) - top;
  if (first && firstDay && first.index !== firstDay.dayIndex) {
    above -= virtualizer.measurementsCache[firstDay.dayIndex]?.size ?? 0;
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys move between its buttons
    <div
      ref={list}
      className={classes.rows}
      style={{ height: virtualizer.getTotalSize(), paddingTop: Math.max(0, above) }}
      onKeyDown={onKeyDown}
    >
      {days.map(({ heading, dayIndex, entries }) => (
        <section key={heading} aria-label={heading}>
          <h2 ref={virtualizer.measureElement} data-index={dayIndex} className={classes.day}>
            {heading}
          </h2>
          <ul>
            {entries.map(({ index, row }) => (
              <li
                key={row.key}
                ref={virtualizer.measureElement}
                className={classes.row}
                data-index={index}
                data-key={row.key}
                aria-setsize={total}
                aria-posinset={row.position}
              >
                <QuestionRow
                  entry={row.entry}
                  today={heading === 'TODAY'}
                  shown={row.key === shownId}
                  starred={starred}
                  words={words}
                  onShow={onShow}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
