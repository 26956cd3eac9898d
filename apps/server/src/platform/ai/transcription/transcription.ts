import type { SoundPiece } from '@engram/extraction';
import type { FastifyBaseLogger } from 'fastify';
import { type Clock, systemClock } from '../../clock.ts';
import { logFailure, ModelUnavailable } from '../model-unavailable.ts';
import { inspectSpeechFolder } from './speech-folder.ts';
import {
  askTranscriptionServer,
  type Heard,
  type TranscribeOptions,
  type TranscriptionServer,
} from './transcription-server.ts';

export { joinTranscripts } from './join-transcripts.ts';

/** The settings that say what transcribes; the names are those of the configuration. */
export interface TranscriberSettings {
  /** none | openai:MODEL | local:FOLDER */
  transcription: string;
  openaiApiKey?: string | undefined;
  openaiBaseUrl?: string | undefined;
}

export interface Transcriber {
  /** What transcribes, or in a sentence why nothing does. */
  describe(): { on: boolean; detail: string };
  /** `local` is a model of this machine: its pieces go to `createLocalSpeech` and not to `transcribe`. */
  kind: 'none' | 'provider' | 'local';
  /** The local model's folder; null without one. */
  folder: string | null;
  /** What a piece may measure, in bytes and milliseconds; for `soundOf`. */
  limits: { maxBytes: number; maxMs: number; overlapMs: number };
  /** @throws ModelUnavailable when the provider gave no transcript, or there is none */
  transcribe(piece: SoundPiece, options: TranscribeOptions): Promise<Heard>;
}

export interface TranscriberOptions {
  log: Pick<FastifyBaseLogger, 'warn'>;
  fetch?: typeof globalThis.fetch;
  clock?: Clock;
}

const OPENAI = 'https://api.openai.com/v1';

/**
 * OpenAI takes 25 MB. Two minutes are heard by a slow server within the time that `fetch` waits for
 * an answer, and are soon heard again after a failure.
 */
const LIMITS = { maxBytes: 24 << 20, maxMs: 120_000, overlapMs: 2000 };

/** What writes down what is said in recordings. */
export function createTranscriber(
  settings: TranscriberSettings,
  { log, fetch = globalThis.fetch, clock = systemClock }: TranscriberOptions,
): Transcriber {
  const { transcription } = settings;
  const off = (detail: string): Transcriber => ({
    describe: () => ({ on: false, detail }),
    kind: 'none',
    folder: null,
    limits: LIMITS,
    transcribe: () => Promise.reject(new ModelUnavailable('down', detail)),
  });
  if (transcription === 'none') {
    return off('No speech is transcribed: ENGRAM_TRANSCRIPTION names nothing that does it.');
  }
  if (transcription.startsWith('local:')) return local(transcription.slice(6).trim(), off, log);

  const { openaiApiKey: apiKey, openaiBaseUrl } = settings;
  if (apiKey === undefined && openaiBaseUrl === undefined) {
    return off('openai:MODEL needs OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own.');
  }
  const baseUrl = (openaiBaseUrl ?? OPENAI).replace(/(?<!\/)\/+$/u, '');
  const server: TranscriptionServer = {
    address: `${baseUrl}/audio/transcriptions`,
    model: transcription.slice(transcription.indexOf(':') + 1).trim(),
    apiKey,
    fetch,
    clock,
  };
  return {
    describe: () => ({
      on: true,
      detail: `Speech is transcribed by ${server.model} at ${new URL(baseUrl).host}.`,
    }),
    kind: 'provider',
    folder: null,
    limits: LIMITS,
    async transcribe(piece, options) {
      try {
        return await askTranscriptionServer(server, piece, options);
      } catch (error) {
        if (error instanceof ModelUnavailable) logFailure(error, log);
        throw error;
      }
    },
  };
}

function local(
  folder: string,
  off: (detail: string) => Transcriber,
  log: TranscriberOptions['log'],
): Transcriber {
  const found = inspectSpeechFolder(folder);
  if ('missing' in found) {
    log.warn({ folder }, found.missing);
    return off(found.missing);
  }
  const detail = `Speech is transcribed on this machine by a ${found.name} model.`;
  return { ...off(detail), describe: () => ({ on: true, detail }), kind: 'local', folder };
}
