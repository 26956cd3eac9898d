import { ApiError } from '@engram/client';
import { checkArtifacts, placeArtifact, setArtifactArchived } from '@engram/contract';
import {
  FileChangedError,
  type FolderMemory,
  withArtifact,
  withVerdict,
  type KnownFile,
  assertUnchanged,
  type RoundContext,
  type StepOf,
  type SyncServer,
} from '@engram/folder-sync';
import { type BatchContext, batchesOf, type Outcome, type Sending, uploadBatch } from './upload.ts';

const UPLOADS_AT_ONCE = 2;

interface UploadContext extends BatchContext {
  memory: FolderMemory;
  signal: AbortSignal;
}

function afterUpload(outcome: Outcome): KnownFile {
  const { file } = outcome.sending;
  if ('verdict' in outcome) return withVerdict(file, outcome.verdict, outcome.reason);
  // Another device may have uploaded the same bytes just before.
  const isOurs = !outcome.duplicate || file.sending;
  return withArtifact(file, outcome.artifact, { sentByUs: isOurs, placed: isOurs });
}

async function uploadOne(
  context: UploadContext,
  { answers, skip, onProgress }: RoundContext,
  batch: Sending[],
  signal: AbortSignal,
): Promise<void> {
  const { memory } = context;
  // Written before the first byte, because after a crash it is unknown whether it arrived.
  memory.write({ put: batch.map(({ file }) => ({ ...file, sending: true })) });
  let outcomes: Outcome[];
  try {
    outcomes = await uploadBatch(context, batch, signal);
  } catch (error) {
    // Some of them may have arrived, so their answers are outdated.
    for (const { sha256 } of batch) answers.delete(sha256);
    if (!(error instanceof FileChangedError)) throw error;
    for (const { file, disk } of batch) {
      await assertUnchanged({ file, disk }).catch(() => skip(file.path, true));
    }
    return;
  }
  memory.write(
    // Only uploaded files replace others.
    ...outcomes.map((outcome) => ({
      release: 'artifact' in outcome ? outcome.sending.replaces : null,
    })),
    { put: outcomes.map(afterUpload) },
  );
  onProgress();
}

async function upload(
  context: UploadContext,
  steps: readonly StepOf<'upload'>[],
  tools: RoundContext,
): Promise<void> {
  const sendings = steps.flatMap(({ file, sha256, replaces }): Sending[] => {
    const disk = tools.scanned.get(file.path)?.disk;
    return disk === undefined ? [] : [{ file, sha256, replaces, disk }];
  });
  const batches = batchesOf(context.folder, sendings).values();
  const failed = new AbortController();
  const signal = AbortSignal.any([context.signal, failed.signal]);
  const worker = async (): Promise<void> => {
    for (const batch of batches) {
      signal.throwIfAborted();
      try {
        await uploadOne(context, tools, batch, signal);
      } catch (error) {
        // The first failure is reported, because it aborts the other upload.
        const first: unknown = signal.aborted ? signal.reason : error;
        failed.abort(first);
        throw first;
      }
    }
  };
  const results = await Promise.allSettled(Array.from({ length: UPLOADS_AT_ONCE }, worker));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

/** The calls of a sync, made to the paired server. */
export function createSyncServer(context: UploadContext): SyncServer {
  const { client, deviceId, signal } = context;
  return {
    check: async (files) =>
      (await client.call(checkArtifacts, { body: { files } }, { signal })).data,
    place: async (artifactId, { replaces, ...place }) => {
      const body = { ...place, deviceId, ...(replaces === null ? {} : { replaces }) };
      await client.call(placeArtifact, { params: { artifactId }, body }, { signal });
    },
    archive: async (artifactId, isArchived) => {
      const params = { artifactId, archived: isArchived ? 'true' : 'false' } as const;
      await client.call(setArtifactArchived, { params }, { signal });
    },
    upload: (steps, tools) => upload(context, steps, tools),
    isNotFound: (error) =>
      error instanceof ApiError && error.status === 404 && error.code !== 'device_not_found',
  };
}
