import { type UploadResult, uploadArtifacts } from '@engram/contract';
import { type Client, streamForm } from '@engram/client';
import {
  contentOf,
  type KnownFile,
  type FileToSend,
  timeOf,
  type Verdict,
} from '@engram/folder-sync';
import type { Folder } from './state.ts';
import type { Throttle } from './throttle.ts';
import { isRefusal, RetryLaterError, toSyncError } from '../sync-problem.ts';

export interface Sending extends FileToSend {
  file: KnownFile;
  sha256: string;
  replaces: string | null;
}

/** The result: the file is in Engram, or it was rejected. */
export type Outcome =
  | { sending: Sending; artifact: string; duplicate: boolean }
  | { sending: Sending; verdict: Verdict; reason: string };

export interface BatchContext {
  client: Client;
  folder: Folder;
  deviceId: string;
  throttle: Throttle;
}

/** Small files are sent in batches, because one call per file would take most of the time. */
export const BATCH_FILES = 50;
export const BATCH_BYTES = 4_194_304;

/** Rejections that do not depend on the bytes, such as a full quota. */
const TEMPORARY = /full|storage|quota|room|plan|subscription|broken_upload|abort/iu;

/** A folder name as a keyword: its letters and digits, up to the maximum length. */
const asKeyword = (name: string): string =>
  [...name.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '')].slice(0, 25).join('');

export function keywordsOf({ keywords, topFolderKeyword }: Folder, path: string): string[] {
  const names = path.split('/');
  const top = topFolderKeyword && names.length > 2 ? asKeyword(names[1] ?? '') : '';
  return [...new Set([...keywords, ...(top === '' ? [] : [top])])];
}

/** Batches of one large file, or of several small files with the same keywords. */
export function batchesOf(folder: Folder, files: readonly Sending[]): Sending[][] {
  const batches: Sending[][] = [];
  const openBatches = new Map<string, { files: Sending[]; bytes: number }>();
  for (const sending of files) {
    const { size, path } = sending.file;
    if (size > BATCH_BYTES / 4) {
      batches.push([sending]);
      continue;
    }
    const key = keywordsOf(folder, path).join(' ');
    let batch = openBatches.get(key);
    if (!batch || batch.files.length >= BATCH_FILES || batch.bytes + size > BATCH_BYTES) {
      batch = { files: [], bytes: 0 };
      openBatches.set(key, batch);
      batches.push(batch.files);
    }
    batch.files.push(sending);
    batch.bytes += size;
  }
  return batches;
}

const metaOf = ({ file, replaces }: Sending): unknown => ({
  path: file.path,
  modifiedAt: timeOf(file.mtime),
  ...(replaces === null ? {} : { replaces }),
});

const verdictOf = (code: string): Verdict => {
  if (code.includes('large')) return 'large';
  return code.includes('type') ? 'type' : 'refused';
};

/** The outcome of each file, or null if the response does not identify the rejected files. */
function outcomesOf(batch: readonly Sending[], answer: UploadResult): Outcome[] | null {
  const { artifacts, rejected } = answer;
  const temporary = rejected.find(({ code }) => TEMPORARY.test(code));
  if (rejected.length === 0 && artifacts.length === batch.length) {
    return batch.flatMap((sending, index) => {
      const { artifactId, duplicate } = artifacts[index] ?? { artifactId: '', duplicate: true };
      return [{ sending, artifact: artifactId, duplicate }];
    });
  }
  const [only] = batch;
  const [refused] = rejected;
  if (batch.length > 1 || !only || !refused) return null;
  if (temporary) throw new RetryLaterError(temporary.message);
  return [{ sending: only, verdict: verdictOf(refused.code), reason: refused.message }];
}

async function send(
  { client, folder, deviceId, throttle }: BatchContext,
  batch: readonly Sending[],
  signal: AbortSignal,
): Promise<UploadResult> {
  const fields = {
    source: 'Connector',
    deviceId,
    keywords: JSON.stringify(keywordsOf(folder, batch[0]?.file.path ?? '')),
    meta: JSON.stringify(batch.map(metaOf)),
  };
  async function* throttled(sending: Sending): AsyncGenerator<Uint8Array> {
    for await (const chunk of contentOf(sending)) {
      await throttle.take(chunk.length, signal);
      yield chunk;
    }
  }
  const parts = batch.map((sending) => {
    const { path, size } = sending.file;
    const name = path.slice(path.lastIndexOf('/') + 1);
    return { name, type: '', size, open: () => throttled(sending) };
  });
  const form = streamForm(fields, parts);
  const response = await client.send(uploadArtifacts, form, { signal });
  const envelope = (await response.json()) as { data: UploadResult };
  return envelope.data;
}

/**
 * Sends some files in one call.
 * @throws FileChangedError if a file was changed during the upload, RetryLaterError or ConnectionEndedError if the upload cannot continue.
 */
export async function uploadBatch(
  context: BatchContext,
  batch: readonly Sending[],
  signal: AbortSignal,
): Promise<Outcome[]> {
  let outcomes: Outcome[] | null;
  try {
    outcomes = outcomesOf(batch, await send(context, batch, signal));
  } catch (error) {
    if (!isRefusal(error) || TEMPORARY.test(error.code)) throw toSyncError(error);
    const [only] = batch;
    if (batch.length === 1 && only) {
      return [{ sending: only, verdict: verdictOf(error.code), reason: error.message }];
    }
    outcomes = null;
  }
  if (outcomes) return outcomes;
  // Some files of the batch were rejected, so they are sent one by one. Files that arrived are not
  // stored twice.
  const separate: Outcome[] = [];
  for (const sending of batch) {
    const single = { ...sending, file: { ...sending.file, sending: true } };
    separate.push(...(await uploadBatch(context, [single], signal)));
  }
  return separate;
}
