import { createThreads } from '../threads/threads.ts';
import { espeakVoice } from './espeak-voices.ts';
import { createSpeechLimiter } from './speech-limiter.ts';
import type { Speaker, SpeakerOptions } from './speaker.ts';
import { SpeechUnavailable } from './speech-unavailable.ts';

/** What the worker is asked. */
export interface EspeakRequest {
  text: string;
  /** A name of espeak-ng's. */
  voice: string;
}

export interface EspeakOptions extends Pick<SpeakerOptions, 'log'> {
  /** Milliseconds without a text after which the worker ends; it starts with the next one. */
  idleMs?: number;
  /** Milliseconds that a text may take. */
  timeLimitMs?: number;
  /** The worker's program. */
  script?: URL;
}

const SCRIPT = new URL('./espeak-worker.ts', import.meta.url);

const LIMITS = { concurrency: 1, maxQueued: 50, maxQueuedPerGroup: 5 };

/** The heap of the worker's JavaScript; the program's own memory is 32 MB. */
const HEAP_MB = 256;

const FAILED = 'The voice on this machine could not speak this answer.';

/** The voice of espeak-ng, in a worker thread that is there while somebody listens. */
export function createEspeakSpeaker({
  log,
  idleMs = 60_000,
  timeLimitMs = 60_000,
  script = SCRIPT,
}: EspeakOptions): Speaker & { threadId: () => number | null } {
  const limiter = createSpeechLimiter(LIMITS);
  const threads = createThreads<EspeakRequest>({ script, most: 1, idleMs, heapMb: HEAP_MB });

  /** The sound as mp3; no bytes where nothing in the text is spoken. */
  const ask = async (request: EspeakRequest): Promise<Uint8Array> => {
    try {
      return (await threads.run(request, { leftMs: timeLimitMs })) as Uint8Array;
    } catch (cause) {
      // What the text says stays out of the log.
      log.warn({ err: cause, voice: request.voice }, 'an answer could not be spoken');
      throw new SpeechUnavailable(FAILED, { cause });
    }
  };

  return {
    describe: () => ({ on: true, detail: 'Answers are spoken on this machine by espeak-ng.' }),
    voice: (language) => `espeak-ng:${espeakVoice(language) ?? 'none'}`,
    async speak(text, { language, group, signal }) {
      const voice = espeakVoice(language);
      if (voice === null) {
        const name = new Intl.DisplayNames('en', { type: 'language' }).of(language) ?? language;
        throw new SpeechUnavailable(`The voice on this machine cannot read ${name}.`);
      }
      const mp3 = await limiter.run(group, signal, () => ask({ text, voice }));
      if (mp3.length === 0) throw new SpeechUnavailable('Nothing in this answer can be spoken.');
      return mp3;
    },
    /** The thread that speaks now or waits for a text; null where none runs. */
    threadId: () => threads.ids()[0] ?? null,
    close: threads.close,
  };
}
