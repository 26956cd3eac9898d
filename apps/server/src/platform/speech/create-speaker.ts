import { OPENAI_MISSING, type OpenAiSettings, openAiServer } from '../ai/openai-server.ts';
import { createEspeakSpeaker } from './espeak-speaker.ts';
import { createOpenAiSpeaker } from './openai-speaker.ts';
import { type Speaker, type SpeakerOptions, SpeechUnavailable } from './speaker.ts';

interface SpeakerSettings extends OpenAiSettings {
  speech: string;
}

export function createSpeaker(
  { speech, ...settings }: SpeakerSettings,
  { log, fetch = globalThis.fetch }: SpeakerOptions,
): Speaker {
  if (speech === 'none')
    return off('Answers are not spoken, because ENGRAM_SPEECH is set to none.');
  if (speech === 'auto') return createEspeakSpeaker({ log });
  const server = openAiServer(settings);
  if (server === null) return off(OPENAI_MISSING);
  const name = speech.replace(/^openai:/u, '').trim();
  const [, model = name, voice] = /^(.+)\/([^/]+)$/u.exec(name) ?? [];
  return createOpenAiSpeaker({ ...server, model, voice, fetch, log });
}

function off(detail: string): Speaker {
  return {
    describe: () => ({ on: false, detail }),
    voice: () => 'none',
    speak: () => Promise.reject(new SpeechUnavailable(detail)),
    close: () => Promise.resolve(),
  };
}
