import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { LoadState } from './loading-blocks.tsx';
import { plural } from '../format/format.ts';
import type { Pages } from '../api/use-pages.ts';
import classes from './paged-list.module.css';

interface PagedListProps<T> {
  pages: Pages<T>;
  /** Singular and plural of what is listed. */
  nouns: readonly [string, string];
  empty: ReactNode;
  children: (rows: readonly T[]) => ReactNode;
}

/** A list that is loaded page by page, with its loading, error and empty states. */
export function PagedList<T>({ pages, nouns, empty, children }: PagedListProps<T>) {
  const [one, many] = nouns;
  const { rows, total, hasMore } = pages;
  if (!rows) return <LoadState call={pages} what={`the ${many}`} heights={[44, 44, 44]} />;
  if (rows.length === 0) return empty;
  return (
    <div className={classes.list} data-stale={pages.isStale || undefined}>
      {children(rows)}
      <Group gap="8px 16px" mt={12}>
        <Text component="output" flex={1} size="sm" c="dimmed">
          {hasMore
            ? `${rows.length.toLocaleString('en-US')} of ${plural(total, one, many)}`
            : plural(rows.length, one, many)}
        </Text>
        {pages.moreFailed && (
          <Text span size="sm" c="red" role="alert">
            More {many} could not be loaded.
          </Text>
        )}
        {hasMore && (
          <Button
            variant="default"
            size="sm"
            loading={pages.isLoadingMore}
            onClick={pages.loadMore}
          >
            {pages.moreFailed ? 'Try again' : 'Show more'}
          </Button>
        )}
      </Group>
    </div>
  );
}
