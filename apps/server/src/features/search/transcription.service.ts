import path from 'node:path';
import { ExtractionError } from '@engram/extraction/light';
import type { Core } from '../../composition/core.ts';
import { ModelUnavailable, retryAfterMs } from '../../platform/ai/model-unavailable.ts';
import type { HttpError } from '../../platform/http/errors.ts';
import { createInbox, type SaveFile } from '../../platform/http/one-file.ts';
import type { SubscriptionService } from '../subscription/subscription.service.ts';
import * as errors from './transcription.errors.ts';

/** Writes down a recording, of a person in whose turn it is done; '' when nothing was said. */
export type Hear = (recording: {
  filePath: string;
  userId: string;
  signal: AbortSignal;
}) => Promise<string>;

/** How long a user waits for the text, in milliseconds. */
const TIMEOUT_MS = 90_000;

/** Recordings of one user: one in five seconds in the long run. */
const RATE = { perSecond: 0.2, burst: 10 };

/** Megabytes (2^20 bytes) of a recording. */
const LIMIT_MB = 25;

const refusals = {
  notMultipart: errors.notMultipart,
  notOne: errors.oneRecording,
  tooLarge: errors.recordingTooLarge,
  broken: errors.recordingBroken,
};

/** Writes down questions that are spoken. Nothing of a recording is kept. */
export async function createTranscriptionService(
  { config, storage, limits, now }: Core,
  { hear, assertMayAsk }: { hear: Hear | null } & Pick<SubscriptionService, 'assertMayAsk'>,
) {
  const { room } = storage;
  const limit = limits.limitOf('spoken questions', RATE);
  const withFile = await createInbox(path.join(config.dataDir, 'recordings'));

  const explain = (error: unknown): unknown => {
    if (error instanceof ExtractionError) return explainRecording(error);
    if (!(error instanceof ModelUnavailable)) return error;
    const wait = retryAfterMs(error, now().getTime());
    return errors.transcriptionFailed(
      error.message,
      wait === null ? undefined : Math.max(1, Math.ceil(wait / 1000)),
    );
  };

  return {
    /**
     * What a person says in a recording that `save` writes to a file.
     * @throws HttpError 402, 400, 413, 415, 429 or 503; 499 when the caller went away
     */
    async transcribe(userId: string, save: SaveFile, gone: AbortSignal): Promise<string> {
      if (!hear) throw errors.nothingTranscribes();
      const wait = await limit(userId);
      if (wait > 0) throw errors.spokenTooOften(wait);
      await assertMayAsk(userId);
      const late = AbortSignal.timeout(TIMEOUT_MS);
      const signal = AbortSignal.any([gone, late]);
      try {
        return await withFile(async (filePath) => {
          const bytes = await save(filePath, { limitMb: LIMIT_MB, room, signal, refusals });
          if (bytes === 0) throw errors.recordingEmpty();
          signal.throwIfAborted();
          return hear({ filePath, userId, signal });
        });
      } catch (error) {
        if (gone.aborted) throw errors.callerGone();
        if (late.aborted) throw errors.transcriptionFailed('It took too long.');
        throw explain(error);
      }
    },
  };
}

export type TranscriptionService = Awaited<ReturnType<typeof createTranscriptionService>>;

function explainRecording({ code, message }: ExtractionError): HttpError {
  if (code === 'too_large') return errors.recordingTooLong(message);
  return code === 'unsupported'
    ? errors.recordingNotHeard(message)
    : errors.recordingDamaged(message);
}
