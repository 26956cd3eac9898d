import { eld } from 'eld/extrasmall';
import snowball from 'snowball-stemmers';
import * as stopword from 'stopword';
import { memoize } from '../memoize.ts';
import { fold } from '../languages/fold.ts';
import { LANGUAGES, packOf } from '../languages/index.ts';

const LISTS: Readonly<Record<string, readonly string[] | undefined>> = stopword;

export const stopWords = memoize((language: string): ReadonlySet<string> => {
  const { stopWords: words = '' } = packOf(language);
  return new Set(LISTS[words] ?? words.split(/\s+/u));
});

/** Which of some languages the words speak for by their stop words; the first on a tie. */
export function languageOfWords(
  words: readonly { lower: string }[],
  languages: readonly string[],
): string {
  let best = languages[0] ?? 'en';
  let most = 0;
  for (const language of languages) {
    const stop = stopWords(language);
    const hits = words.filter(({ lower }) => stop.has(lower)).length;
    if (hits > most) [best, most] = [language, hits];
  }
  return best;
}

/** The languages (ISO 639-1) with the question's script or most of its stop words. */
export function likelyLanguages(text: string): string[] {
  const spoken = new Set(text.toLowerCase().match(/\p{L}+/gu));
  const hits = LANGUAGES.map(({ code, script }) =>
    script?.test(text) === true ? Infinity : spoken.intersection(stopWords(code)).size,
  );
  const most = Math.max(...hits);
  return LANGUAGES.flatMap(({ code }, at) => (most > 0 && hits[at] === most ? [code] : []));
}

const SCRIPTS: readonly [RegExp, string][] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, 'ja'],
  [/\p{Script=Hangul}/gu, 'ko'],
  [/\p{Script=Han}/gu, 'zh'],
  [/\p{Script=Cyrillic}/gu, 'ru'],
  [/\p{Script=Hebrew}/gu, 'he'],
  [/\p{Script=Arabic}/gu, 'ar'],
  [/\p{Script=Greek}/gu, 'el'],
  [/\p{Script=Thai}/gu, 'th'],
  [/\p{Script=Devanagari}/gu, 'hi'],
  [/\p{Script=Armenian}/gu, 'hy'],
  [/\p{Script=Tamil}/gu, 'ta'],
];

/** Letters that name a language by n-grams with some certainty; below it only the script counts. */
const ENOUGH_LETTERS = 24;
const DETECTION_WINDOW = 2000;
/** Scripts that several languages write, told apart by n-grams. */
const NEIGHBOURS = new Set(['latin', 'ru', 'ar']);

/** The language (ISO 639-1) of a text's beginning. If unsure, 'en' or the script's main one. */
export function detectLanguage(text: string): string {
  const head = text.slice(0, DETECTION_WINDOW);
  const letters = (head.match(/\p{L}+/gu) ?? []).join('');
  const script = scriptLanguage(letters);
  if (!NEIGHBOURS.has(script)) return script;
  const fallback = script === 'latin' ? 'en' : script;
  if (letters.length < ENOUGH_LETTERS) return fallback;
  const result = eld.detect(head);
  return result.isReliable() && result.language !== '' ? result.language : fallback;
}

/** The main language of the script most of the letters are in; 'latin' for Latin and unknown ones. */
function scriptLanguage(letters: string): string {
  const head = letters.slice(0, 400);
  for (const [pattern, language] of SCRIPTS) {
    const count = head.match(pattern)?.length ?? 0;
    if (count === 0) continue;
    // Japanese and Korean mix in Han: a fifth of their own letters tells them from Chinese.
    if (count >= head.length * (language === 'ja' || language === 'ko' ? 0.2 : 0.5))
      return language;
  }
  return 'latin';
}

/** Arabic and Hebrew vowel marks and the letters that are written now one way, now another. */
function foldSemitic(word: string): string {
  return word
    .replace(/[\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0640]/gu, '')
    .replace(/[أإآٱ]/gu, 'ا')
    .replace(/ى/gu, 'ي')
    .replace(/ة$/u, 'ه');
}

const CYRILLIC = new Set(['ru', 'uk', 'bg']);
const ARABIC = new Set(['ar', 'fa', 'ur']);
const UNLATIN = new Set([...SCRIPTS.map(([, code]) => code), ...CYRILLIC, ...ARABIC]);

/** The language to stem a word in: a word in another script than the text's is of another language. */
function wordLanguage(word: string, language: string): string {
  if (/^\p{Script=Latin}/u.test(word)) return UNLATIN.has(language) ? 'en' : language;
  if (/^\p{Script=Cyrillic}/u.test(word)) return CYRILLIC.has(language) ? language : 'ru';
  if (/^\p{Script=Arabic}/u.test(word)) return ARABIC.has(language) ? language : 'ar';
  return language;
}

const stemmer = memoize((language: string): ((word: string) => string) => {
  const { stemmer: algorithm } = packOf(language);
  if (algorithm === undefined) return (word) => word;
  const snow = snowball.newStemmer(algorithm);
  return (word) => snow.stem(word);
});

/** Longer 'words' are noise (base64, hashes): no stemmer is asked, and only their head is kept. */
const MAX_WORD_LENGTH = 64;

/** The stem of one lower-case word, accents folded. */
export function stemWord(word: string, language: string): string {
  const used = wordLanguage(word, language);
  if (word.length > MAX_WORD_LENGTH) return fold(word.slice(0, MAX_WORD_LENGTH));
  if (used === 'en') {
    const plain = fold(word);
    return stemmer(used)(packOf(used).irregular?.get(plain) ?? plain) || plain;
  }
  if (/^[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(word)) {
    const plain = foldSemitic(word);
    return foldSemitic(stemmer(used)(plain)) || plain;
  }
  return fold(stemmer(used)(word)) || fold(word);
}
