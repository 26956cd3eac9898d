import { ExtractionError } from '@engram/extraction/light';
import type { SupplementRequest } from '@engram/extraction';
import type { Describer } from '../../platform/ai/vision.ts';
import { ModelUnavailable } from '../../platform/ai/model-unavailable.ts';
import { ChildCrash, ChildTaskError } from '../../platform/processes/task-process.ts';
import type { SourceFile } from './recognition-child.ts';
import type { RecognitionLane, RecognitionTask } from './recognition-lane.ts';
import {
  type Supplement,
  type StoredSupplements,
  missingSupplement,
  type OpenRequests,
} from './supplements.ts';
import type { Transcription } from './transcription.ts';

/** Queued pages per file, so that the process is never idle between them. */
const CONCURRENT_REQUESTS = 2;
/** The size of a picture for the model that describes it. */
const CAPTION_PIXELS = 1_048_576;
/** Attempts for a page whose process crashed, because the page may not be the cause. */
const CRASH_TRIES = 2;

interface RecognitionJob extends OpenRequests {
  file: SourceFile;
  task: RecognitionTask;
  /** Languages of the text in pictures, most likely first. */
  languages: readonly string[];
  stored: StoredSupplements;
  /** Whether requests are retried later if a provider is down. If not, their results are missing. */
  mayWait: boolean;
  onProgress: (fraction: number) => void;
  /** Called before each request. Rejects if the results are no longer needed. */
  assertNeeded(): Promise<void>;
}

/** Fulfills a request, and retries it after a crash. If the file is the cause, the result is missing. */
async function attempt(
  run: () => Promise<Supplement>,
  request: SupplementRequest,
): Promise<Supplement> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      if (error instanceof ChildCrash) {
        // Earlier tasks may have used up the memory of the process.
        if (error.code !== 'timeout' && tries < CRASH_TRIES) continue;
        return missingSupplement(request, failureMessage(request, error.code === 'timeout'));
      }
      if (error instanceof ChildTaskError)
        return missingSupplement(request, failureMessage(request));
      if (error instanceof ExtractionError) return missingSupplement(request, error.message);
      if (!(error instanceof ModelUnavailable) || isTemporary(error)) throw error;
      return missingSupplement(request, outageMessage(request, error));
    }
  }
}

/** Runs OCR, transcription and captioning for a file. Each result is stored immediately. */
export function createRecognition({
  lane,
  transcription,
  describer,
}: {
  lane: Pick<RecognitionLane, 'run'>;
  transcription: Transcription;
  describer: Pick<Describer, 'caption'>;
}) {
  /**
   * Fulfills the requests without a stored result.
   * @returns missing results that are not stored, because a later extraction may get them
   * @throws {ModelUnavailable} a provider is down and may be retried. All other results are stored.
   */
  return async function recognize(job: RecognitionJob): Promise<Supplement[]> {
    const {
      requests,
      durationMs,
      file,
      stored,
      task,
      languages,
      mayWait,
      onProgress,
      assertNeeded,
    } = job;
    const open = requests.filter((request) => !stored.has(request));
    const temporary: Supplement[] = [];
    const shares = new Map<SupplementRequest, number>();
    /** Providers that are down, by kind, so that other requests do not wait for a timeout. */
    const outages = new Map<SupplementRequest['kind'], ModelUnavailable>();
    const reportShare = (request: SupplementRequest, fraction: number): void => {
      shares.set(request, fraction);
      const done = requests.length - open.length + [...shares.values()].reduce((a, b) => a + b, 0);
      onProgress(done / requests.length);
    };

    const fulfill = async (request: SupplementRequest): Promise<Supplement> => {
      if (request.kind === 'page')
        return { kind: 'page', value: await lane.run('page', task, file, request, languages) };
      const pathField = request.path === undefined ? {} : { path: request.path };
      if (request.kind === 'caption') {
        const ref = { page: 1, ...pathField };
        const picture = await lane.run('picture', task, file, ref, CAPTION_PIXELS);
        const text = await describer.caption(picture, { signal: task.signal });
        return { kind: 'caption', value: { ...pathField, text } };
      }
      const onTranscribed = (fraction: number) => reportShare(request, fraction);
      const source = { file, request, task, stored, durationMs, onProgress: onTranscribed };
      return {
        kind: 'transcript',
        value: { ...pathField, parts: await transcription.transcribe(source) },
      };
    };

    /** The result of a request; null if it is retried later. */
    const supplementFor = async (request: SupplementRequest): Promise<Supplement | null> => {
      let outage = outages.get(request.kind);
      if (!outage) {
        try {
          return await attempt(() => fulfill(request), request);
        } catch (error) {
          if (!(error instanceof ModelUnavailable)) throw error;
          outage = error;
          outages.set(request.kind, outage);
        }
      }
      return mayWait ? null : missingSupplement(request, outageMessage(request, outage));
    };

    const handle = async (request: SupplementRequest): Promise<void> => {
      task.signal.throwIfAborted();
      await assertNeeded();
      const supplement = await supplementFor(request);
      if (supplement) {
        const mayBeRetried = 'missing' in supplement.value && request.kind !== 'page';
        if (mayBeRetried) temporary.push(supplement);
        else await stored.save(request, supplement);
      }
      reportShare(request, 1);
    };

    const waiting = open.values();
    const worker = async (): Promise<void> => {
      for (const request of waiting) await handle(request);
    };
    const workers = Array.from({ length: CONCURRENT_REQUESTS }, worker);
    for (const result of await Promise.allSettled(workers)) {
      if (result.status === 'rejected') throw result.reason;
    }
    const [outage] = outages.values();
    if (outage && mayWait) throw outage;
    return temporary;
  };
}

export type Recognize = ReturnType<typeof createRecognition>;

const isTemporary = ({ retryable, reason }: ModelUnavailable): boolean =>
  retryable || reason === 'down' || reason === 'timeout' || reason === 'rate_limited';

const WORK_NAMES: Record<SupplementRequest['kind'], string> = {
  page: 'Recognizing its text',
  transcript: 'Transcribing the speech',
  caption: 'Describing the picture',
};

const failureMessage = ({ kind }: SupplementRequest, tookTooLong = false): string =>
  `${WORK_NAMES[kind]} ${tookTooLong ? 'took too long' : 'failed'}.`;

const outageMessage = ({ kind }: SupplementRequest, { message }: ModelUnavailable): string =>
  `${kind === 'caption' ? 'The picture is not described' : 'The speech is not transcribed'}: ${message}`;
