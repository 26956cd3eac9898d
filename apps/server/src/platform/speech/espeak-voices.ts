/** Languages that espeak-ng names otherwise than ISO 639-1 does. */
const NAMED_OTHERWISE: Readonly<Record<string, string>> = {
  en: 'en-us',
  fr: 'fr-fr',
  no: 'nb',
  pt: 'pt-br',
  zh: 'cmn',
};

/**
 * Languages that espeak-ng 1.52 reads as they are written. Japanese, Thai and Hebrew are not among
 * them: it knows no kanji, does not order Thai vowels, and Hebrew leaves its vowels unwritten.
 */
const READ = new Set(
  'af am ar as az be bg bn ca cs cy da de el en eo es et eu fa fi fr ga gu hi hr hu hy id is it ka kk ko ku lt lv mk ml mr ms mt my nb ne nl no or pa pl pt ro ru si sk sl sq sr sv sw ta te tr tt uk ur uz vi zh'.split(
    ' ',
  ),
);

/** The name of espeak-ng's voice for a language (ISO 639-1); null for one that it cannot read. */
export function espeakVoice(language: string): string | null {
  return READ.has(language) ? (NAMED_OTHERWISE[language] ?? language) : null;
}
