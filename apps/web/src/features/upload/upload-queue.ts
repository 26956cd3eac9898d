import { ApiError } from '@engram/client';
import { countWords, getMetrics, listLedger, TEXT_WORD_LIMIT } from '@engram/contract/browser';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { invalidate } from '../../api/keys.ts';
import { knownSettings } from '../../api/settings.ts';
import { recordUpload } from '../../artifacts/actions.ts';
import { deletionsOf } from '../../artifacts/deletions.ts';
import { createStore, useStore } from '../../browser/store.ts';
import { messageOf } from '../../components/notify.ts';
import { isSignedIn, onSessionChange, writeSession } from '../../session/session.ts';
import {
  needsShrinking,
  refusalAdvice,
  refusalOf,
  refusalText,
  withAdvice,
  type Refusal,
} from './file-rules.ts';
import { mergeContent, type PanelContent } from './merge-content.ts';
import type { DroppedFile } from './read-dropped.ts';
import { shrinkItem } from './shrink-image.ts';
import { removeUnsent, storeUnsent, restoreUnsent, wouldLoseFiles } from './unsent-files.ts';
import { nextBatch, itemChanges, sendBatch, shareProgress } from './upload-batch.ts';
import { isOpen, newItem, newNote, type UploadItem } from './upload-item.ts';

interface PanelForm {
  text: string;
  /** The address of a web page to save. */
  page: string;
  keywords: readonly string[];
  /** Ids of content from other apps, until all of it is uploaded or removed. */
  shares: readonly string[];
  /** The files that were refused when they were chosen. */
  refusals: readonly Refusal[];
  problem: string | null;
}

interface UploadState {
  items: readonly UploadItem[];
  form: PanelForm;
  pastedText: string | null;
  isOffline: boolean;
  isCollapsed: boolean;
}

const emptyState: UploadState = {
  items: [],
  form: { text: '', page: '', keywords: [], shares: [], refusals: [], problem: null },
  pastedText: null,
  isOffline: false,
  isCollapsed: false,
};

/** Whether an error is caused by the files of one call, so that the next call may succeed. */
const isAboutFiles = (error: unknown): boolean =>
  error instanceof ApiError && [400, 413, 415, 422].includes(error.status);

const textOf = (error: unknown): string =>
  error instanceof ApiError
    ? refusalText({ message: messageOf(error), code: error.code })
    : messageOf(error);

const askBeforeLeaving = (event: BeforeUnloadEvent): void => {
  if (wouldLoseFiles()) event.preventDefault();
};

const LOST = 'The page was reloaded before this file was sent. Choose it again to send it.';

function itemOf(file: File, refused: Refusal | null, path: string | null): UploadItem {
  if (refused === null) return newItem(file, { path });
  const { kind: problem, message } = refused;
  const advice =
    problem === 'type'
      ? 'Save it in one of the formats that the upload panel names, or paste its text.'
      : refusalAdvice[problem];
  return newItem(file, { path, status: 'failed', problem, message: withAdvice(message, advice) });
}

/** Removes sent items from the panel once all of its items are sent. */
const clearSentPanel = (items: readonly UploadItem[]): readonly UploadItem[] =>
  items.some((item) => item.isInPanel && isOpen(item))
    ? items
    : items.map((item) => (item.status === 'sent' ? { ...item, isInPanel: false } : item));

const idsOf = (items: readonly UploadItem[]): string[] => items.map(({ id }) => id);

