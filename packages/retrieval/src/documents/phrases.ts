import { memoize } from '../memoize.ts';
import { commonWords, stopWords } from '../text/languages.ts';
import { SECRET_LINE } from '../text/secrets.ts';
import { analyze } from '../text/words.ts';
import { calendarNames } from '../languages/calendar.ts';
import { allWords, packOf } from '../languages/index.ts';
import type { SourceDocument, SourceSegment } from '../types.ts';

const MAX_PHRASES = 12;
const WORDS_PER_PHRASE = 10;
const MAX_CHARACTERS = 60_000;
const SEGMENT_CHARACTERS = 4000;
const MAX_LENGTH = 80;
const MAX_WORDS = 5;
const MIN_OCCURRENCES = 2;
const FORM = { name: 1.5, heading: 2 } as const;

interface Phrase {
  surface: string;
  words: number;
  occurrences: number;
  /** Extra weight, 0 for a phrase that is neither a name nor a heading. */
  form: number;
}

/**
 * The most distinctive phrases of a document, up to twelve. Candidates are runs of two to five words
 * between function words (RAKE: Rose et al. 2010, 'Automatic keyword extraction from individual
 * documents'). A phrase that occurs once must look like a name or be a heading. Codes, addresses,
 * figures and what follows 'password' are left out.
 */
export function phrasesOf(document: SourceDocument, language: string): string[] {
  const grammar = grammarOf(language);
  const runs: Run[] = [];
  let words = 0;
  for (const { text, kind } of sampleOf(document)) {
    const tokens = tokensIn(withoutSecrets(text), kind === 'prose', grammar);
    words += tokens.length;
    for (let start = 0; start < tokens.length;) {
      const end = runEnd(tokens, start, grammar);
      if (end > start + 1) runs.push({ words: tokens.slice(start, end), kind });
      start = Math.max(end, start + 1);
    }
  }
  const limit = Math.min(MAX_PHRASES, Math.floor(words / WORDS_PER_PHRASE) + 1);
  return mostDistinctive(countPhrases(runs, grammar), language, limit);
}

function sampleOf({ text, segments }: SourceDocument) {
  const sample = segments
    .filter(({ kind }) => kind !== 'code')
    .map(({ start, end, kind }) => ({
      text: text.slice(start, Math.min(end, start + SEGMENT_CHARACTERS)),
      kind,
    }));
  const total = sample.reduce((sum, part) => sum + part.text.length, 0);
  const step = Math.max(1, Math.ceil(total / MAX_CHARACTERS));
  return sample.filter((_, index) => index % step === 0);
}

const ADDRESS = /(?<!\S)(?=\S+@\S|\S*[/\\]\S*[/\\])\S+|(?:https?:|www\.)\S+/giu;

const withoutSecrets = (text: string): string =>
  text.replaceAll(SECRET_LINE, ' ; ').replaceAll(ADDRESS, ' ; ');

const UNSPACED = new Set(['ja', 'zh', 'th', 'lo', 'km', 'my']);
const NAME_JOINS = allWords(({ phrases }) => phrases?.nameJoins);

const wordsIn = (list = ''): Set<string> => new Set(list.split(/\s+/u));

function makeGrammar(language: string) {
  const { phrases, capitalNouns = false } = packOf(language);
  const { full, weekday } = calendarNames([language]);
  const unspaced = UNSPACED.has(language);
  return {
    common: new Set([...stopWords(language), ...full.split('|'), ...weekday.split('|')]),
    outside: commonWords(language).union(wordsIn(phrases?.outside)),
    joins: wordsIn(phrases?.joins),
    capitalNouns,
    between: unspaced ? '' : ' ',
    segmenter: unspaced ? new Intl.Segmenter(language, { granularity: 'word' }) : null,
  };
}

type Grammar = ReturnType<typeof makeGrammar>;

const grammarOf = memoize(makeGrammar);

interface Token {
  word: string;
  lower: string;
  capital: boolean;
  inside: boolean;
  /** Whether only a space precedes the word. */
  joined: boolean;
  /** Whether it begins a sentence or line, where capitals have no meaning. */
  opens: boolean;
}

