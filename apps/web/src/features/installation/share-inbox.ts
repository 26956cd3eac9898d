import { SHARE_INBOX } from '../../session/forget-shared.ts';

/** What another app hands over. */
export interface SharedContent {
  title: string;
  text: string;
  url: string;
  files: readonly File[];
}

/** Something shared that waits in this browser until it is uploaded. */
export interface SharedItem extends SharedContent {
  id: string;
  /** When it came, in milliseconds since the epoch. */
  at: number;
  /** Whose panel it was put into; null as long as nobody has seen it. */
  owner: string | null;
  /** Names of files that there was no room for. */
  leftOut: readonly string[];
}

/** What nobody has uploaded by then is not wanted any more. */
export const KEPT_FOR_MS = 24 * 3_600_000;
/** Most files that wait at a time. */
export const MOST_FILES = 100;
/** Most bytes of files that wait at a time. */
export const MOST_BYTES = 1_073_741_824;

const STORE = 'items';

const settled = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('Not stored.')));
  });

const finished = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    const fail = (): void => reject(transaction.error ?? new Error('Not stored.'));
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('error', fail);
    transaction.addEventListener('abort', fail);
  });

/** Opens the inbox as it is, or null where there is none: a look leaves nothing in the browser. */
async function findInbox(): Promise<IDBDatabase | null> {
  const opening = indexedDB.open(SHARE_INBOX, 1);
  let isThere = true;
  opening.addEventListener('upgradeneeded', () => {
    isThere = false;
    opening.transaction?.abort();
  });
  try {
    return await settled(opening);
  } catch (error) {
    if (isThere) throw error;
    return null;
  }
}

/** Opens the inbox, and makes it where there is none. */
function openInbox(): Promise<IDBDatabase> {
  const opening = indexedDB.open(SHARE_INBOX, 1);
  opening.addEventListener('upgradeneeded', () =>
    opening.result.createObjectStore(STORE, { keyPath: 'id' }),
  );
  return settled(opening);
}

/** Runs one transaction over everything that waits, after what is too old has gone. */
async function withItems<T>(
  database: IDBDatabase,
  now: number,
  act: (items: SharedItem[], store: IDBObjectStore) => T,
): Promise<T> {
  // Whoever signs out must not wait for this.
  database.addEventListener('versionchange', () => database.close());
  try {
    const transaction = database.transaction(STORE, 'readwrite');
    const done = finished(transaction);
    const store = transaction.objectStore(STORE);
    const items = (await settled(store.getAll())) as SharedItem[];
    const [old, fresh] = [[] as SharedItem[], [] as SharedItem[]];
    for (const item of items) (now - item.at < KEPT_FOR_MS ? fresh : old).push(item);
    for (const { id } of old) store.delete(id);
    const result = act(
      fresh.toSorted((a, b) => a.at - b.at),
      store,
    );
    await done;
    return result;
  } finally {
    database.close();
  }
}

/** Splits files into those that there is room for beside what waits already, and the others. */
export function fitFiles(
  files: readonly File[],
  waiting: readonly Pick<SharedItem, 'files'>[],
): { taken: File[]; leftOut: string[] } {
  const there = waiting.flatMap((item) => item.files);
  let bytes = there.reduce((sum, file) => sum + file.size, 0);
  const taken: File[] = [];
  const leftOut: string[] = [];
  for (const file of files) {
    if (there.length + taken.length < MOST_FILES && bytes + file.size <= MOST_BYTES) {
      taken.push(file);
      bytes += file.size;
    } else {
      leftOut.push(file.name);
    }
  }
  return { taken, leftOut };
}

/** Keeps what was shared; throws where the browser has no room for it. */
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

/** Whether something waits for this person, or, for nobody in particular, when nobody is given. */
export async function isSomethingShared(owner: string | null, now: number): Promise<boolean> {
  const inbox = await findInbox();
  if (!inbox) return false;
  return withItems(inbox, now, (items) =>
    items.some((item) => item.owner === null || item.owner === owner),
  );
}

/**
 * What waits for this person, oldest first. It stays theirs from then on; what waited for somebody
 * else goes.
 */
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

/** Removes what has been uploaded, or is not to be. */
export async function removeShared(ids: readonly string[], now: number): Promise<void> {
  const inbox = await findInbox();
  if (!inbox) return;
  await withItems(inbox, now, (_, store) => {
    for (const id of ids) store.delete(id);
  });
}
