import { ApiError } from '@engram/client';
import { deleteArtifact, deleteArtifacts } from '@engram/contract/browser';
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api/api.ts';
import { plural } from '../../../format/format.ts';
import { notifyError, notifySuccess } from '../../../components/notify.ts';
import { queryKeys } from '../../../api/query-keys.ts';

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
export function useDeleteArtifact(onDone: (artifactId: string) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (artifactId: string) =>
      (await api.call(deleteArtifact, { params: { artifactId } })).message,
    onSuccess: (message, artifactId) => {
      notifySuccess(message);
      onDone(artifactId);
      return refresh(queries);
    },
    onError: (error) => {
      notifyError('The file was not deleted', error);
      // It may be gone already.
      if (error instanceof ApiError && error.status === 404) return refresh(queries);
    },
  });
}

export interface DeletionProgress {
  /** Files that are gone by now, whoever deleted them. */
  done: number;
  total: number;
}

/**
 * Deletes many files, batch by batch. What is deleted stays deleted when a later batch fails, and
 * `onGone` is told of it batch by batch.
 */
export function useDeleteArtifacts(onGone: (ids: readonly string[]) => void, onDone: () => void) {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<DeletionProgress | null>(null);
  const mutation = useMutation({
    mutationFn: async (ids: readonly string[]) => {
      let done = 0;
      let deleted = 0;
      setProgress({ done, total: ids.length });
      try {
        for (let at = 0; at < ids.length; at += BATCH) {
          const body = ids.slice(at, at + BATCH);
          deleted += (await api.call(deleteArtifacts, { body })).data.length;
          done += body.length;
          onGone(body);
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
      const gone = ids.length - deleted;
      notifySuccess(
        `${plural(deleted, 'file was', 'files were')} deleted.` +
          (gone > 0 ? ` ${plural(gone, 'file was', 'files were')} gone already.` : ''),
      );
      onDone();
    },
    onSettled: () => {
      setProgress(null);
      return refresh(queries);
    },
  });
  return { ...mutation, progress };
}
