import type { HistoryThread } from '@engram/contract';
import { Box, Skeleton, Stack } from '@mantine/core';
import { useDeferredValue, useMemo } from 'react';
import { ErrorState } from '../../../components/error-state.tsx';
import { TextButton } from '../../../components/text-button.tsx';
import { plural } from '../../../format/format.ts';
import { useTimeZone } from '../../../format/time-zone.ts';
import { useNow } from '../../../browser/use-now.ts';
import { useHistoryList, useNewestQuestions } from '../use-history-list.ts';
import type { HistoryFilter } from '../history-pages.ts';
import { historyRows } from '../history-rows.ts';
import { useHistoryFilter } from '../use-history-filter.ts';
import { HistoryFilters } from './history-filters.tsx';
import { HistorySkeleton, NothingFound } from './history-states.tsx';
import { ColumnQuestionRows, PageQuestionRows } from './question-rows.tsx';

export interface HistoryListProps {
  /** The question whose answer is shown. */
  shownId: string | null;
  /** `today` says whether it stands under TODAY. */
  onShow: (entry: HistoryThread, today: boolean) => void;
  /** The column that the list scrolls in; null where the page scrolls. */
  column: HTMLElement | null;
}

/** Past questions by day, with what narrows them down. */
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
  const { savedOnly, archivedOnly } = filter;
  // A question that was just saved or archived leaves a list that it no longer belongs to.
  const entries = useMemo(
    () =>
      (data?.pages ?? [])
        .flatMap((page) => page.entries)
        .filter((entry) => entry.isArchived === archivedOnly && (entry.isBookmark || !savedOnly)),
    [data, savedOnly, archivedOnly],
  );
  const current = useMemo(() => ({ entries, filter }), [entries, filter]);
  // Typing goes on while the rows of other words are drawn.
  const shown = useDeferredValue(current);
  const rows = useMemo(() => historyRows(shown.entries, timeZone, now), [shown, timeZone, now]);
  const total = hasNextPage ? Math.max(entries.length, data?.pages[0]?.total ?? 0) : entries.length;
  const rowsProps = {
    rows,
    filter: shown.filter,
    total,
    shownId,
    starred: !archivedOnly,
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
