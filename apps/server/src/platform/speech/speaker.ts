import type { FastifyBaseLogger } from 'fastify';

export interface SpeakOptions {
  /** ISO 639-1. */
  language: string;
  /** Whose text it is. Users are served round robin. */
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
