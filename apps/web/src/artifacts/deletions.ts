import { deleteArtifacts, getMetrics, listLedger } from '@engram/contract/browser';
import { randomId } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { createElement, useMemo } from 'react';
import { api } from '../api/api.ts';
import { invalidate } from '../api/keys.ts';
import { createStore, useStore } from '../browser/store.ts';
import { notifyError } from '../components/notify.ts';
import { notifyUndoable } from '../components/undo-toast.tsx';
import { shortenMiddle, plural } from '../format/format.ts';
import { isSignedIn, onSessionChange } from '../session/session.ts';

const UNDO_MS = 10_000;

/** Files of one call: browsers send up to 64 KB from a closed page, and an id takes 39 bytes. */
const BATCH_SIZE = 1500;

interface DeletedFiles {
  artifactIds: readonly string[];
  name?: string | undefined;
  list?: string | undefined;
}

interface Deletion extends DeletedFiles {
  id: string;
  /** The timer that sends the call; null once it was sent. */
  timer: number | null;
}

const dependentRoutes = [
  'history',
  getMetrics,
  listLedger,
  'suggestions',
  'recommendations',
] as const;

/** Deletions with undo: files are hidden immediately, and deleted after {@link UNDO_MS}. */
function createDeletions(queries: QueryClient) {
  const pending = createStore<readonly Deletion[]>([]);
  const remove = (deletion: Deletion): void =>
    pending.set(pending.get().filter((other) => other !== deletion));
  const refetch = () => invalidate(queries, ['artifacts']);

  function cancel(id: string): Deletion | undefined {
    const deletion = pending.get().find((other) => other.id === id);
    if (!deletion || deletion.timer === null) return undefined;
    window.clearTimeout(deletion.timer);
    notifications.hide(id);
    remove(deletion);
    return deletion;
  }

  function undo(id: string): void {
    if (cancel(id)) void refetch();
  }

  async function send(id: string, keepalive = false): Promise<void> {
    const deletion = cancel(id);
    if (!deletion) return;
    const sent: Deletion = { ...deletion, timer: null };
    pending.set([...pending.get(), sent]);
    const { artifactIds } = sent;
    let deletedCount = 0;
    try {
      for (; deletedCount < artifactIds.length; deletedCount += BATCH_SIZE) {
        const body = artifactIds.slice(deletedCount, deletedCount + BATCH_SIZE);
        await api.call(deleteArtifacts, { body }, { keepalive });
      }
    } catch (error) {
      const subject = artifactIds.length === 1 ? 'The file was' : 'The files were';
      const title =
        deletedCount === 0
          ? `${subject} not deleted`
          : `Only ${plural(deletedCount, 'file was', 'files were')} deleted`;
      notifyError(title, error);
    }
    void invalidate(queries, dependentRoutes);
    // The files stay hidden until the lists are up to date.
    await refetch();
    remove(sent);
  }

  const unsent = () => pending.get().filter(({ timer }) => timer !== null);
  const count = () => pending.get().reduce((sum, { artifactIds }) => sum + artifactIds.length, 0);
  const fitsKeepalive = (): boolean => count() <= BATCH_SIZE;

  async function flush(keepalive = false): Promise<void> {
    await Promise.all(unsent().map(({ id }) => send(id, keepalive)));
  }
  const onLeave = (): void => void flush(fitsKeepalive());

  window.addEventListener('pagehide', onLeave);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') onLeave();
  });
  window.addEventListener('beforeunload', (event) => {
    // The browser asks the user to stay, as a closed page cannot send so much.
    if (fitsKeepalive()) return;
    event.preventDefault();
    void flush();
  });
  onSessionChange(() => {
    if (!isSignedIn()) for (const { id } of unsent()) cancel(id);
  });

  return {
    pending,
    count,
    flush,
    undoLast: (): void => undo(unsent().at(-1)?.id ?? ''),

    add(files: DeletedFiles): void {
      const id = randomId();
      const timer = window.setTimeout(() => void send(id), UNDO_MS);
      pending.set([...pending.get(), { ...files, id, timer }]);
      const { name, artifactIds } = files;
      notifyUndoable(
        id,
        name === undefined
          ? `${plural(artifactIds.length, 'file was', 'files were')} deleted.`
          : [
              createElement('bdi', { key: 'name', title: name }, shortenMiddle(name, 60)),
              ' was deleted.',
            ],
        () => undo(id),
      );
      void refetch();
    },
  };
}

const deletionsByClient = new WeakMap<QueryClient, ReturnType<typeof createDeletions>>();

export function deletionsOf(queries: QueryClient): ReturnType<typeof createDeletions> {
  const deletions = deletionsByClient.get(queries) ?? createDeletions(queries);
  deletionsByClient.set(queries, deletions);
  return deletions;
}

export function useDeletions() {
  const pending = useStore(deletionsOf(useQueryClient()).pending);
  return useMemo(
    () => ({
      hidden: new Set(pending.flatMap(({ artifactIds }) => artifactIds)) as ReadonlySet<string>,
      /** The number of hidden files in a list of the server, of which one page is known. */
      countIn: (list: string | null, onPage: ReadonlySet<string>): number => {
        const ids = pending.flatMap((deletion) =>
          deletion.timer !== null && (list === null || deletion.list === list)
            ? deletion.artifactIds
            : deletion.artifactIds.filter((id) => onPage.has(id)),
        );
        return new Set(ids).size;
      },
    }),
    [pending],
  );
}
