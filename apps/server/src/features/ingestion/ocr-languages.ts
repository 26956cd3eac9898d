import { hasLanguageData } from '@engram/extraction/light';
import type { Core } from '../../composition/core.ts';

/** Tesseract's names of the languages of files (ISO 639-1), without English. */
const NAMES: ReadonlyMap<string, string> = new Map(
  `am amh,ar ara,az aze,be bel,bg bul,bn ben,ca cat,cs ces,da dan,de deu,el ell,es spa,et est,eu eus,
  fa fas,fi fin,fr fra,gu guj,he heb,hi hin,hr hrv,hu hun,hy hye,is isl,it ita,ja jpn,ka kat,kn kan,
  ko kor,ku kmr,lo lao,lt lit,lv lav,ml mal,mr mar,ms msa,nl nld,no nor,or ori,pa pan,pl pol,pt por,
  ro ron,ru rus,sk slk,sl slv,sq sqi,sr srp,sv swe,ta tam,te tel,th tha,tl fil,tr tur,uk ukr,ur urd,
  vi vie,yo yor,zh chi_sim`
    .split(',')
    .map((pair) => pair.trim().split(' ') as [string, string]),
);
const ENGLISH_NAMES = new Intl.DisplayNames('en', { type: 'language' });
/** Languages besides English, because each makes recognition slower. */
const MAX_OTHER_LANGUAGES = 2;
/** Minimum share of the user's files. */
const MIN_SHARE = 0.05;

interface OcrLanguages {
  /** Tesseract's names, likeliest first. */
  languages: string[];
  /** The English name of the language of most files if its data is missing. */
  missing: string | null;
}

/**
 * The languages in which text in a user's pictures is recognized: those of the setting, or English and
 * the languages of the user's files.
 */
export const createOcrLanguages =
  ({ config, storage: { artifactsRepository } }: Pick<Core, 'config' | 'storage'>) =>
  async (userId: string): Promise<OcrLanguages> => {
    const { ocrLanguages, ocrData } = config;
    if (ocrLanguages !== 'auto') return { languages: ocrLanguages.split('+'), missing: null };
    const counts = await artifactsRepository.languageCounts(userId);
    const total = counts.reduce((sum, { files }) => sum + files, 0);
    const others = counts
      .filter(({ files }) => files >= total * MIN_SHARE)
      .flatMap(({ language }) => NAMES.get(language) ?? [])
      .filter((name) => hasLanguageData(name, ocrData))
      .slice(0, MAX_OTHER_LANGUAGES);
    const most = counts[0]?.language ?? 'en';
    if (most === 'en') return { languages: ['eng', ...others], missing: null };
    const hasData = hasLanguageData(NAMES.get(most) ?? '', ocrData);
    const missing = hasData ? null : (ENGLISH_NAMES.of(most) ?? most);
    return { languages: [...others, 'eng'], missing };
  };
