import type { UploadResult } from '@engram/contract';
import { uploadArtifacts } from '@engram/contract/browser';
import { api } from '../../api/api.ts';
import { deviceLabel } from '../../browser/device.ts';
import { refusalText } from './file-rules.ts';
import type { UploadItem } from './upload-item.ts';

/** Small, so that a lost connection costs little, but 500 notes still take only 25 calls. */
export const BATCH_FILES = 20;
export const BATCH_BYTES = 50 * 1_048_576;

/**
 * The items of the next call: files and up to one note, with the source and keywords of the first
 * item. Files of the same name are in different calls, as the server identifies them by name.
 */
export function nextBatch(waiting: readonly UploadItem[]): UploadItem[] {
  const kindOf = ({ source, uploadKeywords }: UploadItem): string =>
    [source, ...uploadKeywords].join(' ');
  const alike = waiting.filter((item) => waiting[0] && kindOf(item) === kindOf(waiting[0]));
  const files = alike.filter(({ note }) => note === null);
  const notes = alike.filter(({ note }) => note !== null).slice(0, 1);
  const batch: UploadItem[] = [];
  let bytes = 0;
  for (const item of [...files, ...notes]) {
    bytes += item.size;
    const isFull = batch.length === BATCH_FILES || (batch.length > 0 && bytes > BATCH_BYTES);
    if (isFull || batch.some(({ name }) => name === item.name)) break;
    batch.push(item);
  }
  return batch;
}

export function shareProgress(batch: readonly { size: number }[], share: number): number[] {
  let remaining = share * batch.reduce((sum, { size }) => sum + size, 0);
  return batch.map(({ size }) => {
    const sent = Math.min(Math.max(remaining, 0), size);
    remaining -= size;
    return size === 0 ? 1 : sent / size;
  });
}

export async function sendBatch(
  batch: readonly UploadItem[],
  options: { signal: AbortSignal; onProgress: (share: number) => void },
): Promise<UploadResult> {
  const files = batch.filter(({ note }) => note === null);
  const tagged = files.filter(({ keywords }) => keywords.length > 0);
  const details = files.map(({ path, file }) => ({
    path,
    modifiedAt: new Date(file.lastModified).toISOString(),
  }));
  const answer = await api.upload(
    uploadArtifacts,
    files.map(({ name, file }) => ({ name, content: file })),
    {
      filesKeywords: JSON.stringify(
        Object.fromEntries(tagged.map(({ name, keywords }) => [name, keywords])),
      ),
      artifactText: batch.find(({ note }) => note !== null)?.note ?? '',
      keywords: JSON.stringify(batch[0]?.uploadKeywords ?? []),
      source: batch[0]?.source ?? 'Web',
      ...(files.some(({ path }) => path !== null) ? { meta: JSON.stringify(details) } : {}),
      device: deviceLabel(),
    },
    options,
  );
  return answer.data;
}

export function itemChanges(
  batch: readonly UploadItem[],
  result: UploadResult,
): Map<string, Partial<UploadItem>> {
  const reasons = new Map(
    result.rejected.map((refused) => [refused.fileName, refusalText(refused)]),
  );
  // The answer lists stored files in the order in which they were sent.
  const stored = result.artifacts.values();
  return new Map(
    batch.map((item): [string, Partial<UploadItem>] => {
      const message = (item.note === null && reasons.get(item.name)) || null;
      if (message) return [item.id, { status: 'failed', progress: 1, message }];
      const { artifactId = null, duplicate: isKnown = false, fileName } = stored.next().value ?? {};
      const name = item.note === null ? item.name : (fileName ?? item.name);
      return [item.id, { status: 'sent', progress: 1, message, artifactId, isKnown, name }];
    }),
  );
}
