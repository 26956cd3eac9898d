import type { SoundPiece } from '@engram/extraction';
import type { FastifyBaseLogger } from 'fastify';
import { type Clock, systemClock } from '../../clock.ts';
import { logFailure, ModelUnavailable } from '../model-unavailable.ts';
import {
  OPENAI_MISSING,
  type OpenAiSettings,
  openAiServer,
  withoutTrailingSlash,
} from '../openai-server.ts';
import { inspectSpeechFolder } from './speech-folder.ts';
import {
  askTranscriptionServer,
  type Heard,
  type TranscribeOptions,
  type TranscriptionServer,
} from './transcription-server.ts';

export { joinTranscripts } from './join-transcripts.ts';

/** The settings that say what transcribes; the names are those of the configuration. */
interface TranscriberSettings extends OpenAiSettings {
  /** none | openai:MODEL | local:FOLDER */
  transcription: string;
}

export interface Transcriber {
  describe(): { on: boolean; detail: string };
  /** The pieces of a `local` model go to `createLocalSpeech` and not to `transcribe`. */
  kind: 'none' | 'provider' | 'local';
  folder: string | null;
  limits: { maxBytes: number; maxMs: number; overlapMs: number };
  transcribe(piece: SoundPiece, options: TranscribeOptions): Promise<Heard>;
}

interface TranscriberOptions {
  log: Pick<FastifyBaseLogger, 'warn'>;
  fetch?: typeof globalThis.fetch;
  clock?: Clock;
}

/** OpenAI accepts 25 MB. A slow server transcribes two minutes before `fetch` times out. */
const LIMITS = { maxBytes: 24 << 20, maxMs: 120_000, overlapMs: 2000 };

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

  const openAi = openAiServer(settings);
  if (openAi === null) return off(OPENAI_MISSING);
  const { apiKey, baseUrl, host } = openAi;
  const server: TranscriptionServer = {
    address: `${withoutTrailingSlash(baseUrl)}/audio/transcriptions`,
    model: transcription.slice(transcription.indexOf(':') + 1).trim(),
    apiKey,
    fetch,
    clock,
  };
  return {
    describe: () => ({
      on: true,
      detail: `Speech is transcribed by ${server.model} at ${host}.`,
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
