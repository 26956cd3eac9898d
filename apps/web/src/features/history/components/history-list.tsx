import type { HistoryEntry } from '@engram/contract';
import { ActionIcon, Checkbox, Skeleton, TextInput, Tooltip } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconHistory, IconSearch, IconStar, IconStarFilled } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { formatTime } from '../../../lib/format.ts';
import { useAppSettings } from '../../../lib/settings.ts';
import { useNow } from '../../../lib/use-now.ts';
import { useHistoryList, type HistoryFilter } from '../api/list-history.ts';
import { groupByDay } from '../group-by-day.ts';
import rowButton from '../../../components/row-button.module.css';
import classes from './history-list.module.css';

interface HistoryListProps {
  /** The question whose answer is shown. */
  shownId: string | null;
  /** `today` says whether it stands under TODAY. */
  onShow: (entry: HistoryEntry, today: boolean) => void;
  onSave: (id: string, saved: boolean) => void;
}

/** Pause in typing after which the list is filtered, in milliseconds. */
const TYPING_PAUSE_MS = 250;

/** Past questions by day, with what narrows them down. */
export function HistoryList(props: HistoryListProps) {
  const [text, setText] = useState('');
  const [only, setOnly] = useState<'saved' | 'archived' | null>(null);
  const [q] = useDebouncedValue(text.trim(), TYPING_PAUSE_MS);
  const toggle = (which: 'saved' | 'archived') => setOnly(only === which ? null : which);
  return (
    <div className={classes.history}>
      <TextInput
        type="search"
        placeholder="Search..."
        aria-label="Search your questions"
        leftSection={<IconSearch size={17} stroke={1.8} />}
        maxLength={300}
        data-search-input
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div className={classes.filters}>
        <Checkbox
          size="sm"
          label="Show Saved Only"
          checked={only === 'saved'}
          onChange={() => toggle('saved')}
        />
        <Checkbox
          size="sm"
          label="Show Archived Only"
          checked={only === 'archived'}
          onChange={() => toggle('archived')}
        />
      </div>
      <Entries
        {...props}
        filter={{ q, savedOnly: only === 'saved', archivedOnly: only === 'archived' }}
      />
    </div>
  );
}

function Entries({
  filter,
  shownId,
  onShow,
  onSave,
}: HistoryListProps & { filter: HistoryFilter }) {
  const { timeZone } = useAppSettings();
  const now = useNow();
  const query = useHistoryList(filter);
  if (query.isPending) return <HistorySkeleton />;
  if (query.isError && !query.data) {
    return (
      <ErrorState
        title="Your questions could not be loaded"
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    );
  }
  // An entry that was just saved or archived leaves a list that it no longer belongs to.
  const entries = query.data.pages
    .flatMap((page) => page.entries)
    .filter((entry) => entry.isArchived === filter.archivedOnly)
    .filter((entry) => entry.isBookmark || !filter.savedOnly);
  if (entries.length === 0 && !query.hasNextPage) return <NothingFound filter={filter} />;
  return (
    <>
      {groupByDay(entries, timeZone, now).map(({ heading, entries }) => (
        <section key={heading} aria-label={heading}>
          <h2 className={classes.day}>{heading}</h2>
          <ul className={classes.list}>
            {entries.map((entry) => (
              <EntryRow
                key={entry.id}
                entry={entry}
                shown={entry.id === shownId}
                starred={!filter.archivedOnly}
                onShow={() => onShow(entry, heading === 'TODAY')}
                onSave={onSave}
              />
            ))}
          </ul>
        </section>
      ))}
      {query.hasNextPage && (
        <MoreEntries
          failed={query.isFetchNextPageError}
          loading={query.isFetchingNextPage}
          onMore={() => void query.fetchNextPage()}
        />
      )}
    </>
  );
}

interface EntryRowProps {
  entry: HistoryEntry;
  shown: boolean;
  /** Whether the entry can be saved from here. */
  starred: boolean;
  onShow: () => void;
  onSave: (id: string, saved: boolean) => void;
}

function EntryRow({ entry, shown, starred, onShow, onSave }: EntryRowProps) {
  const { timeZone, timeZoneLabel } = useAppSettings();
  const label = entry.isBookmark ? 'Un-Save' : 'Save';
  return (
    <li className={classes.row}>
      <button
        type="button"
        className={`${rowButton.row} ${classes.entry}`}
        aria-current={shown || undefined}
        onClick={onShow}
      >
        <span className={classes.question}>{entry.searchText}</span>
        <span className={classes.time}>{formatTime(entry.date, timeZone, timeZoneLabel)}</span>
      </button>
      {starred && (
        <Tooltip label={label}>
          <ActionIcon
            variant="subtle"
            color={entry.isBookmark ? 'indigo' : 'gray'}
            size={36}
            aria-label={`${label}: ${entry.searchText}`}
            onClick={() => onSave(entry.id, !entry.isBookmark)}
          >
            {entry.isBookmark ? <IconStarFilled size={17} /> : <IconStar size={17} stroke={1.8} />}
          </ActionIcon>
        </Tooltip>
      )}
    </li>
  );
}

interface MoreEntriesProps {
  failed: boolean;
  loading: boolean;
  onMore: () => void;
}

/** Fetches the next page when it comes into sight; a button for when that fails. */
function MoreEntries({ failed, loading, onMore }: MoreEntriesProps) {
  const sentinel = useRef<HTMLDivElement>(null);
  const more = useRef(onMore);
  useEffect(() => {
    more.current = onMore;
  });
  useEffect(() => {
    if (!sentinel.current || loading || failed) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) more.current();
      },
      { rootMargin: '400px' },
    );
    observer.observe(sentinel.current);
    return () => observer.disconnect();
  }, [loading, failed]);
  return (
    <div ref={sentinel} className={classes.more}>
      {failed ? (
        <button type="button" className={classes.again} onClick={onMore}>
          Earlier questions could not be loaded. Try again
        </button>
      ) : (
        <Skeleton height={48} />
      )}
    </div>
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
    />
  );
}

function HistorySkeleton() {
  return (
    <section className={classes.skeleton} aria-busy="true" aria-label="Loading your questions">
      {['a', 'b', 'c', 'd', 'e', 'f'].map((row) => (
        <Skeleton key={row} height={48} />
      ))}
    </section>
  );
}
