import { type UploadResult, uploadArtifacts } from '@engram/contract';
import { type Client, streamForm } from '@engram/client';
import {
  contentOf,
  type KnownFile,
  type Outgoing,
  timeOf,
  type Verdict,
} from '@engram/folder-sync';
import type { Folder } from './state.ts';
import type { Throttle } from './throttle.ts';
import { isRefusal, Later, meaningOf } from '../troubles.ts';

export interface Sending extends Outgoing {
  file: KnownFile;
  sha256: string;
  replaces: string | null;
}

/** The result: the file is in Engram, or its bytes are refused. */
export type Outcome =
  | { sending: Sending; artifact: string; duplicate: boolean }
  | { sending: Sending; verdict: Verdict; reason: string };

export interface BatchContext {
  client: Client;
  folder: Folder;
  deviceId: string;
  throttle: Throttle;
}

/** Small files go together: most of their time would be spent on calls. */
export const BATCH_FILES = 50;
export const BATCH_BYTES = 4_194_304;

/** Refusals that do not depend on the bytes, such as a full quota. */
const PASSING = /full|storage|quota|room|plan|subscription|broken_upload|abort/iu;

/** A name of a folder as a keyword: its letters and digits, as many as one may have. */
const asKeyword = (name: string): string =>
  [...name.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '')].slice(0, 25).join('');

export function keywordsOf({ keywords, topFolderKeyword }: Folder, path: string): string[] {
  const names = path.split('/');
  const top = topFolderKeyword && names.length > 2 ? asKeyword(names[1] ?? '') : '';
  return [...new Set([...keywords, ...(top === '' ? [] : [top])])];
}

/** Uploads that each hold one large file, or some small ones that share their keywords. */
export function inBatches(folder: Folder, files: readonly Sending[]): Sending[][] {
  const batches: Sending[][] = [];
  const open = new Map<string, { files: Sending[]; bytes: number }>();
  for (const sending of files) {
    const { size, path } = sending.file;
    if (size > BATCH_BYTES / 4) {
      batches.push([sending]);
      continue;
    }
    const key = keywordsOf(folder, path).join(' ');
    let batch = open.get(key);
    if (!batch || batch.files.length >= BATCH_FILES || batch.bytes + size > BATCH_BYTES) {
      batch = { files: [], bytes: 0 };
      open.set(key, batch);
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

/** What the answer says of each file, or null where it does not say which are meant. */
function outcomesOf(batch: readonly Sending[], answer: UploadResult): Outcome[] | null {
  const { artifacts, rejected } = answer;
  const passing = rejected.find(({ code }) => PASSING.test(code));
  if (rejected.length === 0 && artifacts.length === batch.length) {
    return batch.flatMap((sending, at) => {
      const { artifactId, duplicate } = artifacts[at] ?? { artifactId: '', duplicate: true };
      return [{ sending, artifact: artifactId, duplicate }];
    });
  }
  const [only] = batch;
  const [refused] = rejected;
  if (batch.length > 1 || !only || !refused) return null;
  if (passing) throw new Later(passing.message);
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
    for await (const piece of contentOf(sending)) {
      await throttle.take(piece.length, signal);
      yield piece;
    }
  }
  const parts = batch.map((sending) => {
    const { path, size } = sending.file;
    const name = path.slice(path.lastIndexOf('/') + 1);
    return { name, type: '', size, open: () => throttled(sending) };
  });
  const made = streamForm(fields, parts);
  const response = await client.send(uploadArtifacts, made, { signal });
  const envelope = (await response.json()) as { data: UploadResult };
  return envelope.data;
}

/**
 * Sends some files in one call.
 * @throws Changed if one of them was changed meanwhile, Later or Ended if the upload cannot continue.
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
    if (!isRefusal(error) || PASSING.test(error.code)) throw meaningOf(error);
    const [only] = batch;
    if (batch.length === 1 && only) {
      return [{ sending: only, verdict: verdictOf(error.code), reason: error.message }];
    }
    outcomes = null;
  }
  if (outcomes) return outcomes;
  // Part of the batch was refused, so its files are sent one by one. Files that arrived are not
  // stored twice.
  const each: Outcome[] = [];
  for (const sending of batch) {
    const alone = { ...sending, file: { ...sending.file, sending: true } };
    each.push(...(await uploadBatch(context, [alone], signal)));
  }
  return each;
}
