import { ApiError } from '@engram/client';
import { messageOf } from '../../components/notify.ts';
import { uploadArtifacts } from './api/upload-artifacts.ts';
import { planBatches, shareProgress } from './batches.ts';
import {
  MB,
  needsShrinking,
  refusalAdvice,
  refusalText,
  tooLarge,
  type SizeLimits,
} from './file-rules.ts';
import { shrinkImage } from './shrink-image.ts';
import { formatBytes } from '../../format/format.ts';
import { forgetUnsent } from './unsent-files.ts';
import {
  outcomes,
  type UploadAction,
  type UploadContent,
  type UploadItem,
} from './upload-state.ts';

/** What became of an upload of any size. */
export interface UploadSummary {
  /** Files and notes that are stored now, those that were there before included. */
  stored: number;
  duplicates: number;
  refused: number;
  /** What stopped the rest from being sent; null when everything was sent. */
  failure: unknown;
}

const changeAll = (
  items: readonly UploadItem[],
  change: (item: UploadItem, index: number) => Partial<UploadItem>,
): Map<string, Partial<UploadItem>> =>
  new Map(items.map((item, index) => [item.id, change(item, index)]));

/** Whether an error speaks about the files of this one call, so that the next call may succeed. */
const isAboutFiles = (error: unknown): boolean =>
  error instanceof ApiError && [400, 413, 415, 422].includes(error.status);

const textOf = (error: unknown): string =>
  error instanceof ApiError
    ? refusalText({ message: messageOf(error), code: error.code })
    : messageOf(error);

/** A picture that fits the limit, as a change of its item; a refusal where it cannot be shrunk. */
async function shrunk(
  { file, name, size }: UploadItem,
  { mediaLimitMb }: SizeLimits,
): Promise<Partial<UploadItem>> {
  try {
    const smaller = await shrinkImage(file, mediaLimitMb * MB);
    const notice = `Shrunk from ${formatBytes(size)} to ${formatBytes(smaller.size)} to fit the limit of ${mediaLimitMb} MB.`;
    return { file: smaller, name: smaller.name, size: smaller.size, notice };
  } catch {
    const message = `${tooLarge(name, mediaLimitMb)} ${refusalAdvice.big}`;
    return { status: 'refused', progress: 0, refusal: 'big', message };
  }
}

/** Shrinks the pictures above the limit, and answers what can be sent. */
async function shrinkLarge(
  items: readonly UploadItem[],
  limits: SizeLimits,
  dispatch: (action: UploadAction) => void,
): Promise<UploadItem[]> {
  const ready: UploadItem[] = [];
  for (const item of items) {
    if (!needsShrinking(item.file, limits)) {
      ready.push(item);
      continue;
    }
    const change = await shrunk(item, limits);
    dispatch({ type: 'update', changes: new Map([[item.id, change]]) });
    if (change.status !== 'refused') ready.push({ ...item, ...change });
  }
  return ready;
}

/** Sends everything call after call, reporting each file's state on the way. */
export async function sendUpload(
  content: UploadContent,
  limits: SizeLimits,
  dispatch: (action: UploadAction) => void,
  signal: AbortSignal,
): Promise<UploadSummary> {
  const summary: UploadSummary = { stored: 0, duplicates: 0, refused: 0, failure: null };
  const unsent = content.items.filter((item) => item.status !== 'sent');
  const ready = await shrinkLarge(unsent, limits, dispatch);
  summary.refused = unsent.length - ready.length;
  const batches = planBatches(ready);
  let text = content.text.trim();
  if (batches.length === 0 && text !== '') batches.push([]);
  for (const items of batches) {
    const update = (change: (item: UploadItem, index: number) => Partial<UploadItem>): void =>
      dispatch({ type: 'update', changes: changeAll(items, change) });
    update(() => ({ status: 'sending', progress: 0, message: null }));
    try {
      const result = await uploadArtifacts({
        items,
        text,
        keywords: content.keywords,
        source: content.shares.length > 0 ? 'Share' : 'Web',
        signal,
        onProgress: (share) => {
          const shares = shareProgress(items, share);
          update((_, index) => ({ progress: shares[index] ?? 0 }));
        },
      });
      dispatch({ type: 'update', changes: outcomes(items, result) });
      forgetUnsent(items.map(({ id }) => id));
      summary.stored += result.artifacts.length;
      summary.duplicates += result.artifacts.filter(({ duplicate }) => duplicate).length;
      summary.refused += result.rejected.length;
      if (text) dispatch({ type: 'write', text: (text = '') });
    } catch (error) {
      const refused = items.length > 0 && isAboutFiles(error);
      update(() =>
        refused
          ? { status: 'refused', progress: 0, message: textOf(error) }
          : { status: 'waiting', progress: 0 },
      );
      summary.refused += refused ? items.length : 0;
      if (!refused) return { ...summary, failure: error };
    }
  }
  return summary;
}