const WORD = /[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}\-‐‑]*(?:['’][\p{L}\p{M}]+)*/gu;
const SPEAKABLE = /^[\p{L}\p{M}'’\-‐‑]{2,40}$/u;
const MIXED = /\p{Ll}\p{Lu}/u;
const CONSONANTS = /^[b-df-hj-np-tv-xz]{4,}$/iu;

/** The words of a text. A dictionary splits text without spaces. */
function tokensIn(text: string, prose: boolean, grammar: Grammar): Token[] {
  const { segmenter } = grammar;
  const matches =
    segmenter === null
      ? [...text.matchAll(WORD)].map(({ 0: word, index }) => ({ word, index }))
      : [...segmenter.segment(text)]
          .filter(({ isWordLike }) => isWordLike)
          .map(({ segment, index }) => ({ word: segment, index }));
  let end = -1;
  return matches.map(({ word, index }): Token => {
    const lower = word.toLowerCase();
    const capital = /^\p{Lu}/u.test(word);
    const gap = end === -1 ? '\n' : text.slice(end, index);
    end = index + word.length;
    const wrapped = prose && !capital && /^[ \t]*\r?\n[ \t]*$/u.test(gap);
    const joined = gap === grammar.between || gap === '\u00a0' || wrapped;
    const opens = !joined && /[\n.!?•\-–—*"“„«]/u.test(gap);
    // 'New' is not part of a phrase, but of New York.
    const outside =
      grammar.common.has(lower) || (grammar.outside.has(lower) && (!capital || opens));
    const speakable = SPEAKABLE.test(word) && !MIXED.test(word) && !CONSONANTS.test(word);
    return { word, lower, capital, inside: speakable && !outside, joined, opens };
  });
}

/** The end of the run that begins at `from`. It may contain a function word between two names. */
function runEnd(tokens: readonly Token[], from: number, grammar: Grammar): number {
  if (tokens[from]?.inside !== true) return from;
  let end = from + 1;
  while (end < tokens.length) {
    const token = tokens[end];
    if (token?.joined !== true) break;
    if (token.inside) {
      if (!grammar.capitalNouns && isNameEdge(tokens, from, end)) break;
      end += 1;
      continue;
    }
    const next = tokens[end + 1];
    const names = next?.capital === true && tokens[end - 1]?.capital === true;
    const joining = grammar.joins.has(token.lower) || (names && NAME_JOINS.has(token.lower));
    if (!joining || next?.inside !== true || !next.joined) break;
    end += 2;
  }
  return end;
}

/** Whether a name of two words ends or begins at `at`: 'Olga Petrenko | owns'. */
function isNameEdge(tokens: readonly Token[], from: number, index: number): boolean {
  const capital = (position: number): boolean => tokens[position]?.capital === true;
  if (capital(index - 1) && !capital(index)) return index - from >= 2 && capital(index - 2);
  const continues = tokens[index + 1]?.joined === true && capital(index + 1);
  return !capital(index - 1) && capital(index) && continues;
}

interface Run {
  words: readonly Token[];
  kind: SourceSegment['kind'];
}

function countPhrases(runs: readonly Run[], grammar: Grammar): Phrase[] {
  const phrases = new Map<string, Phrase>();
  const surfaceOf = (words: readonly Token[]): string =>
    words.map(({ word }) => word).join(grammar.between);
  for (const { words, kind } of runs) {
    const surface = surfaceOf(words);
    const fits = words.length <= MAX_WORDS && surface.length <= MAX_LENGTH;
    if (!fits || !isWellFormed(words, grammar)) continue;
    const key = surface.toLowerCase();
    const known = phrases.get(key);
    phrases.set(key, {
      // Sentences and headings begin with a capital that the phrase may not have.
      surface: known === undefined || /^\p{Ll}/u.test(surface) ? surface : known.surface,
      words: words.length,
      occurrences: 0,
      form: Math.max(known?.form ?? 0, formOf(words, kind, grammar)),
    });
  }
  for (const { words } of runs) {
    for (let start = 0; start < words.length; start += 1) {
      for (let end = start + 2; end <= Math.min(words.length, start + MAX_WORDS); end += 1) {
        const phrase = phrases.get(surfaceOf(words.slice(start, end)).toLowerCase());
        if (phrase !== undefined) phrase.occurrences += 1;
      }
    }
  }
  return [...phrases.values()];
}

function isWellFormed(words: readonly Token[], { capitalNouns, segmenter }: Grammar): boolean {
  const last = words.at(-1);
  if (words[0]?.inside !== true || last?.inside !== true) return false;
  if (new Set(words.map(({ lower }) => lower)).size < words.length) return false;
  if (capitalNouns) {
    // A lower-case adjective precedes its noun and is inflected.
    const nounAt = words.findIndex(({ capital }) => capital);
    const adjectives = words.slice(0, nounAt);
    return last.capital && adjectives.every(({ lower }) => /(?:e|en|er|es|em)$/u.test(lower));
  }
  return segmenter !== null || (last.lower.length > 2 && !/['’]s$/u.test(last.lower));
}

function formOf(
  words: readonly Token[],
  kind: SourceSegment['kind'],
  { capitalNouns }: Grammar,
): number {
  if (kind === 'heading' && words.length <= 4) return FORM.heading;
  const isName =
    words.every(({ capital, inside }) => capital || !inside) &&
    words.some(({ word }) => word !== word.toUpperCase());
  const isSure = !capitalNouns || (words[0]?.opens === false && words.length <= 3);
  return isName && isSure ? FORM.name : 0;
}

/** The best phrases, without those whose words are a subset or superset of a better one. */
function mostDistinctive(phrases: readonly Phrase[], language: string, limit: number): string[] {
  const chosen: { surface: string; terms: Set<string> }[] = [];
  const valueOf = ({ words, occurrences, form }: Phrase): number =>
    Math.log2(words) * occurrences * (1 + form);
  const distinctive = phrases
    .filter(({ occurrences, form }) => occurrences >= MIN_OCCURRENCES || form > 0)
    .sort((a, b) => valueOf(b) - valueOf(a));
  for (const { surface } of distinctive) {
    if (chosen.length >= limit) break;
    const terms = new Set(analyze(surface, language));
    const repeats = chosen.some(
      (other) => terms.isSubsetOf(other.terms) || other.terms.isSubsetOf(terms),
    );
    if (terms.size > 0 && !repeats) chosen.push({ surface, terms });
  }
  return chosen.map(({ surface }) => surface);
}
