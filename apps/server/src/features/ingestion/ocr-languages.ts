import { hasLanguageData } from '@engram/extraction/light';
import type { Core } from '../../composition/core.ts';

/** Tesseract's names of the languages whose data is bundled with Engram. */
const NAMES: Record<string, string> = {
  de: 'deu',
  es: 'spa',
  fr: 'fra',
  it: 'ita',
  nl: 'nld',
  pt: 'por',
};
/** Languages besides English, because each makes recognition slower. */
const MAX_OTHERS = 2;
/** Minimum share of the user's files. */
const MIN_SHARE = 0.05;

/**
 * The languages in which text in a user's pictures is recognized, most likely first: those of the
 * setting, or English and the languages of the user's files.
 */
export const createOcrLanguages =
  ({ config, storage: { artifactsRepository } }: Pick<Core, 'config' | 'storage'>) =>
  async (userId: string): Promise<string[]> => {
    const { ocrLanguages, ocrData } = config;
    if (ocrLanguages !== 'auto') return ocrLanguages.split('+');
    const counts = await artifactsRepository.languageCounts(userId);
    const total = counts.reduce((sum, { files }) => sum + files, 0);
    const others = counts
      .filter(({ files }) => files >= total * MIN_SHARE)
      .flatMap(({ language }) => NAMES[language] ?? [])
      .filter((name) => hasLanguageData(name, ocrData))
      .slice(0, MAX_OTHERS);
    const isEnglish = counts.length === 0 || counts[0]?.language === 'en';
    return isEnglish ? ['eng', ...others] : [...others, 'eng'];
  };

export type OcrLanguages = ReturnType<typeof createOcrLanguages>;
