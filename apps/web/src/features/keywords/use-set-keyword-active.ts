import type { Keyword } from '@engram/contract';
import { setKeywordActive } from '@engram/contract/browser';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/api.ts';
import { notifyError } from '../../components/notify.ts';
import { keywordChange, keywordsKey, refreshKeywords } from '../../artifacts/keywords.ts';

interface Change {
  keyword: Keyword;
  isActive: boolean;
}

/** The message that a keyword was moved; a keyword has one at most. */
export const movedToast = ({ id }: Keyword): string => `moved ${id}`;

/** Archives a keyword or brings it back: shown at once, taken back with a message when refused. */
export function useSetKeywordActive() {
  const queries = useQueryClient();
  const show = ({ id }: Keyword, isActive: boolean): void =>
    void queries.setQueryData(keywordsKey, (known) =>
      known?.map((other) => (other.id === id ? { ...other, isActive } : other)),
    );
  return useMutation({
    ...keywordChange,
    mutationFn: ({ keyword, isActive }: Change) =>
      api.call(setKeywordActive, {
        params: { id: keyword.id, isActive: isActive ? 'true' : 'false' },
      }),
    onMutate: async ({ keyword, isActive }) => {
      // A list that is being read does not contain the change yet.
      await queries.cancelQueries({ queryKey: keywordsKey, exact: true });
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
    onSettled: () => void refreshKeywords(queries),
  });
}
