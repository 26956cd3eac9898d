import type { Keyword } from '@engram/contract';
import { setKeywordActive } from '@engram/contract/browser';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import { notifyError } from '../../../components/notify.ts';
import { queryKeys } from '../../../api/query-keys.ts';
import { keywordChange, movedToast, readKeywordsAgain } from '../keyword-changes.ts';
import { cacheKeywords } from './list-keywords.ts';

interface Change {
  keyword: Keyword;
  isActive: boolean;
}

/** Archives a keyword or brings it back: shown at once, taken back with a message when refused. */
export function useSetKeywordActive() {
  const queries = useQueryClient();
  const show = ({ id }: Keyword, isActive: boolean): void => {
    const all = queries.setQueryData<Keyword[]>(queryKeys.keywords, (known) =>
      known?.map((other) => (other.id === id ? { ...other, isActive } : other)),
    );
    if (all) cacheKeywords(all);
  };
  return useMutation({
    ...keywordChange,
    mutationFn: ({ keyword, isActive }: Change) =>
      api.call(setKeywordActive, {
        params: { id: keyword.id, isActive: isActive ? 'true' : 'false' },
      }),
    onMutate: async ({ keyword, isActive }) => {
      // A list that is on its way does not know of the change yet.
      await queries.cancelQueries({ queryKey: queryKeys.keywords, exact: true });
      show(keyword, isActive);
    },
    onError: (error, { keyword, isActive }) => {
      show(keyword, !isActive);
      notifications.hide(movedToast(keyword));
      notifyError(
        `“${keyword.keyword}” was not ${isActive ? 'made active again' : 'archived'}`,
        error,
      );
    },
    onSettled: () => void readKeywordsAgain(queries),
  });
}
