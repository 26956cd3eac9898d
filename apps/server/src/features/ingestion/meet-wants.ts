import { ExtractionError } from '@engram/extraction/light';
import type { Want } from '@engram/extraction';
import type { Describer } from '../../platform/ai/vision.ts';
import { ModelUnavailable } from '../../platform/ai/model-unavailable.ts';
import { ChildCrash, ChildTaskError } from '../../platform/processes/task-process.ts';
import type { SourceFile } from './recognition-child.ts';
import type { RecognitionLane, RecognitionTask } from './recognition-lane.ts';
import { type Answer, type StoredAnswers, missingAnswer, type Wanted } from './answers.ts';
import type { Transcription } from './transcription.ts';

/** Pages of one file in the queue at the same time, so that the process is never idle between them. */
const AT_ONCE = 2;
/** Attempts for a page whose process crashed, because the page may not be the cause. */
const CRASH_TRIES = 2;

interface WantMeeting extends Wanted {
  file: SourceFile;
  task: RecognitionTask;
  /** Of the text in pictures, likeliest first. */
  languages: readonly string[];
  stored: StoredAnswers;
  /** Whether a provider that is down is retried later. If not, its answers are missing. */
  mayWait: boolean;
  onProgress: (fraction: number) => void;
  /** Called before each want. Rejects if the answers are no longer needed. */
  assertNeeded(): Promise<void>;
}

/** Runs a task, and retries it after a crash. Returns a missing answer if the file is the cause. */
async function attempt(make: () => Promise<Answer>, want: Want): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await make();
    } catch (error) {
      if (error instanceof ChildCrash) {
        // Earlier tasks may have used up the memory of the process.
        if (error.code !== 'timeout' && tries < CRASH_TRIES) continue;
        return missingAnswer(want, failureSentence(want, error.code === 'timeout'));
      }
      if (error instanceof ChildTaskError) return missingAnswer(want, failureSentence(want));
      if (error instanceof ExtractionError) return missingAnswer(want, error.message);
      if (!(error instanceof ModelUnavailable) || isTemporary(error)) throw error;
      return missingAnswer(want, providerSentence(want, error));
    }
  }
}

/** Runs OCR, transcription and captioning for a file. Each answer is stored immediately. */
export function createWantMeeting({
  lane,
  transcription,
  describer,
}: {
  lane: Pick<RecognitionLane, 'run'>;
  transcription: Transcription;
  describer: Pick<Describer, 'caption'>;
}) {
  /**
   * Runs the work whose answers are not stored yet.
   * @returns answers that are not stored, because a later extraction may get better ones
   * @throws {ModelUnavailable} a provider is down and may be retried. All other answers are stored.
   */
  return async function meetWants(meeting: WantMeeting): Promise<Answer[]> {
    const { wants, durationMs, file, stored, task, languages, mayWait, onProgress, assertNeeded } =
      meeting;
    const open = wants.filter((want) => !stored.has(want));
    const temporary: Answer[] = [];
    const shares = new Map<Want, number>();
    /** Providers that are down, by kind, so that further wants do not wait for a timeout. */
    const outages = new Map<Want['kind'], ModelUnavailable>();
    const share = (want: Want, fraction: number): void => {
      shares.set(want, fraction);
      const met = wants.length - open.length + [...shares.values()].reduce((a, b) => a + b, 0);
      onProgress(met / wants.length);
    };

    const make = async (want: Want): Promise<Answer> => {
      if (want.kind === 'page')
        return { kind: 'page', value: await lane.run('page', task, file, want, languages) };
      const where = want.path === undefined ? {} : { path: want.path };
      if (want.kind === 'caption') {
        const picture = await lane.run('picture', task, file, want.path);
        const text = await describer.caption(picture, { signal: task.signal });
        return { kind: 'caption', value: { ...where, text } };
      }
      const onShare = (fraction: number) => share(want, fraction);
      const job = { file, want, task, stored, durationMs, onShare };
      return {
        kind: 'transcript',
        value: { ...where, parts: await transcription.transcribe(job) },
      };
    };

    /** The answer to a want; null if it is retried later. */
    const answerTo = async (want: Want): Promise<Answer | null> => {
      let outage = outages.get(want.kind);
      if (!outage) {
        try {
          return await attempt(() => make(want), want);
        } catch (error) {
          if (!(error instanceof ModelUnavailable)) throw error;
          outage = error;
          outages.set(want.kind, outage);
        }
      }
      return mayWait ? null : missingAnswer(want, providerSentence(want, outage));
    };

    const meet = async (want: Want): Promise<void> => {
      task.signal.throwIfAborted();
      await assertNeeded();
      const answer = await answerTo(want);
      if (answer) {
        const mayBeRetried = 'missing' in answer.value && want.kind !== 'page';
        if (mayBeRetried) temporary.push(answer);
        else await stored.save(want, answer);
      }
      share(want, 1);
    };

    const waiting = open.values();
    const worker = async (): Promise<void> => {
      for (const want of waiting) await meet(want);
    };
    const workers = Array.from({ length: AT_ONCE }, worker);
    const ended = await Promise.allSettled(workers);
    for (const end of ended) if (end.status === 'rejected') throw end.reason;
    const [outage] = outages.values();
    if (outage && mayWait) throw outage;
    return temporary;
  };
}

export type MeetWants = ReturnType<typeof createWantMeeting>;

const isTemporary = ({ retryable, reason }: ModelUnavailable): boolean =>
  retryable || reason === 'down' || reason === 'timeout' || reason === 'rate_limited';

const WORK: Record<Want['kind'], string> = {
  page: 'Recognising its text',
  transcript: 'Transcribing the speech',
  caption: 'Describing the picture',
};

const failureSentence = ({ kind }: Want, tookTooLong = false): string =>
  `${WORK[kind]} ${tookTooLong ? 'took too long' : 'failed'}.`;

const providerSentence = ({ kind }: Want, { message }: ModelUnavailable): string =>
  `${kind === 'caption' ? 'The picture is not described' : 'The speech is not transcribed'}: ${message}`;
