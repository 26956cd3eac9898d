import { ApiError } from '@engram/client';
import { CHECK_LIMIT, checkArtifacts, placeArtifact, setArtifactArchived } from '@engram/contract';
import {
  type ApplyTools,
  Changed,
  held,
  judged,
  type KnownFile,
  lookInto,
  mustBeUntouched,
  ofKind,
  type Step,
  type StepOf,
  timeOf,
} from '@engram/folder-sync';
import type { State } from './state.ts';
import {
  inBatches,
  isSendable,
  type Outcome,
  type Sending,
  uploadBatch,
  type UploadContext,
} from './upload.ts';
import { Ended, meaningOf } from '../troubles.ts';

const UPLOADS_AT_ONCE = 2;
/** The server reads 1 MB of a body at most, and paths may be long. */
const CHECK_BYTES = 900_000;

export interface ApplyContext extends UploadContext, ApplyTools {
  state: State;
}

const answered = async <T>(calling: () => Promise<T>): Promise<T> => {
  try {
    return await calling();
  } catch (error) {
    throw meaningOf(error);
  }
};

/** Questions as one call takes them: so many, and not more than the server reads of a body. */
function* inCalls(steps: readonly StepOf<'check'>[]): Generator<StepOf<'check'>[]> {
  let [call, bytes]: [StepOf<'check'>[], number] = [[], 0];
  for (const step of steps) {
    const size = Buffer.byteLength(JSON.stringify(step.file.path)) + 150;
    if (call.length === CHECK_LIMIT || bytes + size > CHECK_BYTES) {
      yield call;
      [call, bytes] = [[], 0];
    }
    call.push(step);
    bytes += size;
  }
  if (call.length > 0) yield call;
}

async function check(context: ApplyContext, steps: readonly StepOf<'check'>[]): Promise<void> {
  const { client, answers, signal } = context;
  const sendable = steps.filter(({ file, sha256 }) => {
    if (isSendable(file.path)) return true;
    const reason = 'Its path cannot be sent.';
    answers.set(sha256, { state: 'refused', artifactId: null, reason });
    return false;
  });
  for (const asked of inCalls(sendable)) {
    const files = asked.map(({ file: { path, size }, sha256 }) => ({ path, size, sha256 }));
    const { data } = await answered(() =>
      client.call(checkArtifacts, { body: { files } }, { signal }),
    );
    for (const [at, { sha256 }] of asked.entries()) {
      const answer = data[at];
      if (answer) answers.set(sha256, answer);
    }
  }
}

function afterUpload(outcome: Outcome): KnownFile {
  const { file } = outcome.sending;
  if ('verdict' in outcome) return judged(file, outcome.verdict, outcome.reason);
  // The same bytes may have come from elsewhere a moment ago: those are not this device's.
  const isOurs = !outcome.duplicate || file.sending;
  return held(file, outcome.artifact, { sentByUs: isOurs, placed: isOurs });
}

async function uploadOne(context: ApplyContext, batch: Sending[], signal: AbortSignal) {
  const { state, folder, answers } = context;
  // Before the first byte: after a crash nobody knows whether it arrived, and whose it is then.
  state.write(folder.id, { put: batch.map(({ file }) => ({ ...file, sending: true })) });
  let outcomes: Outcome[];
  try {
    outcomes = await uploadBatch(context, batch, signal);
  } catch (error) {
    // What was said of them may not be true any more: some of them may have arrived.
    for (const { sha256 } of batch) answers.delete(sha256);
    if (!(error instanceof Changed)) throw error;
    for (const { file, disk } of batch) {
      await mustBeUntouched({ file, disk }).catch(() => context.passOver(file.path, true));
    }
    return;
  }
  state.writeAll(folder.id, [
    // Only what arrived took another one's place.
    ...outcomes.map((outcome) => ({
      release: 'artifact' in outcome ? outcome.sending.replaces : null,
    })),
    { put: outcomes.map(afterUpload) },
  ]);
  context.onProgress();
}

async function upload(context: ApplyContext, steps: readonly StepOf<'upload'>[]): Promise<void> {
  const sendings = steps.flatMap(({ file, sha256, replaces }): Sending[] => {
    const disk = context.scanned.get(file.path)?.disk;
    return disk === undefined ? [] : [{ file, sha256, replaces, disk }];
  });
  const batches = inBatches(context.folder, sendings).values();
  const failed = new AbortController();
  const signal = AbortSignal.any([context.signal, failed.signal]);
  const worker = async (): Promise<void> => {
    for (const batch of batches) {
      signal.throwIfAborted();
      try {
        await uploadOne(context, batch, signal);
      } catch (error) {
        // The first failure is the one that is told of; the other upload only follows it.
        const first: unknown = signal.aborted ? signal.reason : error;
        failed.abort(first);
        throw first;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: UPLOADS_AT_ONCE }, worker));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
}

/** Makes a call about one artifact. If the artifact is gone, its files are checked again. */
async function tell(
  { state, folder, answers }: ApplyContext,
  { artifact, change }: StepOf<'place' | 'archive'>,
  calling: () => Promise<unknown>,
): Promise<void> {
  try {
    await calling();
    state.write(folder.id, change);
  } catch (error) {
    const meaning = meaningOf(error);
    if (meaning instanceof Ended || !(error instanceof ApiError) || error.status !== 404) {
      throw meaning;
    }
    for (const { sha256 } of change.put) if (sha256) answers.delete(sha256);
    state.write(folder.id, { release: artifact });
  }
}

async function say(context: ApplyContext, step: StepOf<'place' | 'archive' | 'write'>) {
  const { client, deviceId, signal } = context;
  if (step.kind === 'write') return context.state.write(context.folder.id, step.change);
  const { artifact: artifactId } = step;
  if (step.kind === 'archive') {
    const archived = step.archived ? 'true' : 'false';
    const params = { artifactId, archived } as const;
    return tell(context, step, () => client.call(setArtifactArchived, { params }, { signal }));
  }
  const { path, mtime, replaces } = step;
  const body = {
    path,
    deviceId,
    modifiedAt: timeOf(mtime),
    ...(replaces === null ? {} : { replaces }),
  };
  await tell(context, step, () =>
    client.call(placeArtifact, { params: { artifactId }, body }, { signal }),
  );
}

/** Does some or all steps of a plan. The folder is planned again afterwards. */
export async function applySteps(context: ApplyContext, steps: readonly Step[]): Promise<void> {
  const writes = ofKind(steps, 'write').map(({ change }) => change);
  context.state.writeAll(context.folder.id, writes);
  for (const step of steps) {
    context.signal.throwIfAborted();
    if (step.kind === 'place' || step.kind === 'archive') await say(context, step);
  }
  await check(context, ofKind(steps, 'check'));
  await upload(context, ofKind(steps, 'upload'));
  await lookInto(ofKind(steps, 'hash'), context.state.of(context.folder.id), context);
  context.onProgress();
}
