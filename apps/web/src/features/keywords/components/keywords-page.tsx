import type { Keyword } from '@engram/contract';
import { listKeywords, setKeywordActive } from '@engram/contract/browser';
import { Group, NativeSelect, Skeleton, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useDeferredValue, useId, useState, type ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { useCall } from '../../../api/use-call.ts';
import {
  useKeywords,
  keywordsErrorTitle,
  keywordChange,
  keywordsKey,
  refreshKeywords,
} from '../../../artifacts/keywords.ts';
import { ErrorState } from '../../../components/empty-state.tsx';
import { FailureNote } from '../../../components/notice.tsx';
import {
  isSortOrder,
  matchingKeywords,
  sortKeywords,
  sortOrders,
  type SortOrder,
} from '../find-keywords.ts';
import { KeywordBox } from './keyword-box.tsx';
import { KeywordItem } from './keyword-item.tsx';
import { ListSection } from '../../../components/lists.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { notifyError } from '../../../components/notify.ts';
import { Page } from '../../../components/page.tsx';
import { notifyUndoable } from '../../../components/undo-toast.tsx';

const SORT_PARAM = 'sort';

const filesById = (keywords: readonly Keyword[]): ReadonlyMap<string, number> =>
  new Map(keywords.map(({ id, files }) => [id, files ?? 0]));

function useSortOrder(): [SortOrder, (order: SortOrder) => void] {
  const [params, setParams] = useSearchParams();
  const param = params.get(SORT_PARAM);
  const setOrder = (order: SortOrder): void =>
    setParams({ [SORT_PARAM]: order }, { replace: true, preventScrollReset: true });
  return [isSortOrder(param) ? param : 'name-up', setOrder];
}

/** Archives a keyword or makes it active again, with undo. An error of the server reverts it. */
function useToggleKeyword(): (keyword: Keyword) => void {
  const queries = useQueryClient();
  const show = ({ id }: Keyword, isActive: boolean): void =>
    void queries.setQueryData(keywordsKey, (known) =>
      known?.map((other) => (other.id === id ? { ...other, isActive } : other)),
    );
  const { mutate: setActive } = useMutation({
    ...keywordChange,
    mutationFn: ({ keyword, isActive }: { keyword: Keyword; isActive: boolean }) =>
      api.call(setKeywordActive, {
        params: { id: keyword.id, isActive: isActive ? 'true' : 'false' },
      }),
    onMutate: async ({ keyword, isActive }) => {
      // A list that is being fetched may not contain the change yet.
      await queries.cancelQueries({ queryKey: keywordsKey, exact: true });
      show(keyword, isActive);
    },
    onError: (error, { keyword, isActive }) => {
      show(keyword, !isActive);
      notifications.hide(keyword.id);
      notifyError(
        `“${keyword.keyword}” was not ${isActive ? 'made active again' : 'archived'}`,
        error,
      );
    },
    onSettled: () => void refreshKeywords(queries),
  });
  return (keyword) => {
    const isActive = !keyword.isActive;
    setActive({ keyword, isActive });
    // Only the last of several changes is shown.
    notifications.hide(keyword.id);
    notifyUndoable(
      keyword.id,
      `“${keyword.keyword}” is ${isActive ? 'active again' : 'archived'}.`,
      () => {
        notifications.hide(keyword.id);
        setActive({ keyword, isActive: !isActive });
      },
      8000,
    );
  };
}

export default function KeywordsPage() {
  return (
    <Page title="Keywords" lead="Words that group your files, and narrow a search to some of them.">
      <Keywords />
    </Page>
  );
}

function Keywords() {
  const { data: keywords, isError, error, refetch } = useKeywords();
  const { data: files } = useCall(
    listKeywords,
    // Separate from the list, since counting takes longer.
    { query: { files: 'true' } },
    { staleTime: 0, select: filesById },
  );
  const [typed, setTyped] = useState('');
  const [order, setOrder] = useSortOrder();
  const move = useToggleKeyword();
  const sortId = useId();
  // A long list is filtered in the background while the user types.
  const filter = useDeferredValue(typed);

  const items = (isActive: boolean): ReactNode[] =>
    sortKeywords(
      matchingKeywords(keywords ?? [], filter).filter((keyword) => keyword.isActive === isActive),
      order,
      ({ id }) => files?.get(id) ?? 0,
    ).map((keyword) => (
      <KeywordItem
        key={keyword.id}
        keyword={keyword}
        files={files?.get(keyword.id)}
        onMove={move}
      />
    ));

  if (isError && !keywords) {
    return <ErrorState title={keywordsErrorTitle(error)} error={error} onRetry={refetch} />;
  }
  return (
    <Stack gap={32}>
      <KeywordBox keywords={keywords} typed={typed} onType={setTyped} onReactivate={move} />
      <FailureNote
        title={`${keywordsErrorTitle(error)}.`}
        error={error}
        advice="The list may be out of date."
      />
      <KeywordSection
        title="Active Keywords"
        items={keywords && items(true)}
        emptyText="No active keyword contains these letters."
        action={
          <Group gap={10} ml={{ xs: 'auto' }} w={{ base: '100%', xs: 'auto' }} wrap="nowrap">
            <Text component="label" size="sm" c="dimmed" htmlFor={sortId}>
              Sort by
            </Text>
            <NativeSelect
              id={sortId}
              data={Object.entries(sortOrders).map(([value, label]) => ({ value, label }))}
              value={order}
              onChange={({ currentTarget: { value } }) => isSortOrder(value) && setOrder(value)}
            />
          </Group>
        }
      />
      {keywords && (
        <KeywordSection
          title="Archived Keywords"
          items={items(false)}
          emptyText={
            keywords.every(({ isActive }) => isActive)
              ? 'Keywords that you archive are listed here. They stay on their files, but are not suggested.'
              : 'No archived keyword contains these letters.'
          }
        />
      )}
    </Stack>
  );
}

interface KeywordSectionProps {
  title: string;
  items: ReactNode[] | undefined;
  emptyText: string;
  action?: ReactNode;
}

const KeywordSection = ({ title, items, emptyText, action }: KeywordSectionProps) => (
  <ListSection title={title} count={items?.length} actions={action} aria-busy={items === undefined}>
    {items === undefined && <KeywordsSkeleton />}
    {items && items.length > 0 && (
      <Group component="ul" gap={8} m={0} p={0} style={{ listStyle: 'none' }}>
        {items}
      </Group>
    )}
    {items?.length === 0 && (
      <Text maw="62ch" c="dimmed">
        {emptyText}
      </Text>
    )}
  </ListSection>
);

const KeywordsSkeleton = () => (
  <Group gap={8} aria-hidden="true">
    {[112, 88, 104, 96, 92, 120].map((width) => (
      <Skeleton key={width} width={width} height={36} radius={10} />
    ))}
  </Group>
);
