import type { SupplementRequest } from '@engram/extraction';
import { findLanguages } from '@engram/extraction/light';
import { type Config, ConfigError } from '../../config.ts';
import type { Providers } from '../../composition/core.ts';

/** Whether this server can fulfill a kind of request. If not, `note` is shown to the owner of the file. */
type Ability = { on: true } | { on: false; note: string | null };

export function recognitionAbilities(
  { ocr }: Pick<Config, 'ocr'>,
  { transcriber, describer }: Pick<Providers, 'transcriber' | 'describer'>,
): Record<SupplementRequest['kind'], Ability> {
  return {
    page:
      ocr === 'on'
        ? { on: true }
        : {
            on: false,
            note: 'Text in pictures is not recognized: text recognition is off on this server.',
          },
    transcript:
      transcriber.kind === 'none'
        ? { on: false, note: 'Speech is not transcribed: no transcription provider is configured.' }
        : { on: true },
    // No note, because descriptions are optional.
    caption: describer.describe().on ? { on: true } : { on: false, note: null },
  };
}

export function describeRecognition({ ocr, ocrLanguages }: Pick<Config, 'ocr' | 'ocrLanguages'>) {
  return ocr === 'on'
    ? {
        on: true,
        detail: `Text in pictures is recognized on this machine (${ocrLanguages === 'auto' ? "English and the languages of each user's files" : ocrLanguages}).`,
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

export type RecognitionAbilities = ReturnType<typeof recognitionAbilities>;
