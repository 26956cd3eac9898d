import type { QueryClient } from '@tanstack/react-query';
import { countWords, TEXT_WORD_LIMIT } from '@engram/contract/browser';
import { queryKeys } from '../../api/query-keys.ts';
import { messageOf } from '../../components/notify.ts';
import { deletionsOf } from '../../artifacts/deletions.ts';
import { isSignedIn, onSessionChange, writeSession } from '../../session/session.ts';
import type { Taken } from '../../uploads/dropped.ts';
import { uploadArtifacts } from './api/upload-artifacts.ts';
import { planBatches } from './batches.ts';
import {
  refusalAdvice,
  refusalOf,
  withAdvice,
  type RefusalKind,
  type SizeLimits,
} from './file-rules.ts';
import { sendUpload } from './send-upload.ts';
import { fileNameFor } from './take-in.ts';
import { forgetUnsent, keepUnsent, takeUnsent, wouldLoseFiles } from './unsent-files.ts';
import { emptyContent, newItem, uploadReducer, type UploadItem } from './upload-state.ts';

/** A file on its way from a drop to its answer. */
export interface TrayItem extends UploadItem {
  /** Pasted text, which becomes a note; null for a file. */
  note: string | null;
  /** Whether a reload lost the file: the user has to choose it again. */
  isLost: boolean;
}

const trayItem = (file: File, more: Partial<TrayItem> = {}): TrayItem => ({
  ...newItem(file),
  note: null,
  isLost: false,
  ...more,
});

export interface TrayState {
  items: readonly TrayItem[];
  /** Pasted text that the person is asked about. */
  asked: string | null;
  isOffline: boolean;
}

const nothing: TrayState = { items: [], asked: null, isOffline: false };

const isStop = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'AbortError';

const ask = (event: BeforeUnloadEvent): void => {
  if (wouldLoseFiles()) event.preventDefault();
};

const adviceOf: Record<RefusalKind, string> = {
  ...refusalAdvice,
  type: 'Save it in one of the formats that the upload panel names, or paste its text.',
};

const LOST = 'The page was reloaded before this file was sent. Choose it again to send it.';

const listsThatChange = [
  'artifacts',
  'keywords',
  'metrics',
  'suggestions',
  'recommendations',
] as const;

