import { deleteArtifact, deleteArtifacts } from '@engram/contract/browser';
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../lib/api.ts';
import { plural } from '../../../lib/format.ts';
import { notifyError, notifySuccess } from '../../../lib/notify.ts';
import { queryKeys } from '../../../lib/query-keys.ts';

/** Files deleted by one call, so that there is something to see on the way through thousands. */
const BATCH = 200;

/** Reads again what a deletion has changed; old answers that cite the files have changed too. */
async function refresh(queries: QueryClient): Promise<void> {
  for (const key of ['history', 'metrics', 'suggestions', 'recommendations'] as const) {
    void queries.invalidateQueries({ queryKey: queryKeys[key] });
  }
  await queries.invalidateQueries({ queryKey: queryKeys.artifacts });
}

/** Deletes a file and everything that was derived from it. */
export function useDeleteArtifact(onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (artifactId: string) =>
      (await api.call(deleteArtifact, { params: { artifactId } })).message,
    onSuccess: (message) => {
      notifySuccess(message);
      onDone();
      return refresh(queries);
    },
    onError: (error) => notifyError('The file was not deleted', error),
  });
}

export interface DeletionProgress {
  /** Files that are gone by now. */
  done: number;
  total: number;
}

/**
 * Deletes many files, batch by batch. What is deleted stays deleted when a later batch fails.
 * `listed` answers the ids, once the deletion has begun.
 */
export function useDeleteArtifacts(onDone: () => void) {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<DeletionProgress | null>(null);
  const mutation = useMutation({
    mutationFn: async (listed: () => Promise<readonly string[]>) => {
      const ids = await listed();
      let done = 0;
      setProgress({ done, total: ids.length });
      try {
        for (let at = 0; at < ids.length; at += BATCH) {
          const body = ids.slice(at, at + BATCH);
          await api.call(deleteArtifacts, { body });
          done += body.length;
          setProgress({ done, total: ids.length });
        }
      } catch (error) {
        const title =
          done === 0
            ? 'The files were not deleted'
            : `Only ${plural(done, 'file was', 'files were')} deleted`;
        notifyError(title, error);
        return;
      }
      notifySuccess(`${plural(done, 'file was', 'files were')} deleted.`);
      onDone();
    },
    onError: (error) => notifyError('The files were not deleted', error),
    onSettled: () => {
      setProgress(null);
      return refresh(queries);
    },
  });
  return { ...mutation, progress };
}
