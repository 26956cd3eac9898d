import type { HistoryThread } from '@engram/contract';
import { Box, Skeleton, Stack, Checkbox, Group, TextInput, Button } from '@mantine/core';
import { useDeferredValue, useMemo } from 'react';
import { ErrorState } from '../../../components/empty-state.tsx';
import { TextButton } from '../../../components/buttons.tsx';
import { plural } from '../../../format/format.ts';
import { useTimeZone } from '../../../format/time-zone.ts';
import { useNow } from '../../../browser/clock.ts';
import { useHistoryList, useNewestQuestions } from '../use-history-list.ts';
import { belongs, type HistoryFilter } from '../history-pages.ts';
import { historyRows } from '../history-rows.ts';
import { ColumnQuestionRows, PageQuestionRows } from './question-rows.tsx';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch, IconHistory } from '@tabler/icons-react';
import { useShownAtOnce } from '../../../browser/address.ts';
import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { EmptyState } from '../../../components/empty-state.tsx';
import { useAddressQuery } from '../../../browser/address.ts';

interface HistoryListProps {
  /** The question whose answer is shown. */
  shownId: string | null;
  /** `today` says whether the question is under TODAY. */
  onShow: (entry: HistoryThread, today: boolean) => void;
  /** The column that the list scrolls in; null where the page scrolls. */
  column: HTMLElement | null;
}

/** Past questions by day, with filters. */
export function HistoryList(props: HistoryListProps) {
  const { filter } = useHistoryFilter();
  return (
    <Stack gap={14}>
      <HistoryFilters />
      <Questions {...props} filter={filter} />
    </Stack>
  );
}

type QuestionsProps = HistoryListProps & { filter: HistoryFilter };

function Questions(props: QuestionsProps) {
  const { data, isPending, isError, error, refetch } = useHistoryList(props.filter);
  if (isPending) return <HistorySkeleton />;
  if (isError && !data) {
    return (
      <ErrorState
        title="Error fetching search history"
        error={error}
        onRetry={() => void refetch()}
      />
    );
  }
  return <LoadedQuestions {...props} />;
}

function LoadedQuestions({ filter, shownId, onShow, column }: QuestionsProps) {
  const { timeZone } = useTimeZone();
  const now = useNow();
  const list = useHistoryList(filter);
  useNewestQuestions(filter, !list.isPlaceholderData);
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list;
  // A question that was just saved or archived may not belong to the list any more.
  const entries = useMemo(
    () =>
      (data?.pages ?? []).flatMap((page) => page.entries).filter((entry) => belongs(entry, filter)),
    [data, filter],
  );
  const current = useMemo(() => ({ entries, filter }), [entries, filter]);
  // Rows render in the background while the user types.
  const shown = useDeferredValue(current);
  const rows = useMemo(() => historyRows(shown.entries, timeZone, now), [shown, timeZone, now]);
  const total = hasNextPage ? Math.max(entries.length, data?.pages[0]?.total ?? 0) : entries.length;
  const rowsProps = {
    rows,
    filter: shown.filter,
    total,
    shownId,
    starred: !filter.archivedOnly,
    onShow,
    onEnd: () => {
      if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
    },
  };
  return (
    <>
      <output className="eg-visually-hidden">{plural(total, 'question')}</output>
      {entries.length === 0 && !hasNextPage ? (
        <NothingFound filter={filter} />
      ) : (
        <div key={JSON.stringify(shown.filter)}>
          {column ? (
            <ColumnQuestionRows {...rowsProps} column={column} />
          ) : (
            <PageQuestionRows {...rowsProps} />
          )}
        </div>
      )}
      {hasNextPage && (
        <Box py={8}>
          {isFetchNextPageError ? (
            <TextButton c="red" fw={400} py={8} ta="start" onClick={() => void fetchNextPage()}>
              Earlier questions could not be loaded. Try again
            </TextButton>
          ) : (
            <Skeleton height={48} />
          )}
        </Box>
      )}
    </>
  );
}

/** Pause in typing after which the list is filtered, in milliseconds. */
const TYPING_PAUSE_MS = 250;

function HistoryFilters() {
  const { filter, only, setWords, setOnly } = useHistoryFilter();
  const words = useShownAtOnce(filter.q, setWords);
  const mark = useShownAtOnce(only, setOnly);
  const commitWords = useDebouncedCallback(words.commit, TYPING_PAUSE_MS);
  const toggle = (which: Only): void => {
    const next = mark.shown === which ? null : which;
    mark.show(next);
    mark.commit(next);
  };
  return (
    <Stack component="search" gap={14}>
      <TextInput
        type="search"
        placeholder="Search..."
        aria-label="Search your questions"
        leftSection={<IconSearch size={17} stroke={1.8} />}
        maxLength={300}
        data-search-input
        value={words.shown}
        onChange={({ currentTarget: { value } }) => {
          words.show(value);
          commitWords(value.trim());
        }}
      />
      <Group gap="10px 20px">
        <Checkbox
          size="sm"
          label="Show Saved Only"
          checked={mark.shown === 'saved'}
          onChange={() => toggle('saved')}
        />
        <Checkbox
          size="sm"
          label="Show Archived Only"
          checked={mark.shown === 'archived'}
          onChange={() => toggle('archived')}
        />
      </Group>
    </Stack>
  );
}

function NothingFound({ filter }: { filter: HistoryFilter }) {
  const icon = <IconHistory size={24} stroke={1.6} />;
  if (filter.q) {
    return <EmptyState icon={icon} title="No question found" text="Try fewer or other words." />;
  }
  if (filter.savedOnly) {
    return (
      <EmptyState
        icon={icon}
        title="Nothing saved yet"
        text="Save a question with the star beside it, and find it here again."
      />
    );
  }
  if (filter.archivedOnly) {
    return (
      <EmptyState
        icon={icon}
        title="Nothing archived"
        text="Questions that you archive are kept here, out of the way."
      />
    );
  }
  return (
    <EmptyState
      icon={icon}
      title="No questions yet"
      text="What you ask on the search page is kept here, with its answer."
      action={
        <Button component={Link} to={paths.search}>
          Ask a question
        </Button>
      }
    />
  );
}

function HistorySkeleton() {
  return (
    <Stack
      component="section"
      gap={12}
      pt={12}
      aria-busy="true"
      aria-label="Loading your questions"
    >
      {['a', 'b', 'c', 'd', 'e', 'f'].map((row) => (
        <Skeleton key={row} height={48} />
      ))}
    </Stack>
  );
}

type Only = 'saved' | 'archived';

const only = (value: string | null): Only | null =>
  value === 'saved' || value === 'archived' ? value : null;

/** The filter in the address, so that Back, a reload and a link show the same questions. */
function useHistoryFilter() {
  const { query, change: changeQuery } = useAddressQuery();
  const q = query.get('q') ?? '';
  const mark = only(query.get('only'));
  const filter: HistoryFilter = useMemo(
    () => ({ q, savedOnly: mark === 'saved', archivedOnly: mark === 'archived' }),
    [q, mark],
  );
  const change = (name: 'q' | 'only', value: string | null): void =>
    changeQuery(
      (before) => {
        const after = new URLSearchParams(before);
        if (value) after.set(name, value);
        else after.delete(name);
        return after;
      },
      { replace: true },
    );
  return {
    filter,
    only: mark,
    setWords: (words: string) => change('q', words),
    setOnly: (which: Only | null) => change('only', which),
  };
}
