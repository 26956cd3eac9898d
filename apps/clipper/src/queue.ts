import { ApiError, type Client, ConnectionEndedError } from '@engram/client';
import { saveWebContent, saveWebPage, uploadArtifacts } from '@engram/contract/browser';
import { clear, createStore, del, promisifyRequest, set, values } from 'idb-keyval';
import { messageOf, openClient } from './connection.ts';
import type { WaitingItem } from './stored.ts';

/** What the user wants to save. */
export interface Content {
  title: string;
  /** Null for a picture without a web address. */
  url: string | null;
  /** Null if the server fetches the address. */
  file: File | null;
  keywords: string[];
}

interface Item extends Content, WaitingItem {
  attempts: number;
}

export type Outcome =
  | { kind: 'saved'; artifactId: string; fileName: string; duplicate: boolean }
  | { kind: 'waiting'; error: string; refused: boolean };

export const QUEUE_ALARM = 'queue';
const MAX_ITEMS = 50;
const MAX_BYTES = 200_000_000;
const FIRST_RETRY_MS = 30_000;
const MAX_RETRY_MS = 3_600_000;

/** HTTP statuses for which a retry would fail too. */
const REFUSALS = new Set([400, 402, 403, 404, 413, 415, 422]);

const store = createStore('engram-clipper', 'waiting');

/** Oldest first, because the IDs begin with the time. */
const listItems = (): Promise<Item[]> => values<Item>(store);

/** Shows the queued items in the popup, and their number on the button of the extension. */
async function publish(): Promise<void> {
  const items = await listItems();
  const waiting = items.map(({ id, title, error, refused }) => ({ id, title, error, refused }));
  await chrome.storage.local.set({ waiting });
  await chrome.action.setBadgeText({ text: items.length > 0 ? String(items.length) : '' });
}

async function send(client: Client, { url, file, keywords }: Item) {
  const fields = { keywords: JSON.stringify(keywords) };
  if (url === null || file === null) {
    if (file === null) {
      return (await client.call(saveWebPage, { body: { url: url ?? '', keywords } })).data;
    }
    const upload = [{ name: file.name, content: file }];
    const { data } = await client.upload(uploadArtifacts, upload, fields);
    return data.artifacts[0];
  }
  const content = [{ name: file.name, content: file }];
  return (await client.upload(saveWebContent, content, { url, ...fields })).data;
}

/** Changes an item in one transaction, so that one that the user discards meanwhile does not return. */
const changeItem = (id: string, change: Partial<Item>): Promise<void> =>
  store('readwrite', (objects) => {
    const reading = objects.get(id) as IDBRequest<Item | undefined>;
    reading.addEventListener('success', () => {
      if (reading.result) objects.put({ ...reading.result, ...change }, id);
    });
    return promisifyRequest(objects.transaction);
  });

async function retryLater(item: Item, error: unknown): Promise<void> {
  const attempts = item.attempts + 1;
  await changeItem(item.id, { attempts, error: messageOf(error) });
  // Nothing is sent before the user has paired again.
  if (error instanceof ConnectionEndedError) return;
  const pause = Math.min(FIRST_RETRY_MS * 2 ** item.attempts, MAX_RETRY_MS);
  const retryAfter = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
  await chrome.alarms.create(QUEUE_ALARM, { when: Date.now() + Math.max(pause, retryAfter) });
}

/** Sends the queued items, oldest first, until Engram cannot be reached. */
async function sendAll(): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  for (const item of await listItems()) {
    if (item.refused) continue;
    try {
      const saved = await send(await openClient(), item);
      await del(item.id, store);
      if (saved) outcomes.set(item.id, { kind: 'saved', ...saved });
    } catch (error) {
      const refused = error instanceof ApiError && REFUSALS.has(error.status);
      outcomes.set(item.id, { kind: 'waiting', error: messageOf(error), refused });
      if (!refused) {
        await retryLater(item, error);
        break;
      }
      await changeItem(item.id, { refused, error: messageOf(error) });
    }
  }
  await publish();
  return outcomes;
}

let lastRun: Promise<unknown> = Promise.resolve();

/** Sends the queued items once the current run has ended. */
export function flush(): Promise<Map<string, Outcome>> {
  const next = lastRun.then(sendAll);
  lastRun = next.catch(() => undefined);
  return next;
}

/** Stores content durably, then sends it. @throws Error if the queue is full */
export async function save(content: Content): Promise<Outcome> {
  const items = await listItems();
  const bytes = [content, ...items].reduce((sum, { file }) => sum + (file?.size ?? 0), 0);
  if (items.length >= MAX_ITEMS || bytes > MAX_BYTES) {
    throw new Error('Too much is waiting to be sent. Retry or discard it first.');
  }
  const id = `${Date.now()}-${crypto.randomUUID()}`;
  const item: Item = { ...content, id, attempts: 0, error: null, refused: false };
  await set(id, item, store);
  await publish();
  const outcome = (await flush()).get(id);
  // An older item could not be sent, so this one was not attempted.
  return outcome ?? { kind: 'waiting', error: 'Engram cannot be reached.', refused: false };
}

/** Sends an item again now, with all other queued ones. */
export async function retry(id: string): Promise<void> {
  await changeItem(id, { refused: false, error: null });
  await flush();
}

export async function discard(id: string): Promise<void> {
  await del(id, store);
  await publish();
}

export async function discardAll(): Promise<void> {
  await clear(store);
  await chrome.alarms.clear(QUEUE_ALARM);
  await publish();
}
