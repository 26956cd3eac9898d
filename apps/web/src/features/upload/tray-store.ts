import type { QueryClient } from '@tanstack/react-query';
import { countWords, TEXT_WORD_LIMIT } from '@engram/contract/browser';
import { queryKeys } from '../../api/query-keys.ts';
import { messageOf } from '../../components/notify.ts';
import { isSignedIn, onSessionChange, writeSession } from '../../session/session.ts';
import type { Taken } from '../../uploads/dropped.ts';
import { uploadArtifacts } from './api/upload-artifacts.ts';
import { planBatches } from './batches.ts';
import { MB, refusalAdvice, refusalOf, type RefusalKind, type SizeLimits } from './file-rules.ts';
import { sendUpload } from './send-upload.ts';
import { shrinkImage } from './shrink-image.ts';
import { fileNameFor } from './take-in.ts';
import { emptyContent, newItem, uploadReducer, type UploadItem } from './upload-state.ts';

/** A file on its way from a drop to its answer. */
export interface TrayItem extends UploadItem {
  /** Why it was refused before it was sent; such a file cannot be tried again as it is. */
  refusal: RefusalKind | null;
  /** Pasted text, which becomes a note; null for a file. */
  note: string | null;
}

export interface TrayState {
  items: readonly TrayItem[];
  /** Pasted text that the person is asked about. */
  asked: string | null;
  isOffline: boolean;
}

const nothing: TrayState = { items: [], asked: null, isOffline: false };

const isStop = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'AbortError';

const ask = (event: BeforeUnloadEvent): void => event.preventDefault();

const adviceOf: Record<RefusalKind, string> = {
  ...refusalAdvice,
  type: 'Save it in one of the formats that the upload panel names, or paste its text.',
};

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
  const listeners = new Set<() => void>();

  const set = (change: Partial<TrayState>): void => {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  };
  const update = (id: string, change: Partial<TrayItem>): void =>
    set({ items: state.items.map((item) => (item.id === id ? { ...item, ...change } : item)) });
  const remove = (id: string): void => set({ items: state.items.filter((item) => item.id !== id) });

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
      stored();
      return null;
    } catch (error) {
      update(item.id, { status: 'waiting', progress: 0 });
      return error;
    }
  }

  async function sendFiles(batch: readonly TrayItem[], signal: AbortSignal): Promise<unknown> {
    const summary = await sendUpload(
      { ...emptyContent, items: batch },
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
    while (await sendNext());
    isRunning = false;
    // What waits for the connection would be lost with the page, too.
    if (!state.isOffline) window.removeEventListener('beforeunload', ask);
  }

  const add = (items: readonly TrayItem[]): void => {
    set({ items: [...state.items, ...items] });
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
    take(taken: readonly Taken[], limits: SizeLimits): void {
      add(
        taken.map(({ file, path }) => {
          const refused = refusalOf(file, limits);
          return {
            ...newItem(file, path),
            note: null,
            refusal: refused?.kind ?? null,
            ...(refused && {
              status: 'refused' as const,
              message: `${refused.message} ${adviceOf[refused.kind]}`,
            }),
          };
        }),
      );
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
      add([{ ...newItem(file), refusal: null, note: isNote ? text : null }]);
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

    /** Sends a smaller copy of a picture that is too big. */
    async shrink(item: TrayItem, limits: SizeLimits): Promise<void> {
      const file = await shrinkImage(item.file, limits.mediaLimitMb * MB);
      remove(item.id);
      add([{ ...newItem(file, item.path), refusal: null, note: null }]);
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
