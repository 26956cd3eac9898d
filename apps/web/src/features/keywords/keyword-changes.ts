import type { Keyword } from '@engram/contract';
import type { QueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../api/query-keys.ts';

/** What all changes to keywords have in common: they reach the server in the order they were made. */
export const keywordChange = { mutationKey: queryKeys.keywords, scope: { id: 'keywords' } };

/** The message that a keyword was moved; a keyword has one at most. */
export const movedToast = ({ id }: Keyword): string => `moved ${id}`;

/** Reads again what depends on the keywords, once no further change is on its way. */
export async function readKeywordsAgain(queries: QueryClient): Promise<void> {
  if (queries.isMutating({ mutationKey: keywordChange.mutationKey }) > 1) return;
  await Promise.all([
    queries.invalidateQueries({ queryKey: queryKeys.keywords }),
    queries.invalidateQueries({ queryKey: queryKeys.suggestions }),
  ]);
}
