import { eld } from 'eld/extrasmall';
import snowball from 'snowball-stemmers';
import * as stopword from 'stopword';
import commonLists from 'stopwords-iso/stopwords-iso.json' with { type: 'json' };
import { memoize } from '../memoize.ts';
import { fold } from '../languages/fold.ts';
import { LANGUAGES, packOf } from '../languages/index.ts';

const LISTS: Readonly<Record<string, readonly string[] | undefined>> = stopword;

export const stopWords = memoize((language: string): ReadonlySet<string> => {
  const { stopWords: words = '' } = packOf(language);
  return new Set(LISTS[words] ?? words.split(/\s+/u));
});

const COMMON_LISTS: Readonly<Record<string, readonly string[] | undefined>> = commonLists;

/** Words too common for a name, a superset of stop words. Empty for an unknown language. */
export const commonWords = memoize(
  (language: string): ReadonlySet<string> => new Set(COMMON_LISTS[language]),
);

/** The language with most stop words among the words. The first wins a tie. */
export function languageOfWords(
  words: readonly { lower: string }[],
  languages: readonly string[],
): string {
  let best = languages[0] ?? 'en';
  let top = 0;
  for (const language of languages) {
    const stop = stopWords(language);
    const hits = words.filter(({ lower }) => stop.has(lower)).length;
    if (hits > top) [best, top] = [language, hits];
  }
  return best;
}

const LANGUAGE_SCRIPTS = LANGUAGES.map(({ script = '(?!)' }) => new RegExp(script, 'u'));

/** Languages (ISO 639-1) with the question's script or most of its stop words. */
export function likelyLanguages(text: string): string[] {
  const spoken = new Set(text.toLowerCase().match(/\p{L}+/gu));
  const hits = LANGUAGES.map(({ code }, index) =>
    LANGUAGE_SCRIPTS[index]?.test(text) === true
      ? Infinity
      : spoken.intersection(stopWords(code)).size,
  );
  const top = Math.max(...hits);
  return LANGUAGES.flatMap(({ code }, index) => (top > 0 && hits[index] === top ? [code] : []));
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

/** Minimum letters to detect a language by n-grams. */
const ENOUGH_LETTERS = 24;
const DETECTION_WINDOW = 2000;
/** Scripts of several languages, which n-grams distinguish. */
const NEIGHBORS = new Set(['latin', 'ru', 'ar']);

/** Detects the language (ISO 639-1) of the beginning. If unsure, 'en' or the script's main language. */
export function detectLanguage(text: string): string {
  const head = text.slice(0, DETECTION_WINDOW);
  const letters = (head.match(/\p{L}+/gu) ?? []).join('');
  const script = scriptLanguage(letters);
  if (!NEIGHBORS.has(script)) return script;
  const fallback = script === 'latin' ? 'en' : script;
  if (letters.length < ENOUGH_LETTERS) return fallback;
  const result = eld.detect(head);
  return result.isReliable() && result.language !== '' ? result.language : fallback;
}

/** Main language of the most frequent script. 'latin' for Latin and unknown ones. */
function scriptLanguage(letters: string): string {
  const head = letters.slice(0, 400);
  for (const [pattern, language] of SCRIPTS) {
    const count = head.match(pattern)?.length ?? 0;
    if (count === 0) continue;
    // Japanese and Korean also use Han. A fifth of own letters identifies them.
    if (count >= head.length * (language === 'ja' || language === 'ko' ? 0.2 : 0.5))
      return language;
  }
  return 'latin';
}

/** Removes vowel marks and normalizes letters with several spellings. */
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

/** The language to stem a word in, which may be foreign in the text. */
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

/** Longer 'words' are noise such as hashes and are cut. */
const MAX_WORD_LENGTH = 64;

const ENGLISH_BASES = new Map(
  packOf('en').irregular?.flatMap((line) => {
    const [base = '', ...forms] = line.split(' ');
    return forms.map((form) => [form, base] as const);
  }),
);

/** The stem of one lower-case word, accents folded. */
export function stemWord(word: string, language: string): string {
  const used = wordLanguage(word, language);
  if (word.length > MAX_WORD_LENGTH) return fold(word.slice(0, MAX_WORD_LENGTH));
  if (used === 'en') {
    const plain = fold(word);
    return stemmer(used)(ENGLISH_BASES.get(plain) ?? plain) || plain;
  }
  if (/^[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(word)) {
    const plain = foldSemitic(word);
    return foldSemitic(stemmer(used)(plain)) || plain;
  }
  return fold(stemmer(used)(word)) || fold(word);
}
