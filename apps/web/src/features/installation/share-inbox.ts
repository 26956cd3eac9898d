import { promisifyRequest } from 'idb-keyval';
import { SHARE_INBOX } from '../../session/forget-shared.ts';

/** What another app shared. */
export interface SharedContent {
  title: string;
  text: string;
  url: string;
  files: readonly File[];
}

/** Shared content that is stored in this browser until it is uploaded. */
export interface SharedItem extends SharedContent {
  id: string;
  /** When it was shared, in milliseconds since the epoch. */
  at: number;
  /** The user whose upload panel it was put into; null until one has seen it. */
  owner: string | null;
  /** Names of files for which there was no room. */
  leftOut: readonly string[];
}

/** The time after which an item that was not uploaded is removed, in milliseconds. */
const KEPT_FOR_MS = 24 * 3_600_000;
/** The most files that are stored at a time. */
export const MOST_FILES = 100;
/** The most bytes of files that are stored at a time. */
export const MOST_BYTES = 1_073_741_824;

const STORE = 'items';

/** Opens the inbox if it exists. Does not create it, so that reading leaves nothing in the browser. */
async function findInbox(): Promise<IDBDatabase | null> {
  const opening = indexedDB.open(SHARE_INBOX, 1);
  let exists = true;
  opening.addEventListener('upgradeneeded', () => {
    exists = false;
    opening.transaction?.abort();
  });
  try {
    return await promisifyRequest(opening);
  } catch (error) {
    if (exists) throw error;
    return null;
  }
}

/** Opens the inbox, and creates it if there is none. */
function openInbox(): Promise<IDBDatabase> {
  const opening = indexedDB.open(SHARE_INBOX, 1);
  opening.addEventListener('upgradeneeded', () =>
    opening.result.createObjectStore(STORE, { keyPath: 'id' }),
  );
  return promisifyRequest(opening);
}

/** Runs one transaction over all items, after removing those that are too old. */
async function withItems<T>(
  database: IDBDatabase,
  now: number,
  act: (items: SharedItem[], store: IDBObjectStore) => T,
): Promise<T> {
  // Signing out deletes the database and must not wait for this connection.
  database.addEventListener('versionchange', () => database.close());
  try {
    const transaction = database.transaction(STORE, 'readwrite');
    const done = promisifyRequest(transaction);
    const store = transaction.objectStore(STORE);
    const items = (await promisifyRequest(store.getAll())) as SharedItem[];
    const isOld = ({ at }: SharedItem): boolean => now - at >= KEPT_FOR_MS;
    for (const { id } of items.filter(isOld)) store.delete(id);
    const current = items.filter((item) => !isOld(item)).toSorted((a, b) => a.at - b.at);
    const result = act(current, store);
    await done;
    return result;
  } finally {
    database.close();
  }
}

/** Splits files into those that fit beside what is stored already, and the names of the others. */
export function fitFiles(
  files: readonly File[],
  waiting: readonly Pick<SharedItem, 'files'>[],
): { taken: File[]; leftOut: string[] } {
  const stored = waiting.flatMap((item) => item.files);
  let bytes = stored.reduce((sum, file) => sum + file.size, 0);
  const taken: File[] = [];
  const leftOut: string[] = [];
  for (const file of files) {
    if (stored.length + taken.length < MOST_FILES && bytes + file.size <= MOST_BYTES) {
      taken.push(file);
      bytes += file.size;
    } else {
      leftOut.push(file.name);
    }
  }
  return { taken, leftOut };
}

/** Stores what was shared. @throws if the browser has no room for it */
export const keepShared = async (content: SharedContent, now: number): Promise<void> =>
  withItems(await openInbox(), now, (waiting, store) => {
    const { taken, leftOut } = fitFiles(content.files, waiting);
    const item: SharedItem = {
      ...content,
      files: taken,
      leftOut,
      id: crypto.randomUUID(),
      at: now,
      owner: null,
    };
    store.put(item);
  });

/** Whether an item is stored for this user, or without a user, an item that has no owner yet. */
export async function isSomethingShared(owner: string | null, now: number): Promise<boolean> {
  const inbox = await findInbox();
  if (!inbox) return false;
  return withItems(inbox, now, (items) =>
    items.some((item) => item.owner === null || item.owner === owner),
  );
}

/** The items for this user, oldest first. They stay this user's; those of other users are removed. */
export async function claimShared(owner: string, now: number): Promise<SharedItem[]> {
  const inbox = await findInbox();
  if (!inbox) return [];
  return withItems(inbox, now, (items, store) => {
    const mine = items.filter((item) => item.owner === null || item.owner === owner);
    for (const item of items) {
      if (!mine.includes(item)) store.delete(item.id);
      else if (item.owner === null) store.put({ ...item, owner });
    }
    return mine;
  });
}

/** Removes items that were uploaded or discarded. */
export async function removeShared(ids: readonly string[], now: number): Promise<void> {
  const inbox = await findInbox();
  if (!inbox) return;
  await withItems(inbox, now, (_, store) => {
    for (const id of ids) store.delete(id);
  });
}

/**
 * The title, text and address of what was shared, as a note of up to three lines. Apps put an address
 * into different fields and may repeat the title in the text: repeated parts are left out.
 */
export function noteOf({ title, text, url, files }: SharedContent): string {
  // A title alone is the name of the files that it came with.
  const parts = files.length > 0 && !text.trim() && !url.trim() ? [] : [title, text, url];
  const lines: string[] = [];
  for (const part of parts.map((part) => part.trim())) {
    if (part === '' || lines.some((line) => line.includes(part))) continue;
    if (lines.length > 0 && part.startsWith(lines.at(-1) ?? '')) lines.pop();
    lines.push(part);
  }
  return lines.join('\n');
}
