import { ApiError } from '@engram/client';
import { countWords, getMetrics, listLedger, TEXT_WORD_LIMIT } from '@engram/contract/browser';
import type { QueryClient } from '@tanstack/react-query';
import { invalidate } from '../../api/keys.ts';
import { knownSettings } from '../../api/settings.ts';
import { deletionsOf } from '../../artifacts/deletions.ts';
import { noteUpload } from '../../artifacts/actions.ts';
import { messageOf } from '../../components/notify.ts';
import { isSignedIn, onSessionChange, writeSession } from '../../session/session.ts';
import type { Taken } from './read-dropped.ts';
import { uploadArtifacts } from './upload-artifacts.ts';
import { nextBatch, shareProgress } from './batches.ts';
import {
  needsShrinking,
  refusalAdvice,
  refusalOf,
  refusalText,
  withAdvice,
  type Refusal,
} from './file-rules.ts';
import { shrinkItem } from './shrink-image.ts';
import { forgetUnsent, keepUnsent, takeUnsent, wouldLoseFiles } from './unsent-files.ts';
import { isOpen, leavePanel, newItem, newNote, outcomes, type UploadItem } from './upload-item.ts';

/** What the upload panel holds besides files. */
export interface PanelForm {
  text: string;
  /** Keywords of everything that is uploaded. */
  keywords: readonly string[];
  /** Ids of what came from another app, until all of it is uploaded or removed. */
  shares: readonly string[];
}

export interface UploadState {
  items: readonly UploadItem[];
  form: PanelForm;
  /** Pasted text that the user is asked about. */
  asked: string | null;
  isOffline: boolean;
  /** Whether the tray shows only its head. */
  isCollapsed: boolean;
}

const nothing: UploadState = {
  items: [],
  form: { text: '', keywords: [], shares: [] },
  asked: null,
  isOffline: false,
  isCollapsed: false,
};

const isStop = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'AbortError';

/** Whether an error speaks about the files of one call, so that the next call may succeed. */
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

/** An item of the tray; with the reason where the file cannot be taken. */
function itemOf(file: File, refused: Refusal | null, path: string | null): UploadItem {
  if (refused === null) return newItem(file, { path });
  const { kind, message } = refused;
  const advice =
    kind === 'type'
      ? 'Save it in one of the formats that the upload panel names, or paste its text.'
      : refusalAdvice[kind];
  return newItem(file, {
    path,
    status: 'failed',
    problem: kind,
    message: withAdvice(message, advice),
  });
}

