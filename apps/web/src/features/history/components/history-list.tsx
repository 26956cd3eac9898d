import type { HistoryThread } from '@engram/contract';
import { Box, Button, Checkbox, Group, Skeleton, Stack, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconHistory, IconSearch } from '@tabler/icons-react';
import { useDeferredValue, useMemo } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { useAddressQuery, useOptimisticValue } from '../../../browser/address.ts';
import { useNow } from '../../../browser/clock.ts';
import { TextButton } from '../../../components/buttons.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { LoadState } from '../../../components/loading-blocks.tsx';
import { plural } from '../../../format/format.ts';
import { useTimeZone } from '../../../format/time-zone.ts';
import { matchesFilter, useHistoryList, type HistoryFilter } from '../api.ts';
import { historyRows } from '../history-rows.ts';
import { QuestionRows } from './question-rows.tsx';

interface HistoryListProps {
  shownId: string | null;
  onShow: (entry: HistoryThread, isToday: boolean) => void;
  /** The column that scrolls the list; null if the page scrolls. */
  column: HTMLElement | null;
}

export function HistoryList(props: HistoryListProps) {
  const { filter } = useHistoryFilter();
  return (
    <Stack gap={14}>
      <HistoryFilters />
      <Questions {...props} filter={filter} />
    </Stack>
  );
}

const NONE: readonly HistoryThread[] = [];

type QuestionsProps = HistoryListProps & { filter: HistoryFilter };

function Questions({ filter, shownId, onShow, column }: QuestionsProps) {
  const { timeZone } = useTimeZone();
  const now = useNow();
  const list = useHistoryList(filter);
  // A question that was just archived or un-saved no longer belongs to the list.
  const entries = useMemo(
    () => (list.data?.rows ?? NONE).filter((entry) => matchesFilter(entry, filter)),
    [list.data, filter],
  );
  const current = useMemo(() => ({ entries, filter }), [entries, filter]);
  // Rows render in the background while the user types.
  const shown = useDeferredValue(current);
  const rows = useMemo(() => historyRows(shown.entries, timeZone, now), [shown, timeZone, now]);
  // The rows of new entries render later.
  const isLoading = entries.length === 0 ? list.isPlaceholderData : rows.length === 0;
  if (!list.data || isLoading) {
    return (
      <LoadState
        call={list}
        what="your questions"
        failed="Error fetching search history"
        heights={[48, 48, 48, 48, 48, 48]}
      />
    );
  }
  const loadMore = (): void => void list.fetchNextPage();
  const total = list.hasNextPage ? Math.max(entries.length, list.data.total) : entries.length;
  return (
    <>
      <output className="eg-visually-hidden">{plural(total, 'question')}</output>
      {entries.length === 0 && !list.hasNextPage ? (
        <NothingFound filter={filter} />
      ) : (
        <QuestionRows
          key={JSON.stringify(shown.filter)}
          rows={rows}
          filter={shown.filter}
          total={total}
          shownId={shownId}
          starred={filter.only !== 'archived'}
          onShow={onShow}
          onEnd={() => {
            if (list.hasNextPage && !list.isFetchingNextPage && !list.isFetchNextPageError)
              loadMore();
          }}
          column={column}
        />
      )}
      {list.hasNextPage && (
        <Box py={8}>
          {list.isFetchNextPageError ? (
            <TextButton c="red" fw={400} py={8} ta="start" onClick={loadMore}>
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

const TYPING_PAUSE_MS = 250;

function HistoryFilters() {
  const { filter, change } = useHistoryFilter();
  const words = useOptimisticValue(filter.q, (q) => change('q', q));
  const only = useOptimisticValue(filter.only, (option) => change('only', option));
  const commitWords = useDebouncedCallback(words.commit, TYPING_PAUSE_MS);
  const toggle = (option: HistoryFilter['only']): void => {
    const next = only.shown === option ? null : option;
    only.show(next);
    only.commit(next);
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
          checked={only.shown === 'saved'}
          onChange={() => toggle('saved')}
        />
        <Checkbox
          size="sm"
          label="Show Archived Only"
          checked={only.shown === 'archived'}
          onChange={() => toggle('archived')}
        />
      </Group>
    </Stack>
  );
}

function NothingFound({ filter: { q, only } }: { filter: HistoryFilter }) {
  const words = { title: 'No question found', text: 'Try fewer or other words.' };
  const saved = {
    title: 'Nothing saved yet',
    text: 'Questions that you save with the star are listed here.',
  };
  const archived = {
    title: 'Nothing archived',
    text: 'Questions that you archive are listed here.',
  };
  const unfiltered = {
    title: 'No questions yet',
    text: 'Questions from the search page are listed here, with their answers.',
    action: (
      <Button component={Link} to={paths.search}>
        Ask a question
      </Button>
    ),
  };
  const marked = only ? { saved, archived }[only] : unfiltered;
  return <EmptyState icon={<IconHistory size={24} stroke={1.6} />} {...(q ? words : marked)} />;
}

function useHistoryFilter() {
  const { query, change: changeQuery } = useAddressQuery();
  const q = query.get('q') ?? '';
  const value = query.get('only');
  const only = value === 'saved' || value === 'archived' ? value : null;
  const filter: HistoryFilter = useMemo(() => ({ q, only }), [q, only]);
  const change = (name: 'q' | 'only', next: string | null): void =>
    changeQuery(
      (before) => {
        const after = new URLSearchParams(before);
        if (next) after.set(name, next);
        else after.delete(name);
        return after;
      },
      { replace: true },
    );
  return { filter, change };
}
