import { delMany, promisifyRequest, values } from 'idb-keyval';
import { isWebAddress } from '../../artifacts/web-address.ts';
import { databaseStore, isMissing } from '../../browser/database.ts';
import { SHARE_INBOX } from '../../session/forget-shared.ts';

export interface SharedContent {
  title: string;
  text: string;
  url: string;
  files: readonly File[];
}

export interface SharedItem extends SharedContent {
  id: string;
  at: number;
  /** The user whose upload panel it was put into; null until one has seen it. */
  owner: string | null;
  leftOut: readonly string[];
}

const KEPT_FOR_MS = 24 * 3_600_000;
export const MOST_FILES = 100;
export const MOST_BYTES = 1_073_741_824;

const store = databaseStore(SHARE_INBOX, 'items', { keyPath: 'id' });

const put = (items: readonly SharedItem[]): Promise<void> =>
  store('readwrite', (objects) => {
    for (const item of items) objects.put(item);
    return promisifyRequest(objects.transaction);
  });

/** All items, oldest first, after removing those that are too old. */
async function readItems(now: number): Promise<SharedItem[]> {
  const items = await values<SharedItem>(store).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const isOld = ({ at }: SharedItem): boolean => now - at >= KEPT_FOR_MS;
  await removeShared(items.filter(isOld).map(({ id }) => id));
  return items.filter((item) => !isOld(item)).toSorted((a, b) => a.at - b.at);
}

const isFor = (owner: string | null) => (item: SharedItem) =>
  item.owner === null || item.owner === owner;

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
export async function keepShared(content: SharedContent, now: number): Promise<void> {
  const { taken, leftOut } = fitFiles(content.files, await readItems(now));
  const id = crypto.randomUUID();
  await put([{ ...content, files: taken, leftOut, id, at: now, owner: null }]);
}

/** Whether an item is stored for this user, or without a user, an item that has no owner yet. */
export const isSomethingShared = async (owner: string | null, now: number): Promise<boolean> =>
  (await readItems(now)).some(isFor(owner));

/** The items for this user, oldest first. They stay this user's; those of other users are removed. */
export async function claimShared(owner: string, now: number): Promise<SharedItem[]> {
  const items = await readItems(now);
  const mine = items.filter(isFor(owner));
  await removeShared(items.filter((item) => !mine.includes(item)).map(({ id }) => id));
  const unclaimed = mine.filter((item) => item.owner === null);
  if (unclaimed.length > 0) await put(unclaimed.map((item) => ({ ...item, owner })));
  return mine;
}

export async function removeShared(ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await delMany([...ids], store);
}

/** The web page that was shared; '' if more than its title and address came. */
export function pageOf({ title, text, url, files }: SharedContent): string {
  const parts = [text, url].map((part) => part.trim());
  const address = parts.find(isWebAddress);
  if (address === undefined || files.length > 0) return '';
  const hasMore = parts.some((part) => part !== '' && part !== address && part !== title.trim());
  return hasMore ? '' : address;
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
