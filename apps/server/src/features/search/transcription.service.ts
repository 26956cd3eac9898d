import path from 'node:path';
import { ExtractionError } from '@engram/extraction/light';
import { assertUserWithin } from '../../platform/http/networks.ts';
import type { Core } from '../../composition/core.ts';
import { ModelUnavailable, retryAfterMs } from '../../platform/ai/model-unavailable.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { createInbox, type SaveFile } from '../../platform/http/one-file.ts';
import type { Ingestion } from '../ingestion/ingestion.module.ts';
import type { SubscriptionService } from '../subscription/subscription.service.ts';

const TIMEOUT_MS = 90_000;

/** Recordings per user: one every five seconds, in bursts of up to ten. */
const RATE = { perSecond: 0.2, burst: 10 };

/** Maximum size of a recording, in megabytes (2^20 bytes). */
const LIMIT_MB = 25;

const refusals = {
  notMultipart: () =>
    new HttpError(415, 'not_multipart', 'A recording must be sent as multipart/form-data.'),
  notOne: () => new HttpError(400, 'one_recording', 'Please send exactly one recording.'),
  tooLarge: (megabytes: number) =>
    new HttpError(413, 'recording_too_large', `A recording can have at most ${megabytes} MB.`),
  broken: () =>
    new HttpError(
      400,
      'recording_broken',
      'The upload of the recording was incomplete. Please try again.',
    ),
};

const failed = (reason: string, retryAfterSeconds?: number): HttpError =>
  new HttpError(
    503,
    'transcription_unavailable',
    `Your question could not be transcribed: ${reason} Please try again in a moment, or type your question.`,
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) },
  );

function refusalOf({ code, message }: ExtractionError): HttpError {
  if (code === 'too_large') {
    return new HttpError(413, 'recording_too_long', `${message} Please ask a shorter question.`);
  }
  return code === 'unsupported'
    ? new HttpError(415, 'recording_not_supported', message)
    : new HttpError(400, 'recording_damaged', `${message} Please record it again.`);
}

/** Transcribes spoken questions. Recordings are not stored. */
export async function createTranscriptionService(
  { config, storage, limits, now }: Core,
  {
    transcribeFile,
    assertMayAsk,
  }: { transcribeFile: Ingestion['transcribe'] } & Pick<SubscriptionService, 'assertMayAsk'>,
) {
  const { room } = storage;
  const limit = limits.limitOf('spoken questions', RATE);
  const withFile = await createInbox(path.join(config.dataDir, 'recordings'));

  const explain = (error: unknown): unknown => {
    if (error instanceof ExtractionError) return refusalOf(error);
    if (!(error instanceof ModelUnavailable)) return error;
    const wait = retryAfterMs(error, now().getTime());
    return failed(error.message, wait === null ? undefined : Math.max(1, Math.ceil(wait / 1000)));
  };

  return {
    /**
     * The text of a recording that `save` writes to a file; empty for silence.
     * @throws HttpError 400, 402, 413, 415, 429 or 503; 499 if the client has disconnected
     */
    async transcribe(userId: string, save: SaveFile, closed: AbortSignal): Promise<string> {
      if (!transcribeFile) {
        throw new HttpError(
          503,
          'transcription_off',
          'This server does not transcribe speech. Please type your question.',
        );
      }
      const tooMany =
        'Too many recordings in a short time. Please wait a moment, or type your question.';
      await assertUserWithin(limit, userId, tooMany);
      await assertMayAsk(userId);
      const timeout = AbortSignal.timeout(TIMEOUT_MS);
      const signal = AbortSignal.any([closed, timeout]);
      try {
        return await withFile(async (filePath) => {
          const bytes = await save(filePath, { limitMb: LIMIT_MB, room, signal, refusals });
          if (bytes === 0) {
            const message = 'The recording is empty. Please record it again.';
            throw new HttpError(400, 'recording_empty', message);
          }
          signal.throwIfAborted();
          return transcribeFile({ filePath, userId, signal });
        });
      } catch (error) {
        if (closed.aborted) throw new HttpError(499, 'caller_gone', 'The client disconnected.');
        if (timeout.aborted) throw failed('It took too long.');
        throw explain(error);
      }
    },
  };
}

export type TranscriptionService = Awaited<ReturnType<typeof createTranscriptionService>>;
