import type { QueryClient } from '@tanstack/react-query';
import { retryArtifact, historyThread, setArtifactArchived } from '@engram/contract/browser';
import { useAction } from '../api/use-action.ts';
import { notifyError, notifySuccess } from '../components/notify.ts';
import { isUserQuery } from '../api/keys.ts';
import { clearCache } from '../session/session-cache.ts';

const queryKey = ['lastUpload'];

/** When this tab last uploaded something, in milliseconds since the epoch; 0 if it has not. */
export const lastUploadAt = (queries: QueryClient): number =>
  queries.getQueryData<number>(queryKey) ?? 0;

export const recordUpload = (queries: QueryClient): void =>
  void queries.setQueryData<number>(queryKey, Date.now());

export const useRetryArtifact = () =>
  useAction(retryArtifact, {
    onSuccess: (_data, _input, _before, { client }) => recordUpload(client),
    onError: (error) => notifyError('The file could not be read again', error),
    invalidates: ['artifacts'],
  });

export const useSetArtifactArchived = () =>
  useAction(setArtifactArchived, {
    onSuccess: (_data, { params }) =>
      notifySuccess(
        params.archived === 'true'
          ? 'The file is archived: it is kept, and left out of search.'
          : 'The file is back in search.',
      ),
    onError: (error, { params }) =>
      notifyError(
        params.archived === 'true' ? 'The file was not archived' : 'The file was not un-archived',
        error,
      ),
    // Answers show which of their files are archived.
    invalidates: ['artifacts', historyThread],
  });

export function clearLists(queries: QueryClient): void {
  clearCache();
  queries.removeQueries({ type: 'inactive', predicate: isUserQuery });
  void queries.invalidateQueries({ predicate: isUserQuery });
}
