import type { UploadItem } from './upload-item.ts';

interface Sized {
  name: string;
  /** Bytes. */
  size: number;
}

/** Small enough that a lost connection costs little, large enough that 500 notes take 25 calls. */
export const BATCH_FILES = 20;
export const BATCH_BYTES = 50 * 1_048_576;

/**
 * Splits files into calls of bounded size, in their order. Files of one name never share a call:
 * the server's answer and the keywords of each file are told apart by name.
 */
export function planBatches<T extends Sized>(items: readonly T[]): T[][] {
  const batches: { items: T[]; bytes: number; names: Set<string> }[] = [];
  for (const item of items) {
    const last = batches.at(-1);
    const fits =
      last &&
      last.items.length < BATCH_FILES &&
      last.bytes + item.size <= BATCH_BYTES &&
      !last.names.has(item.name);
    if (fits) {
      last.items.push(item);
      last.bytes += item.size;
      last.names.add(item.name);
    } else {
      batches.push({ items: [item], bytes: item.size, names: new Set([item.name]) });
    }
  }
  return batches.map((batch) => batch.items);
}

/**
 * What the next call sends: files, and up to one note after them, that share their source and the
 * keywords of their upload with the first item.
 */
export function nextBatch(waiting: readonly UploadItem[]): UploadItem[] {
  const kindOf = ({ source, uploadKeywords }: UploadItem): string =>
    [source, ...uploadKeywords].join(' ');
  const alike = waiting.filter((item) => waiting[0] && kindOf(item) === kindOf(waiting[0]));
  const files = alike.filter(({ note }) => note === null);
  const notes = alike.filter(({ note }) => note !== null).slice(0, 1);
  return planBatches([...files, ...notes])[0] ?? [];
}

/** How much of each file of a call has been sent, 0 to 1, given the share of the whole call. */
export function shareProgress(items: readonly Sized[], share: number): number[] {
  const total = items.reduce((sum, item) => sum + item.size, 0);
  let left = share * total;
  return items.map((item) => {
    const sent = Math.min(Math.max(left, 0), item.size);
    left -= item.size;
    return item.size === 0 ? 1 : sent / item.size;
  });
}
