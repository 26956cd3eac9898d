import { Button, Skeleton, Stack } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { EmptyState } from '../../../components/empty-state.tsx';
import type { HistoryFilter } from '../history-pages.ts';

/** Why there are no questions to show, and what to do. */
export function NothingFound({ filter }: { filter: HistoryFilter }) {
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

/** The outline of the list while it is read. */
export function HistorySkeleton() {
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
