import type { FastifyBaseLogger } from 'fastify';
import { createEspeakSpeaker } from './espeak-speaker.ts';
import { createOpenAiSpeaker } from './openai-speaker.ts';
import { SpeechUnavailable } from './speech-unavailable.ts';

export { SpeechUnavailable } from './speech-unavailable.ts';

/** The settings that say what speaks; the names are those of the configuration. */
export interface SpeakerSettings {
  /** auto | none | openai:MODEL | openai:MODEL/VOICE */
  speech: string;
  openaiApiKey?: string | undefined;
  openaiBaseUrl?: string | undefined;
}

export interface SpeakOptions {
  /** ISO 639-1. */
  language: string;
  /** Whose text it is: people take turns. */
  group: string;
  /** Takes a text back that still waits. One that is being spoken is spoken to its end. */
  signal: AbortSignal;
}

/** Longest text that is spoken, in UTF-16 units: four to five minutes, and what OpenAI takes at most. */
export const SPOKEN_CHARACTERS = 4000;

/** What makes speech of text. */
export interface Speaker {
  /** What speaks, or in a sentence why nothing does. */
  describe(): { on: boolean; detail: string };
  /** Names the voice that a language is spoken by: another name is another sound of the same text. */
  voice(language: string): string;
  /**
   * Speaks prose of at most {@link SPOKEN_CHARACTERS}, without any markup, as an mp3.
   * @throws SpeechUnavailable when there is no sound, or the signal's reason
   */
  speak(text: string, options: SpeakOptions): Promise<Uint8Array>;
  close(): Promise<void>;
}

export interface SpeakerOptions {
  log: Pick<FastifyBaseLogger, 'warn'>;
  fetch?: typeof globalThis.fetch;
}

/** What speaks answers, as the settings name it. */
export function createSpeaker(
  { speech, openaiApiKey: apiKey, openaiBaseUrl: baseUrl }: SpeakerSettings,
  { log, fetch = globalThis.fetch }: SpeakerOptions,
): Speaker {
  if (speech === 'none') return off('Answers are not spoken: ENGRAM_SPEECH is none.');
  if (speech === 'auto') return createEspeakSpeaker({ log });
  if (apiKey === undefined && baseUrl === undefined) {
    return off('openai:MODEL needs OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own.');
  }
  const [, model = '', voice] = /^openai:\s*(.+?)(?:\/([^/]+))?$/u.exec(speech.trim()) ?? [];
  return createOpenAiSpeaker({ model, voice, apiKey, baseUrl, fetch, log });
}

function off(detail: string): Speaker {
  return {
    describe: () => ({ on: false, detail }),
    voice: () => 'none',
    speak: () => Promise.reject(new SpeechUnavailable(detail)),
    close: () => Promise.resolve(),
  };
}
