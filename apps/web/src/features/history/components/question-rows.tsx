import type { HistoryThread } from '@engram/contract';
import { Highlight, Text } from '@mantine/core';
import { IconStar, IconStarFilled } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import {
  useVirtualizer,
  useWindowVirtualizer,
  type VirtualItem,
  type Virtualizer,
} from '@tanstack/react-virtual';
import {
  memo,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
} from 'react';
import { useNavigationType } from 'react-router';
import { keyOf } from '../../../api/keys.ts';
import { RowButton } from '../../../components/buttons.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { formatTime, plural } from '../../../format/format.ts';
import { useTimeZone } from '../../../format/time-zone.ts';
import { useUpdateHistory, type HistoryFilter } from '../api.ts';
import { rowToFocus, type HistoryRow } from '../history-rows.ts';
import classes from './question-rows.module.css';

interface QuestionRowsProps {
  rows: readonly HistoryRow[];
  filter: HistoryFilter;
  total: number;
  shownId: string | null;
  starred: boolean;
  onShow: (entry: HistoryThread, isToday: boolean) => void;
  onEnd: () => void;
  column: HTMLElement | null;
}

const AHEAD = 20;

/** Questions by day. Only the visible rows are rendered, below an empty space. */
export function QuestionRows(props: QuestionRowsProps) {
  const { rows, filter, total, shownId, starred, onShow, onEnd, column } = props;
  const list = useRef<HTMLElement>(null);
  const place = useStoredPlace(filter);
  const virtualizer = useRowVirtualizer({ rows, list, place, column });
  const onKeyDown = useRowFocus({
    rows,
    list,
    virtualizer,
    focusedKey: place?.focusedKey ?? null,
  });
  useStorePlace(filter, list, virtualizer);
  const words = useMemo(() => filter.q.split(/\s+/u).filter(Boolean), [filter.q]);

  const items = virtualizer.getVirtualItems();
  const isNearEnd = (items.at(-1)?.index ?? 0) >= rows.length - AHEAD;
  useEffect(() => {
    if (isNearEnd) onEnd();
  });

  const shown = items.flatMap(({ index }) => {
    const row = rows[index];
    return row ? { ...row, index } : [];
  });
  const days = Map.groupBy(shown, ({ heading }) => heading);
  const above = (items[0]?.start ?? 0) - virtualizer.options.scrollMargin;
  // The heading of the first day is there, even if its first question is not.
  const isHeadingEarly = shown[0]?.isFirstOfDay === false;
  return (
    <section
      ref={list}
      aria-label="Questions"
      className={classes.rows}
      style={{
        height: virtualizer.getTotalSize(),
        paddingTop: Math.max(0, above - (isHeadingEarly ? DAY_PX : 0)),
      }}
      onKeyDown={onKeyDown}
    >
      {[...days].map(([heading, entries]) => (
        <section key={heading} aria-label={heading}>
          <h2 className={classes.day} style={{ height: DAY_PX }}>
            {heading}
          </h2>
          <ul>
            {entries.map(({ index, entry }) => (
              <li
                key={entry.id}
                ref={virtualizer.measureElement}
                className={classes.row}
                data-index={index}
                data-key={entry.id}
                aria-setsize={total}
                aria-posinset={index + 1}
              >
                <QuestionRow
                  entry={entry}
                  isToday={heading === 'TODAY'}
                  shown={entry.id === shownId}
                  starred={starred}
                  words={words}
                  onShow={onShow}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </section>
  );
}

interface RowFocus {
  rows: readonly HistoryRow[];
  list: RefObject<HTMLElement | null>;
  virtualizer: RowVirtualizer;
  focusedKey: string | null;
}

const questionAt = (list: HTMLElement | null, row: string): HTMLElement | null =>
  list?.querySelector<HTMLElement>(`${row} [data-question]`) ?? null;

/** Arrow keys, Home and End move the focus between questions, including invisible ones. */
function useRowFocus({ rows, list, virtualizer, focusedKey }: RowFocus) {
  // The selector of a row that gets the focus once it is rendered.
  const toFocus = useRef(focusedKey === null ? null : `[data-key="${CSS.escape(focusedKey)}"]`);
  useLayoutEffect(() => {
    if (toFocus.current === null) return;
    const question = questionAt(list.current, toFocus.current);
    if (!question) return;
    toFocus.current = null;
    question.focus({ preventScroll: true });
  });
  return (event: KeyboardEvent<HTMLElement>): void => {
    const row = (event.target as HTMLElement).closest<HTMLElement>('[data-index]');
    if (!row || event.altKey || event.ctrlKey || event.metaKey) return;
    const index = rowToFocus(event.key, Number(row.dataset['index']), rows.length);
    if (index === null) return;
    event.preventDefault();
    const question = questionAt(list.current, `[data-index="${index}"]`);
    if (question) return question.focus();
    toFocus.current = `[data-index="${index}"]`;
    virtualizer.scrollToIndex(index, { align: 'auto' });
  };
}

interface Place {
  offset: number;
  sizes: VirtualItem[];
  focusedKey: string | null;
}

const placeKey = (filter: HistoryFilter) => [...keyOf('history'), 'place', filter] as const;

function useStoredPlace(filter: HistoryFilter): Place | undefined {
  const queries = useQueryClient();
  const isReturn = useNavigationType() === 'POP';
  const [place] = useState(() =>
    isReturn ? queries.getQueryData<Place>(placeKey(filter)) : undefined,
  );
  return place;
}

function useStorePlace(
  filter: HistoryFilter,
  list: RefObject<HTMLElement | null>,
  virtualizer: Pick<Virtualizer<Window, HTMLElement>, 'scrollOffset' | 'takeSnapshot'>,
): void {
  const queries = useQueryClient();
  const store = useEffectEvent(() => {
    const row = document.activeElement?.closest<HTMLElement>('[data-key]');
    queries.setQueryData<Place>(placeKey(filter), {
      offset: virtualizer.scrollOffset ?? 0,
      sizes: virtualizer.takeSnapshot(),
      focusedKey: (list.current?.contains(row ?? null) && row?.dataset['key']) || null,
    });
  });
  useLayoutEffect(() => () => store(), []);
}

/** The height of the heading of a day, which is measured with the day's first question. */
const DAY_PX = 37;
const QUESTION_PX = 70;
const OVERSCAN = 8;

type RowVirtualizer = Virtualizer<HTMLElement, HTMLElement> | Virtualizer<Window, HTMLElement>;

function useTopOf(list: RefObject<HTMLElement | null>, column: HTMLElement | null): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = (): void => {
      if (!list.current) return;
      const start = column
        ? column.getBoundingClientRect().top - column.scrollTop
        : -window.scrollY;
      setTop(Math.round(list.current.getBoundingClientRect().top - start));
    };
    measure();
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, [list, column]);
  return top;
}

interface VirtualRows {
  rows: readonly HistoryRow[];
  list: RefObject<HTMLElement | null>;
  place: Place | undefined;
  column: HTMLElement | null;
}

function useRowVirtualizer({ rows, list, place, column }: VirtualRows): RowVirtualizer {
  const options = {
    count: rows.length,
    estimateSize: useCallback(
      (index: number) => QUESTION_PX + (rows[index]?.isFirstOfDay ? DAY_PX : 0),
      [rows],
    ),
    getItemKey: useCallback((index: number) => rows[index]?.entry.id ?? index, [rows]),
    measureElement: (row: HTMLElement) =>
      row.getBoundingClientRect().height +
      (rows[Number(row.dataset['index'])]?.isFirstOfDay ? DAY_PX : 0),
    overscan: OVERSCAN,
    scrollMargin: useTopOf(list, column),
    ...(place && { initialOffset: place.offset, initialMeasurementsCache: place.sizes }),
  };
  const inColumn = useVirtualizer<HTMLElement, HTMLElement>({
    ...options,
    enabled: column !== null,
    getScrollElement: () => column,
  });
  const inPage = useWindowVirtualizer<HTMLElement>({ ...options, enabled: column === null });
  return column ? inColumn : inPage;
}

interface QuestionRowProps {
  entry: HistoryThread;
  shown: boolean;
  starred: boolean;
  isToday: boolean;
  words: readonly string[];
  onShow: (entry: HistoryThread, isToday: boolean) => void;
}

const QuestionRow = memo(function QuestionRow(props: QuestionRowProps) {
  const { entry, isToday, shown, starred, words, onShow } = props;
  const { timeZone, labelOf } = useTimeZone();
  return (
    <>
      <RowButton
        lined
        aria-current={shown || undefined}
        data-question
        onClick={() => onShow(entry, isToday)}
      >
        <Text span inherit lineClamp={2} dir="auto" fw={600}>
          <Highlight component="span" unstyled highlight={[...words]}>
            {entry.searchText}
          </Highlight>
        </Text>
        {entry.found !== null && (
          <Text span size="sm" lineClamp={2} dir="auto" c="dimmed">
            <Highlight component="span" unstyled highlight={[...words]}>
              {entry.found}
            </Highlight>
          </Text>
        )}
        <Text span size="sm" c="dimmed">
          {formatTime(entry.date, timeZone, labelOf(entry.date))}
          {entry.turns > 1 && ` · ${plural(entry.turns, 'question')}`}
          {entry.times > 1 && ` · asked ${entry.times} times`}
        </Text>
      </RowButton>
      {starred && <Star entry={entry} />}
    </>
  );
});

function Star({ entry }: { entry: HistoryThread }) {
  const { mutate: update, isPending } = useUpdateHistory();
  const label = entry.isBookmark ? 'Un-Save' : 'Save';
  return (
    <IconButton
      label={`${label}: ${entry.searchText}`}
      tooltip={label}
      icon={entry.isBookmark ? IconStarFilled : IconStar}
      iconSize={17}
      size={40}
      flex="none"
      {...(entry.isBookmark ? { c: 'var(--eg-accent)' } : {})}
      aria-busy={isPending}
      onClick={() => {
        if (isPending) return;
        // Also un-saves the whole conversation and repetitions of the question.
        update({
          body: {
            historyId: entry.id,
            isBookmark: !entry.isBookmark,
            ...(entry.isBookmark ? { wholeThread: true } : {}),
          },
        });
      }}
    />
  );
}
