import type { Want } from '@engram/extraction';
import { findLanguages } from '@engram/extraction/light';
import { type Config, ConfigError } from '../../config.ts';
import type { Providers } from '../../composition/core.ts';

/** Whether a kind of want is met here. If not, `note` is shown to the owner of the file. */
type WantAbility = { met: true } | { met: false; note: string | null };

export function createReadingAbilities(
  { ocr }: Pick<Config, 'ocr'>,
  { transcriber, describer }: Pick<Providers, 'transcriber' | 'describer'>,
) {
  return (): Record<Want['kind'], WantAbility> => ({
    page:
      ocr === 'on'
        ? { met: true }
        : { met: false, note: 'Text in pictures is not recognised: it is switched off here.' },
    transcript:
      transcriber.kind === 'none'
        ? { met: false, note: 'Speech is not transcribed: no transcription provider is set.' }
        : { met: true },
    // No note, because descriptions are optional.
    caption: describer.describe().on ? { met: true } : { met: false, note: null },
  });
}

export function describeRecognition({ ocr, ocrLanguages }: Pick<Config, 'ocr' | 'ocrLanguages'>) {
  return ocr === 'on'
    ? {
        on: true,
        detail: `Text in pictures is recognised on this machine (${ocrLanguages === 'auto' ? "English and the languages of each user's files" : ocrLanguages}).`,
      }
    : { on: false, detail: 'ENGRAM_OCR is off.' };
}

/** @throws ConfigError if the OCR data of a language is missing */
export function assertLanguages({
  ocr,
  ocrLanguages,
  ocrData,
}: Pick<Config, 'ocr' | 'ocrLanguages' | 'ocrData'>): void {
  if (ocr === 'off') return;
  try {
    findLanguages(ocrLanguages === 'auto' ? ['eng'] : ocrLanguages.split('+'), ocrData);
  } catch (error) {
    throw new ConfigError(`ENGRAM_OCR_LANGUAGES cannot be used. ${(error as Error).message}`);
  }
}

export type ReadingAbilities = ReturnType<typeof createReadingAbilities>;