function createUploadQueue(queries: QueryClient) {
  const state = createStore(emptyState);
  let isRunning = false;
  let sending: AbortController | null = null;

  const items = () => state.get().items;
  const waiting = () => items().filter(({ status }) => status === 'waiting');
  const inPanel = () => items().filter((item) => item.isInPanel);
  const set = (change: Partial<UploadState>): void => state.set({ ...state.get(), ...change });

  const update = (
    targets: readonly UploadItem[],
    changeOf: (item: UploadItem, index: number) => Partial<UploadItem> | undefined,
  ): void => {
    const changes = new Map(targets.map((item, index) => [item.id, changeOf(item, index)]));
    set({ items: clearSentPanel(items().map((item) => ({ ...item, ...changes.get(item.id) }))) });
  };

  const fail = (targets: readonly UploadItem[], message: string): void =>
    update(targets, () => ({ status: 'failed', progress: 0, message }));

  function onStored(): void {
    writeSession('artifactsExist', 'true');
    recordUpload(queries);
    void invalidate(queries, [
      'artifacts',
      'keywords',
      getMetrics,
      listLedger,
      'suggestions',
      'recommendations',
    ]);
  }

  /** Sends one call; returns whether the next one may follow. */
  async function send(batch: readonly UploadItem[], signal: AbortSignal): Promise<boolean> {
    update(batch, () => ({ status: 'sending', progress: 0, message: null }));
    try {
      const result = await sendBatch(batch, {
        signal,
        onProgress: (share) => {
          const shares = shareProgress(batch, share);
          update(batch, (_, index) => ({ progress: shares[index] ?? 0 }));
        },
      });
      const changes = itemChanges(batch, result);
      update(batch, ({ id }) => changes.get(id));
      removeUnsent(idsOf(batch));
      if (result.artifacts.length > 0) onStored();
      return true;
    } catch (error) {
      const sent = new Set(idsOf(batch));
      const unsent = items().filter(({ id, status }) => status === 'sending' && sent.has(id));
      if (isAboutFiles(error)) {
        fail(unsent, textOf(error));
        removeUnsent(idsOf(unsent));
        return true;
      }
      update(unsent, () => ({ status: 'waiting', progress: 0 }));
      if (signal.aborted) return true;
      const isOffline = !navigator.onLine;
      set({ isOffline });
      if (!isOffline) fail(waiting(), textOf(error));
      return false;
    }
  }

  async function sendNext(): Promise<boolean> {
    const isOffline = !navigator.onLine;
    set({ isOffline });
    if (isOffline) return false;
    const limits = knownSettings(queries);
    const large = waiting().find(({ file }) => needsShrinking(file, limits));
    if (large) {
      const change = await shrinkItem(large, limits);
      update([large], () => change);
      if (change.status === 'failed') removeUnsent([large.id]);
      return true;
    }
    // The same file may be pending deletion.
    await deletionsOf(queries).flush();
    sending = new AbortController();
    return send(nextBatch(waiting()), sending.signal);
  }

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    window.addEventListener('beforeunload', askBeforeLeaving);
    while (waiting().length > 0 && (await sendNext()));
    isRunning = false;
    // Leaving the page would also lose files that wait for the connection.
    if (!state.get().isOffline) window.removeEventListener('beforeunload', askBeforeLeaving);
  }

  function add(more: readonly UploadItem[]): void {
    set({ items: [...items(), ...more], isCollapsed: false });
    storeUnsent(more.filter(({ status }) => status === 'waiting'));
    void run();
  }

  function removeAll(targets: readonly UploadItem[]): void {
    const ids = new Set(idsOf(targets));
    removeUnsent([...ids]);
    set({ items: items().filter(({ id }) => !ids.has(id)) });
    // The other files of the same call are sent again without it.
    if (targets.some(({ status }) => status === 'sending')) sending?.abort();
  }

  const write = (change: Partial<PanelForm>): void =>
    set({ form: { ...state.get().form, ...change } });

  function choose(files: readonly File[]): void {
    const limits = knownSettings(queries);
    const refusals = files.flatMap((file) => refusalOf(file, limits) ?? []);
    const accepted = files.filter((file) => refusalOf(file, limits) === null);
    const chosen = accepted.map((file) => newItem(file, { status: 'chosen', isInPanel: true }));
    set({ items: [...items(), ...chosen] });
    write({ refusals, problem: null });
  }

  onSessionChange(() => {
    if (isSignedIn()) return;
    sending?.abort();
    state.set(emptyState);
  });
  window.addEventListener('online', () => void run());

  return {
    state,

    /** Sends files. Refused ones are shown with the reason. */
    addFiles(files: readonly DroppedFile[]): void {
      const limits = knownSettings(queries);
      add(files.map(({ file, path }) => itemOf(file, refusalOf(file, limits), path)));
    },

    choose,
    /** Adds content from other apps, unless it is there already. */
    addContent(content: readonly PanelContent[]): void {
      const { form } = state.get();
      const added = content.filter(({ id }) => id === null || !form.shares.includes(id));
      if (added.length === 0) return;
      const { files, text, page, notice } = mergeContent(added, form);
      choose(files);
      const ids = added.flatMap(({ id }) => id ?? []);
      write({ text, page, shares: [...form.shares, ...ids], problem: notice });
    },
    tag: (item: UploadItem, keywords: readonly string[]): void =>
      update([item], () => ({ keywords })),

    write,

    /** Sends the items of the panel, also failed ones, and its text as a note. */
    submit(): void {
      const { form } = state.get();
      const text = form.text.trim();
      set({
        items: [...items(), ...(text === '' ? [] : [newNote(text, { isInPanel: true })])],
        form: { ...form, text: '' },
        isCollapsed: true,
      });
      const upload = {
        uploadKeywords: form.keywords,
        source: form.shares.length > 0 ? ('Share' as const) : ('Web' as const),
      };
      update(inPanel(), ({ problem }) =>
        problem === null ? { ...upload, status: 'waiting', progress: 0, message: null } : {},
      );
      storeUnsent(inPanel().filter(isOpen));
      void run();
    },

    /** Stops sending the items of the panel, which stay there. */
    stop(): void {
      const unsent = inPanel().filter(isOpen);
      update(unsent, () => ({ status: 'chosen', progress: 0 }));
      removeUnsent(idsOf(unsent));
      if (unsent.some(({ status }) => status === 'sending')) sending?.abort();
    },

    async resume(): Promise<void> {
      const unsent = await restoreUnsent();
      add(
        unsent.map(({ type, file, ...item }) => {
          const isLost = file === null && item.note === null;
          return newItem(file ?? new File([item.note ?? ''], item.name, { type }), {
            ...item,
            isInPanel: false,
            ...(isLost
              ? { status: 'failed', problem: 'lost', message: LOST }
              : { status: 'waiting', progress: 0 }),
          });
        }),
      );
    },

    replace(lost: UploadItem, file: File): void {
      const { path, keywords, uploadKeywords } = lost;
      removeAll([lost]);
      add([newItem(file, { path, keywords, uploadKeywords })]);
    },

    offerNote: (text: string): void => set({ pastedText: text }),
    discardPastedText: (): void => set({ pastedText: null }),

    savePastedText(): void {
      const text = state.get().pastedText ?? '';
      set({ pastedText: null });
      add([newNote(text, countWords(text) <= TEXT_WORD_LIMIT ? {} : { note: null })]);
    },

    retry(item: UploadItem): void {
      update([item], () => ({ status: 'waiting', progress: 0, message: null }));
      storeUnsent([item]);
      void run();
    },

    remove: (item: UploadItem): void => removeAll([item]),

    toggle: (): void => set({ isCollapsed: !state.get().isCollapsed }),

    clear: (): void =>
      removeAll(items().filter((item) => !isOpen(item) && item.status !== 'chosen')),
  };
}

type UploadQueue = ReturnType<typeof createUploadQueue>;

const queues = new WeakMap<QueryClient, UploadQueue>();

/** The one upload queue of the app. It continues on other pages. */
export function uploadQueueOf(queries: QueryClient): UploadQueue {
  const queue = queues.get(queries) ?? createUploadQueue(queries);
  queues.set(queries, queue);
  return queue;
}

export const useUploadQueue = (): UploadQueue => uploadQueueOf(useQueryClient());

export const useUploads = (): UploadState => useStore(useUploadQueue().state);