/** What was dropped and pasted, sent one call after the other wherever the person goes in the app. */
function createTray(queries: QueryClient) {
  let state = nothing;
  let isRunning = false;
  let sending: AbortController | null = null;
  let limits: SizeLimits | null = null;
  const listeners = new Set<() => void>();

  const set = (change: Partial<TrayState>): void => {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  };
  const update = (id: string, change: Partial<TrayItem>): void =>
    set({ items: state.items.map((item) => (item.id === id ? { ...item, ...change } : item)) });
  const remove = (id: string): void => {
    forgetUnsent([id]);
    set({ items: state.items.filter((item) => item.id !== id) });
  };

  const reset = (): void => {
    if (isSignedIn()) return;
    sending?.abort();
    set(nothing);
  };

  const stored = (): void => {
    writeSession('artifactsExist', 'true');
    queries.setQueryData(queryKeys.lastUpload, Date.now());
    for (const key of listsThatChange) void queries.invalidateQueries({ queryKey: queryKeys[key] });
  };

  /** Sends one note; answers what stopped it, or null. */
  async function sendNote(item: TrayItem, text: string, signal: AbortSignal): Promise<unknown> {
    update(item.id, { status: 'sending' });
    try {
      const { artifacts } = await uploadArtifacts({
        items: [],
        text,
        keywords: [],
        source: 'Web',
        signal,
        onProgress: (progress) => update(item.id, { progress }),
      });
      const name = artifacts[0]?.fileName ?? item.name;
      update(item.id, { status: 'sent', artifactId: artifacts[0]?.artifactId ?? null, name });
      forgetUnsent([item.id]);
      stored();
      return null;
    } catch (error) {
      update(item.id, { status: 'waiting', progress: 0 });
      return error;
    }
  }

  async function sendFiles(batch: readonly TrayItem[], signal: AbortSignal): Promise<unknown> {
    if (!limits) return null;
    const summary = await sendUpload(
      { ...emptyContent, items: batch },
      limits,
      (action) => {
        const { items } = uploadReducer({ ...emptyContent, items: state.items }, action);
        set({ items: items as readonly TrayItem[] });
      },
      signal,
    );
    if (summary.stored > 0) stored();
    return summary.failure;
  }

  async function sendNext(): Promise<boolean> {
    const waiting = state.items.filter(({ status }) => status === 'waiting');
    const [first] = waiting;
    if (!first) return false;
    set({ isOffline: !navigator.onLine });
    if (state.isOffline) return false;
    // The same bytes may be among the files that are being deleted.
    await deletionsOf(queries).flush();
    sending = new AbortController();
    const { signal } = sending;
    const [batch = []] = planBatches(waiting.filter(({ note }) => note === null));
    const failure =
      first.note === null
        ? await sendFiles(batch, signal)
        : await sendNote(first, first.note, signal);
    if (failure === null || isStop(failure)) return true;
    set({ isOffline: !navigator.onLine });
    if (state.isOffline) return false;
    const message = messageOf(failure);
    set({
      items: state.items.map((item) =>
        item.status === 'waiting' ? { ...item, status: 'refused', message } : item,
      ),
    });
    return false;
  }

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    window.addEventListener('beforeunload', ask);
    while (state.items.some(({ status }) => status === 'waiting') && (await sendNext()));
    isRunning = false;
    // What waits for the connection would be lost with the page, too.
    if (!state.isOffline) window.removeEventListener('beforeunload', ask);
  }

  const add = (items: readonly TrayItem[]): void => {
    set({ items: [...state.items, ...items] });
    keepUnsent(items.filter(({ status }) => status === 'waiting'));
    void run();
  };

  onSessionChange(reset);
  window.addEventListener('online', () => void run());

  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    get: (): TrayState => state,

    /** Takes files; those that cannot be taken are shown with the reason. */
    take(taken: readonly Taken[], given: SizeLimits): void {
      limits = given;
      add(
        taken.map(({ file, path }) => {
          const refused = refusalOf(file, given);
          return trayItem(file, {
            path,
            ...(refused && {
              status: 'refused',
              refusal: refused.kind,
              message: withAdvice(refused.message, adviceOf[refused.kind]),
            }),
          });
        }),
      );
    },

    /** Sends what a reload interrupted, and names the files that it lost. */
    async resume(given: SizeLimits): Promise<void> {
      limits = given;
      const unsent = await takeUnsent();
      add(
        unsent.map(({ id, name, size, type, path, keywords, note, file }) => {
          const isLost = file === null && note === null;
          return trayItem(file ?? new File([note ?? ''], name, { type }), {
            ...(note === null && { id }),
            size,
            path,
            keywords,
            note,
            isLost,
            ...(isLost && { status: 'refused', message: LOST }),
          });
        }),
      );
    },

    /** Sends a file in the place of one that a reload lost. */
    replace({ id, path, keywords }: TrayItem, file: File): void {
      remove(id);
      add([trayItem(file, { path, keywords })]);
    },

    /** Asks whether a pasted text is to be kept. */
    askAbout: (text: string): void => set({ asked: text }),
    forgetAsked: (): void => set({ asked: null }),

    /** Keeps the text that was asked about: as a note, or as a file where it is too long for one. */
    keepAsked(): void {
      const text = state.asked ?? '';
      set({ asked: null });
      const file = new File([text], fileNameFor(text), { type: 'text/plain' });
      const isNote = countWords(text) <= TEXT_WORD_LIMIT;
      add([trayItem(file, { note: isNote ? text : null })]);
    },

    retry(id: string): void {
      update(id, { status: 'waiting', progress: 0, message: null });
      void run();
    },

    /** Stops the sending of a file, or takes it off the list. */
    remove(id: string): void {
      const isSending = state.items.some((item) => item.id === id && item.status === 'sending');
      remove(id);
      // Files that were in the same call are sent once more without it.
      if (isSending) sending?.abort();
    },

    /** Takes what has come to its end off the list. */
    clear(): void {
      set({
        items: state.items.filter(({ status }) => status === 'waiting' || status === 'sending'),
      });
    },
  };
}

export type Tray = ReturnType<typeof createTray>;

const trays = new WeakMap<QueryClient, Tray>();

/** The app's tray: one for all pages, so that going from page to page stops nothing. */
export function trayOf(queries: QueryClient): Tray {
  const tray = trays.get(queries) ?? createTray(queries);
  trays.set(queries, tray);
  return tray;
}
