import { getHistoryEntry, setArtifactArchived } from '@engram/contract/browser';
import { useAction } from '../api/use-action.ts';
import { notifyError, notifySuccess } from '../components/notify.ts';

/** Takes a file out of search, or back into it. */
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
    // An answer says of each of its files whether it is archived.
    invalidates: ['artifacts', getHistoryEntry],
  });
