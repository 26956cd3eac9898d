import { Box, Button, Group, Text } from '@mantine/core';
import type { Icon as TablerIcon } from '@tabler/icons-react';
import {
  Children,
  useId,
  useLayoutEffect,
  useRef,
  type ComponentProps,
  type ReactNode,
} from 'react';
import { LoadState, type LoadStateProps } from './loading-blocks.tsx';
import { ErrorText, FailureNote } from './notice.tsx';
import { plural } from '../format/format.ts';
import type { Pages } from '../api/use-pages.ts';
import classes from './lists.module.css';

interface ListSectionProps extends ComponentProps<'section'> {
  title: string;
  count?: number | undefined;
  actions?: ReactNode;
}

export function ListSection({ title, count = 0, actions, children, ...section }: ListSectionProps) {
  const titleId = useId();
  return (
    <section aria-labelledby={titleId} {...section}>
      <Group gap={8} mb={12}>
        <Text component="h2" id={titleId} fz="lg" fw={650}>
          {title}
        </Text>
        {count > 0 && (
          <Text span size="sm" c="dimmed">
            {count.toLocaleString('en-US')}
          </Text>
        )}
        {actions}
      </Group>
      {children}
    </section>
  );
}

export const Rows = ({ label, children }: { label: string; children: ReactNode }) => (
  <ul tabIndex={-1} aria-label={label}>
    {children}
  </ul>
);

interface RowProps {
  icon?: TablerIcon;
  name: ReactNode;
  facts: readonly ReactNode[];
  action?: ReactNode;
}

export const Row = ({ icon: Icon, name, facts, action }: RowProps) => (
  <li className={classes.row}>
    {Icon && <Icon color="var(--eg-ink-3)" size={20} stroke={1.6} aria-hidden="true" />}
    <Box flex="1 1 180px" miw={0}>
      <Group component="span" gap="2px 10px" fw={600}>
        {name}
      </Group>
      {Children.map(facts, (line) => (
        <Group component="span" gap="0 16px" fz="sm" c="dimmed">
          {line}
        </Group>
      ))}
    </Box>
    {action}
  </li>
);

interface PagedListProps<T> {
  pages: Pages<T>;
  /** Singular and plural of the rows. */
  nouns: readonly [string, string];
  empty: ReactNode;
  children: (rows: readonly T[]) => ReactNode;
}

export function PagedList<T>({ pages, nouns, empty, children }: PagedListProps<T>) {
  const [singular, pluralNoun] = nouns;
  const { data, hasNextPage: hasMore, isFetchNextPageError: moreFailed } = pages;
  if (!data) return <LoadState call={pages} what={`the ${pluralNoun}`} heights={[44, 44, 44]} />;
  const { rows, total } = data;
  if (rows.length === 0) return empty;
  return (
    <div className={classes.list} data-stale={pages.isPlaceholderData || undefined}>
      {children(rows)}
      <Group gap="8px 16px" mt={12}>
        <Text component="output" flex={1} size="sm" c="dimmed">
          {hasMore
            ? `${rows.length.toLocaleString('en-US')} of ${plural(total, singular, pluralNoun)}`
            : plural(rows.length, singular, pluralNoun)}
        </Text>
        <ErrorText>{moreFailed && `More ${pluralNoun} could not be loaded.`}</ErrorText>
        {hasMore && (
          <Button
            variant="default"
            loading={pages.isFetchingNextPage}
            onClick={() => void pages.fetchNextPage()}
          >
            {moreFailed ? 'Try again' : 'Show more'}
          </Button>
        )}
      </Group>
    </div>
  );
}

export interface CallListProps<T> extends Omit<LoadStateProps, 'call'> {
  call: { data: readonly T[] | undefined; error: unknown; refetch: () => unknown };
  empty: ReactNode;
  children: (rows: readonly T[]) => ReactNode;
}

export function CallList<T>({ call, empty, children, ...state }: CallListProps<T>) {
  const { data: rows, error } = call;
  const list = useRef<HTMLDivElement>(null);
  const count = rows?.length ?? 0;
  const previousCount = useRef(count);
  useLayoutEffect(() => {
    // The button that had the focus was removed with its row.
    const isLost = count < previousCount.current && document.activeElement === document.body;
    previousCount.current = count;
    if (isLost) (list.current?.querySelector('ul') ?? list.current)?.focus();
  }, [count]);
  if (!rows) return <LoadState call={call} {...state} />;
  return (
    <div ref={list} tabIndex={-1}>
      <FailureNote title="The list may be out of date." error={error} />
      {rows.length === 0 ? empty : children(rows)}
    </div>
  );
}
