import { createEspeakSpeaker } from './espeak-speaker.ts';
import { createOpenAiSpeaker } from './openai-speaker.ts';
import type { Speaker, SpeakerOptions } from './speaker.ts';
import { SpeechUnavailable } from './speech-unavailable.ts';

/** The settings that say what speaks; the names are those of the configuration. */
export interface SpeakerSettings {
  /** auto | none | openai:MODEL | openai:MODEL/VOICE */
  speech: string;
  openaiApiKey?: string | undefined;
  openaiBaseUrl?: string | undefined;
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
  const name = speech.replace(/^openai:/u, '').trim();
  const [, model = name, voice] = /^(.+)\/([^/]+)$/u.exec(name) ?? [];
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