/** All uploads of the app: those of the panel, and what is dropped, pasted or resumed. */
function createUploadQueue(queries: QueryClient) {
  let state = nothing;
  let isRunning = false;
  let sending: AbortController | null = null;
  const listeners = new Set<() => void>();

  const set = (change: Partial<UploadState>): void => {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  };
  /** Changes those of the items that are still in the queue. */
  const update = (
    items: readonly UploadItem[],
    changeOf: (item: UploadItem, index: number) => Partial<UploadItem> | undefined,
  ): void => {
    const changes = new Map(items.map((item, index) => [item.id, changeOf(item, index)]));
    set({ items: leavePanel(state.items.map((item) => ({ ...item, ...changes.get(item.id) }))) });
  };
  const idsOf = (items: readonly UploadItem[]): string[] => items.map(({ id }) => id);
  const waiting = (): UploadItem[] => state.items.filter(({ status }) => status === 'waiting');
  const inPanel = (): UploadItem[] => state.items.filter((item) => item.isInPanel);

  const fail = (items: readonly UploadItem[], message: string): void =>
    update(items, () => ({ status: 'failed', progress: 0, message }));

  const stored = (): void => {
    writeSession('artifactsExist', 'true');
    noteUpload(queries);
    void invalidate(queries, [
      'artifacts',
      'keywords',
      getMetrics,
      listLedger,
      'suggestions',
      'recommendations',
    ]);
  };

  /** Sends one call; answers whether the next one may follow. */
  async function sendBatch(batch: readonly UploadItem[], signal: AbortSignal): Promise<boolean> {
    update(batch, () => ({ status: 'sending', progress: 0, message: null }));
    try {
      const result = await uploadArtifacts(batch, {
        signal,
        onProgress: (share) => {
          const shares = shareProgress(batch, share);
          update(batch, (_, index) => ({ progress: shares[index] ?? 0 }));
        },
      });
      const changes = outcomes(batch, result);
      update(batch, ({ id }) => changes.get(id));
      forgetUnsent(idsOf(batch));
      if (result.artifacts.length > 0) stored();
      return true;
    } catch (error) {
      const unsent = state.items.filter(
        ({ id, status }) => status === 'sending' && batch.some((item) => item.id === id),
      );
      if (isAboutFiles(error)) {
        fail(unsent, textOf(error));
        forgetUnsent(idsOf(unsent));
        return true;
      }
      update(unsent, () => ({ status: 'waiting', progress: 0 }));
      if (isStop(error)) return true;
      set({ isOffline: !navigator.onLine });
      if (!state.isOffline) fail(waiting(), textOf(error));
      return false;
    }
  }

  async function sendNext(): Promise<boolean> {
    set({ isOffline: !navigator.onLine });
    if (state.isOffline) return false;
    const limits = knownSettings(queries);
    const large = waiting().find(({ file }) => needsShrinking(file, limits));
    if (large) {
      const change = await shrinkItem(large, limits);
      update([large], () => change);
      if (change.status === 'failed') forgetUnsent([large.id]);
      return true;
    }
    // The same bytes may be among the files that are being deleted.
    await deletionsOf(queries).flush();
    sending = new AbortController();
    return sendBatch(nextBatch(waiting()), sending.signal);
  }

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    window.addEventListener('beforeunload', askBeforeLeaving);
    while (waiting().length > 0 && (await sendNext()));
    isRunning = false;
    // What waits for the connection would be lost with the page, too.
    if (!state.isOffline) window.removeEventListener('beforeunload', askBeforeLeaving);
  }

  const add = (items: readonly UploadItem[]): void => {
    set({ items: [...state.items, ...items], isCollapsed: false });
    keepUnsent(items.filter(({ status }) => status === 'waiting'));
    void run();
  };

  const removeAll = (items: readonly UploadItem[]): void => {
    const ids = new Set(idsOf(items));
    forgetUnsent([...ids]);
    set({ items: state.items.filter(({ id }) => !ids.has(id)) });
    // Files that were in the same call are sent again without it.
    if (items.some(({ status }) => status === 'sending')) sending?.abort();
  };

  onSessionChange(() => {
    if (isSignedIn()) return;
    sending?.abort();
    set(nothing);
  });
  window.addEventListener('online', () => void run());

  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    get: (): UploadState => state,

    /** Sends files; those that cannot be taken are shown with the reason. */
    take(taken: readonly Taken[]): void {
      const limits = knownSettings(queries);
      add(taken.map(({ file, path }) => itemOf(file, refusalOf(file, limits), path)));
    },

    /** Lists files in the panel; answers the refusals of those that cannot be taken. */
    choose(files: readonly File[]): Refusal[] {
      const judged = files.map((file) => ({
        file,
        refusal: refusalOf(file, knownSettings(queries)),
      }));
      const chosen = judged.flatMap(({ file, refusal }) =>
        refusal ? [] : newItem(file, { status: 'chosen', isInPanel: true }),
      );
      set({ items: [...state.items, ...chosen] });
      return judged.flatMap(({ refusal }) => refusal ?? []);
    },

    tag: (item: UploadItem, keywords: readonly string[]): void =>
      update([item], () => ({ keywords })),

    /** Changes what the panel holds besides files. */
    write: (change: Partial<PanelForm>): void => set({ form: { ...state.form, ...change } }),

    /** Sends what is in the panel, its text as a note, and what failed there before. */
    submit(): void {
      const { text, keywords, shares } = state.form;
      const note = text.trim() === '' ? [] : [newNote(text.trim(), { isInPanel: true })];
      set({
        items: [...state.items, ...note],
        form: { ...state.form, text: '' },
        isCollapsed: true,
      });
      const upload = {
        uploadKeywords: keywords,
        source: shares.length > 0 ? ('Share' as const) : ('Web' as const),
      };
      update(inPanel(), ({ problem }) =>
        problem === null ? { ...upload, status: 'waiting', progress: 0, message: null } : {},
      );
      keepUnsent(inPanel().filter(isOpen));
      void run();
    },

    /** Stops what the panel sends; it stays in the panel. */
    stop(): void {
      const open = inPanel().filter(isOpen);
      update(open, () => ({ status: 'chosen', progress: 0 }));
      forgetUnsent(idsOf(open));
      if (open.some(({ status }) => status === 'sending')) sending?.abort();
    },

    /** Sends what a reload interrupted, and names the files that it lost. */
    async resume(): Promise<void> {
      const unsent = await takeUnsent();
      add(
        unsent.map(({ type, file, ...item }) => {
          const isLost = file === null && item.note === null;
          return newItem(file ?? new File([item.note ?? ''], item.name, { type }), {
            ...item,
            ...(isLost && { status: 'failed', problem: 'lost', message: LOST }),
          });
        }),
      );
    },

    /** Sends a file in the place of one that a reload lost. */
    replace(lost: UploadItem, file: File): void {
      const { path, keywords, uploadKeywords } = lost;
      removeAll([lost]);
      add([newItem(file, { path, keywords, uploadKeywords })]);
    },

    /** Asks whether a pasted text is to be kept. */
    askAbout: (text: string): void => set({ asked: text }),
    forgetAsked: (): void => set({ asked: null }),

    /** Keeps the text that was asked about: as a note, or as a file where it is too long for one. */
    keepAsked(): void {
      const text = state.asked ?? '';
      set({ asked: null });
      add([newNote(text, countWords(text) <= TEXT_WORD_LIMIT ? {} : { note: null })]);
    },

    retry(item: UploadItem): void {
      update([item], () => ({ status: 'waiting', progress: 0, message: null }));
      keepUnsent([item]);
      void run();
    },

    /** Stops the sending of a file, or takes it off the list. */
    remove: (item: UploadItem): void => removeAll([item]),

    toggle: (): void => set({ isCollapsed: !state.isCollapsed }),

    /** Takes what was sent, or has failed, off the tray. */
    clear: (): void =>
      removeAll(state.items.filter((item) => !isOpen(item) && item.status !== 'chosen')),
  };
}

export type UploadQueue = ReturnType<typeof createUploadQueue>;

const queues = new WeakMap<QueryClient, UploadQueue>();

/** The app's queue of uploads: one for all pages, so that going from page to page stops nothing. */
export function uploadQueueOf(queries: QueryClient): UploadQueue {
  const queue = queues.get(queries) ?? createUploadQueue(queries);
  queues.set(queries, queue);
  return queue;
}
