import type { Want } from '@engram/extraction';
import { findLanguages } from '@engram/extraction/light';
import { type Config, ConfigError } from '../../config.ts';
import type { Transcriber } from '../../platform/ai/transcription/transcription.ts';
import type { Describer } from '../../platform/ai/vision.ts';

/** Whether a kind of want is met here; where not, what the owner of a file is told of it, if anything. */
export type WantAbility = { met: true } | { met: false; told: string | null };

export interface AbilityDependencies {
  ocr: Config['ocr'];
  transcriber: Pick<Transcriber, 'kind'>;
  describer: Pick<Describer, 'describe'>;
}

/** Tells which wants of files are met by the settings as they are. */
export function createReadingAbilities({ ocr, transcriber, describer }: AbilityDependencies) {
  return (): Record<Want['kind'], WantAbility> => ({
    page:
      ocr === 'on'
        ? { met: true }
        : { met: false, told: 'Text in pictures is not recognised: it is switched off here.' },
    transcript:
      transcriber.kind === 'none'
        ? { met: false, told: 'Speech is not transcribed: no transcription provider is set.' }
        : { met: true },
    // Nobody misses a description who has not set a model for it.
    caption: describer.describe().on ? { met: true } : { met: false, told: null },
  });
}

/** What the recognition of text says of itself. */
export function describeRecognition({ ocr, ocrLanguages }: Pick<Config, 'ocr' | 'ocrLanguages'>) {
  return ocr === 'on'
    ? { on: true, detail: `Text in pictures is recognised on this machine (${ocrLanguages}).` }
    : { on: false, detail: 'ENGRAM_OCR is off.' };
}

/**
 * Looks for the data of the languages that are to be recognised.
 *
 * @throws ConfigError when there is none for one of them
 */
export function assertLanguages({
  ocr,
  ocrLanguages,
  ocrData,
}: Pick<Config, 'ocr' | 'ocrLanguages' | 'ocrData'>): void {
  if (ocr === 'off') return;
  try {
    findLanguages(ocrLanguages.split('+'), ocrData);
  } catch (error) {
    throw new ConfigError(`ENGRAM_OCR_LANGUAGES cannot be used. ${(error as Error).message}`);
  }
}
