import { createThreads } from '../threads/threads.ts';
import {
  createSpeechLimiter,
  type Speaker,
  type SpeakerOptions,
  SpeechUnavailable,
} from './speaker.ts';

export interface EspeakRequest {
  text: string;
  /** A voice name of espeak-ng. */
  voice: string;
}

interface EspeakOptions extends Pick<SpeakerOptions, 'log'> {
  idleMs?: number;
  timeLimitMs?: number;
  script?: URL;
}

const SCRIPT = new URL('./espeak-worker.ts', import.meta.url);

const LIMITS = { concurrency: 1, maxQueued: 50, maxQueuedPerGroup: 5 };

/** The heap of the worker's JavaScript, without 32 MB of espeak-ng. */
const HEAP_MB = 256;

/** Languages whose name in espeak-ng differs from ISO 639-1. */
const ESPEAK_NAMES: Readonly<Record<string, string>> = {
  en: 'en-us',
  fr: 'fr-fr',
  no: 'nb',
  pt: 'pt-br',
  zh: 'cmn',
};

/** Languages that espeak-ng 1.52 reads well, without Japanese, Thai and Hebrew. */
const SUPPORTED = new Set(
  'af am ar as az be bg bn ca cs cy da de el en eo es et eu fa fi fr ga gu hi hr hu hy id is it ka kk ko ku lt lv mk ml mr ms mt my nb ne nl no or pa pl pt ro ru si sk sl sq sr sv sw ta te tr tt uk ur uz vi zh'.split(
    ' ',
  ),
);

const espeakVoice = (language: string): string | null =>
  SUPPORTED.has(language) ? (ESPEAK_NAMES[language] ?? language) : null;

export function createEspeakSpeaker({
  log,
  idleMs = 60_000,
  timeLimitMs = 60_000,
  script = SCRIPT,
}: EspeakOptions): Speaker & { threadId: () => number | null } {
  const limiter = createSpeechLimiter(LIMITS);
  const threads = createThreads<EspeakRequest>({ script, max: 1, idleMs, heapMb: HEAP_MB });

  /** The sound as MP3; empty if the text has nothing to speak. */
  const speakInThread = async (request: EspeakRequest): Promise<Uint8Array> => {
    try {
      return (await threads.run(request, { leftMs: timeLimitMs })) as Uint8Array;
    } catch (cause) {
      log.warn({ err: cause, voice: request.voice }, 'an answer could not be spoken');
      const message = 'The voice on this machine could not speak this answer.';
      throw new SpeechUnavailable(message, { cause });
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
      const mp3 = await limiter.run(group, signal, () => speakInThread({ text, voice }));
      if (mp3.length === 0)
        throw new SpeechUnavailable('This answer has no text that can be spoken.');
      return mp3;
    },
    threadId: () => threads.ids()[0] ?? null,
    close: threads.close,
  };
}
