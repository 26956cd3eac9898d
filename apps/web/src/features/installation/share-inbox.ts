import { delMany, promisifyRequest, values } from 'idb-keyval';
import { isWebAddress } from '../../artifacts/web-address.ts';
import { databaseStore, isMissing } from '../../browser/database.ts';
import { SHARE_INBOX } from '../../session/unsent-databases.ts';

interface SharedContent {
  title: string;
  text: string;
  url: string;
  files: readonly File[];
}

export interface SharedItem extends SharedContent {
  id: string;
  at: number;
  /** The user in whose upload panel it is; null until a user has claimed it. */
  owner: string | null;
  leftOut: readonly string[];
}

const MAX_AGE_MS = 24 * 3_600_000;
export const MAX_FILES = 100;
export const MAX_BYTES = 1_073_741_824;

const store = databaseStore(SHARE_INBOX, 'items', { keyPath: 'id' });

const put = (items: readonly SharedItem[]): Promise<void> =>
  store('readwrite', (objects) => {
    for (const item of items) objects.put(item);
    return promisifyRequest(objects.transaction);
  });

/** All items, oldest first. Old ones are deleted. */
async function readItems(now: number): Promise<SharedItem[]> {
  const items = await values<SharedItem>(store).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const isOld = ({ at }: SharedItem): boolean => now - at >= MAX_AGE_MS;
  await removeShared(items.filter(isOld).map(({ id }) => id));
  return items.filter((item) => !isOld(item)).toSorted((a, b) => a.at - b.at);
}

const isFor = (owner: string | null) => (item: SharedItem) =>
  item.owner === null || item.owner === owner;

/** Splits files into those for which there is space, and the names of the others. */
export function fitFiles(
  files: readonly File[],
  waiting: readonly Pick<SharedItem, 'files'>[],
): { accepted: File[]; leftOut: string[] } {
  const stored = waiting.flatMap((item) => item.files);
  let bytes = stored.reduce((sum, file) => sum + file.size, 0);
  const accepted: File[] = [];
  const leftOut: string[] = [];
  for (const file of files) {
    if (stored.length + accepted.length < MAX_FILES && bytes + file.size <= MAX_BYTES) {
      accepted.push(file);
      bytes += file.size;
    } else {
      leftOut.push(file.name);
    }
  }
  return { accepted, leftOut };
}

/** Stores shared content. @throws if the browser has no space for it */
export async function storeShared(content: SharedContent, now: number): Promise<void> {
  const { accepted, leftOut } = fitFiles(content.files, await readItems(now));
  const id = crypto.randomUUID();
  await put([{ ...content, files: accepted, leftOut, id, at: now, owner: null }]);
}

/** Whether there is an item of this user, or one without an owner. */
export const hasSharedItems = async (owner: string | null, now: number): Promise<boolean> =>
  (await readItems(now)).some(isFor(owner));

/** The items for this user, oldest first, who becomes their owner. Other users' items are deleted. */
export async function claimShared(owner: string, now: number): Promise<SharedItem[]> {
  const items = await readItems(now);
  const claimed = items.filter(isFor(owner));
  await removeShared(items.filter((item) => !claimed.includes(item)).map(({ id }) => id));
  const unclaimed = claimed.filter((item) => item.owner === null);
  if (unclaimed.length > 0) await put(unclaimed.map((item) => ({ ...item, owner })));
  return claimed;
}

export async function removeShared(ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await delMany([...ids], store);
}

/** The address of a shared web page; '' if there is content beside its title and address. */
export function pageOf({ title, text, url, files }: SharedContent): string {
  const parts = [text, url].map((part) => part.trim());
  const address = parts.find(isWebAddress);
  if (address === undefined || files.length > 0) return '';
  const hasMore = parts.some((part) => part !== '' && part !== address && part !== title.trim());
  return hasMore ? '' : address;
}

/**
 * The title, text and address of shared content as a note of up to three lines. Parts that an app
 * repeats in several fields appear once.
 */
export function noteOf({ title, text, url, files }: SharedContent): string {
  // Only a title is the name of the files.
  const parts = files.length > 0 && !text.trim() && !url.trim() ? [] : [title, text, url];
  const lines: string[] = [];
  for (const part of parts.map((part) => part.trim())) {
    if (part === '' || lines.some((line) => line.includes(part))) continue;
    if (lines.length > 0 && part.startsWith(lines.at(-1) ?? '')) lines.pop();
    lines.push(part);
  }
  return lines.join('\n');
}
