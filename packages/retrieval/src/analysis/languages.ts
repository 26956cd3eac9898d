import { eld } from 'eld/extrasmall';
import snowball from 'snowball-stemmers';
import * as lists from 'stopword';
import { ENGLISH_BASES } from './irregular-forms.ts';

/** ISO 639-1 code to Snowball algorithm (https://snowballstem.org); others are only folded. */
const ALGORITHMS: Readonly<Record<string, string>> = {
  ar: 'arabic',
  hy: 'armenian',
  eu: 'basque',
  ca: 'catalan',
  cs: 'czech',
  sk: 'czech',
  da: 'danish',
  nl: 'dutch',
  en: 'english',
  fi: 'finnish',
  fr: 'french',
  de: 'german',
  hu: 'hungarian',
  it: 'italian',
  ga: 'irish',
  no: 'norwegian',
  nb: 'norwegian',
  nn: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  uk: 'russian',
  bg: 'russian',
  es: 'spanish',
  sl: 'slovene',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
};

/** The question words and function words of English; content words such as 'make' or 'most' stay. */
const ENGLISH_STOP_WORDS = `a about after again all also am an and another any are as at be because
been before being between both but by can could did do does doing done during each else ever every
for from had has have having he hence her here hers him his how however i if in into is it its itself
just let like may me might mine must my no nor not now of off on once only or other our ours out over
own per please shall she should since so some such than that the their theirs them then there these
they this those thus to too under until up upon us very via was we well were what whatever when
whenever where wherever which while who whom whose why will with within without would yes you your
yours s t don't didn't doesn't isn't aren't wasn't weren't what's who's where's when's how's it's
i'm that's there's`.split(/\s+/u);

const STOP_WORDS: Readonly<Record<string, readonly string[]>> = {
  en: ENGLISH_STOP_WORDS,
  ar: lists.ara,
  bg: lists.bul,
  ca: lists.cat,
  cs: lists.ces,
  da: lists.dan,
  de: lists.deu,
  el: lists.ell,
  fa: lists.fas,
  fi: lists.fin,
  fr: lists.fra,
  he: lists.heb,
  hi: lists.hin,
  hr: lists.hrv,
  hu: lists.hun,
  id: lists.ind,
  it: lists.ita,
  ja: lists.jpn,
  ko: lists.kor,
  nl: lists.nld,
  no: lists.nob,
  pl: lists.pol,
  pt: lists.por,
  ro: lists.ron,
  ru: lists.rus,
  sk: lists.slk,
  sl: lists.slv,
  es: lists.spa,
  sv: lists.swe,
  tr: lists.tur,
  uk: lists.ukr,
  vi: lists.vie,
  zh: lists.zho,
};

const stopWordSets = new Map<string, ReadonlySet<string>>();

/** The language's stop words, lower-case and unstemmed; empty for a language without a list. */
export function stopWords(language: string): ReadonlySet<string> {
  let set = stopWordSets.get(language);
  if (set === undefined) {
    set = new Set(Object.hasOwn(STOP_WORDS, language) ? STOP_WORDS[language] : []);
    stopWordSets.set(language, set);
  }
  return set;
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

/**
 * The language a text is written in, as ISO 639-1. Only the text's beginning is looked at; one too
 * short or too mixed to tell is 'en' when it is in Latin letters, else its script's main language.
 */
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

const SPECIAL_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
};
const SPECIAL = /[ßæœøłđðþıς]/gu;
const ASCII = /^\p{ASCII}*$/u;

/** Lower-case text without the accents that people leave out when they type. */
export function fold(word: string): string {
  if (ASCII.test(word)) return word;
  return word
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/gu, '')
    .normalize('NFC')
    .replace(SPECIAL, (letter) => SPECIAL_LETTERS[letter] ?? letter);
}

/** Arabic and Hebrew vowel marks and the letters that are written now one way, now another. */
function foldSemitic(word: string): string {
  return word
    .replace(/[\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0640]/gu, '')
    .replace(/[أإآٱ]/gu, 'ا')
    .replace(/ى/gu, 'ي')
    .replace(/ة$/u, 'ه');
}

const CYRILLIC_LANGUAGES = new Set(['ru', 'uk', 'bg']);
const ARABIC_SCRIPT_LANGUAGES = new Set(['ar', 'fa', 'ur']);
const OTHER_SCRIPT_LANGUAGES = new Set(['ja', 'ko', 'zh', 'he', 'el', 'th', 'hi', 'hy', 'ta']);

/** The language to stem a word in: a word in another script than the text's is of another language. */
function wordLanguage(word: string, language: string): string {
  if (/^\p{Script=Latin}/u.test(word)) {
    return CYRILLIC_LANGUAGES.has(language) ||
      ARABIC_SCRIPT_LANGUAGES.has(language) ||
      OTHER_SCRIPT_LANGUAGES.has(language)
      ? 'en'
      : language;
  }
  if (/^\p{Script=Cyrillic}/u.test(word)) return CYRILLIC_LANGUAGES.has(language) ? language : 'ru';
  if (/^\p{Script=Arabic}/u.test(word))
    return ARABIC_SCRIPT_LANGUAGES.has(language) ? language : 'ar';
  return language;
}

const stemmers = new Map<string, (word: string) => string>();

function stemmer(language: string): (word: string) => string {
  let stem = stemmers.get(language);
  if (stem === undefined) {
    const algorithm = Object.hasOwn(ALGORITHMS, language) ? ALGORITHMS[language] : undefined;
    const snow = algorithm === undefined ? undefined : snowball.newStemmer(algorithm);
    stem = snow === undefined ? (word) => word : (word) => snow.stem(word);
    stemmers.set(language, stem);
  }
  return stem;
}

/** Longer 'words' are noise (base64, hashes): no stemmer is asked, and only their head is kept. */
const MAX_WORD_LENGTH = 64;

/** The stem of one lower-case word, accents folded. */
export function stemWord(word: string, language: string): string {
  const used = wordLanguage(word, language);
  if (word.length > MAX_WORD_LENGTH) return fold(word.slice(0, MAX_WORD_LENGTH));
  if (used === 'en') {
    const plain = fold(word);
    return stemmer('en')(ENGLISH_BASES.get(plain) ?? plain) || plain;
  }
  if (/^[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(word)) {
    const plain = foldSemitic(word);
    return foldSemitic(stemmer(used)(plain)) || plain;
  }
  return fold(stemmer(used)(word)) || fold(word);
}
