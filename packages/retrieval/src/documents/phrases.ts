import { SECRET_LINE } from '../analysis/secrets.ts';
import { analyze } from '../analysis/words.ts';
import type { SourceDocument, SourceSegment } from '../types.ts';
import { countSight, type PhraseCounts, valueOf } from './phrase-counts.ts';
import { grammarOf, NAME_JOINS, type PhraseGrammar } from './phrase-words.ts';

/** Phrases of a long file, and characters of it that are looked at, spread over all of it. */
const MOST_PHRASES = 12;
const MOST_CHARACTERS = 60_000;
const SEGMENT_CHARACTERS = 4000;
/** Words that a file has for each of its phrases. */
const WORDS_PER_PHRASE = 10;
const MAX_LENGTH = 80;
const MAX_WORDS = 5;

/** How much sooner a phrase is taken for its form: seen once, it needs one of these. */
const FORM = { name: 1.5, heading: 2 } as const;

/**
 * The phrases that a document speaks of, the most telling first: at most twelve, fewer for a short one.
 *
 * Candidates are the runs of words between function words and punctuation, of two to five words
 * (RAKE: Rose et al. 2010, 'Automatic keyword extraction from individual documents'), weighed by
 * C-value (Frantzi, Ananiadou, Mima 2000): how often they are seen, less how often within a longer
 * one. One that is seen a single time must look like a name or be a heading.
 * Codes, addresses, figures and whatever follows the word 'password' are never part of a phrase.
 *
 * @param language ISO 639-1
 */
export function phrasesOf(document: SourceDocument, language: string): string[] {
  const counts: PhraseCounts = new Map();
  const grammar = grammarOf(language);
  let words = 0;
  for (const { text, kind } of looksAt(document)) {
    const tokens = tokensIn(withoutSecrets(text), kind === 'prose', grammar);
    words += tokens.length;
    for (let at = 0; at < tokens.length;) {
      const end = runEnd(tokens, at, grammar);
      if (end - at >= 2) countWithin(tokens, at, end, kind, grammar, counts);
      at = Math.max(end, at + 1);
    }
  }
  return choose(counts, language, Math.min(MOST_PHRASES, Math.floor(words / WORDS_PER_PHRASE) + 1));
}

/** Stretches from all over the document that are worth looking at. */
function looksAt({
  text,
  segments,
}: SourceDocument): { text: string; kind: SourceSegment['kind'] }[] {
  const speaking = segments
    .filter(({ kind }) => kind !== 'code')
    .map(({ start, end, kind }) => ({
      text: text.slice(start, Math.min(end, start + SEGMENT_CHARACTERS)),
      kind,
    }));
  const total = speaking.reduce((sum, each) => sum + each.text.length, 0);
  const step = Math.max(1, Math.ceil(total / MOST_CHARACTERS));
  return speaking.filter((_, at) => at % step === 0);
}

const ADDRESS = /(?<!\S)(?=\S+@\S|\S*[/\\]\S*[/\\])\S+|(?:https?:|www\.)\S+/giu;

/** A text without what nobody wants to read in a list: secrets, addresses, paths. */
const withoutSecrets = (text: string): string =>
  text.replaceAll(SECRET_LINE, ' ; ').replaceAll(ADDRESS, ' ; ');

interface Token {
  word: string;
  lower: string;
  capital: boolean;
  /** Whether it can be part of a phrase. */
  inside: boolean;
  /** Whether nothing but a space stands between the word and the one before. */
  joined: boolean;
  /** Whether it begins a sentence or line, where a capital says nothing. */
  opens: boolean;
}

const WORD = /[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}\-‐‑]*(?:['’][\p{L}\p{M}]+)*/gu;
/** Letters alone, not too long, and neither like aXbC nor without any vowel. */
const SPEAKABLE = /^[\p{L}\p{M}'’\-‐‑]{2,40}$/u;
const MIXED = /\p{Ll}\p{Lu}/u;
const CONSONANTS = /^[b-df-hj-np-tv-xz]{4,}$/iu;

/** The words of a text; of what is written without spaces, those that a dictionary finds. */
function tokensIn(text: string, prose: boolean, grammar: PhraseGrammar): Token[] {
  const { segmenter } = grammar;
  const found =
    segmenter === null
      ? [...text.matchAll(WORD)].map(({ 0: word, index }) => ({ word, index }))
      : [...segmenter.segment(text)]
          .filter(({ isWordLike }) => isWordLike)
          .map(({ segment, index }) => ({ word: segment, index }));
  let end = -1;
  return found.map(({ word, index }): Token => {
    const lower = word.toLowerCase();
    const capital = /^\p{Lu}/u.test(word);
    const gap = end === -1 ? '\n' : text.slice(end, index);
    end = index + word.length;
    const wrapped = prose && !capital && /^[ \t]*\r?\n[ \t]*$/u.test(gap);
    const joined = gap === grammar.between || gap === '\u00a0' || wrapped;
    const opens = !joined && /[\n.!?•\-–—*"“„«]/u.test(gap);
    // 'New' is no part of a phrase, but of New York.
    const outside =
      grammar.common.has(lower) || (grammar.outside.has(lower) && (!capital || opens));
    const speakable = SPEAKABLE.test(word) && !MIXED.test(word) && !CONSONANTS.test(word);
    const inside = speakable && !outside;
    return { word, lower, capital, inside, joined, opens };
  });
}

/** Where the run that begins at `from` ends: a function word stays where it joins two names. */
function runEnd(tokens: readonly Token[], from: number, grammar: PhraseGrammar): number {
  if (tokens[from]?.inside !== true) return from;
  let end = from + 1;
  while (end < tokens.length) {
    const token = tokens[end];
    if (token?.joined !== true) break;
    if (token.inside) {
      if (!grammar.capitalNouns && nameEdge(tokens, from, end)) break;
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

/** Whether a name of two words ends or begins at `at`: 'Olga Petrenko | owns', 'met | Olga Petrenko'. */
function nameEdge(tokens: readonly Token[], from: number, at: number): boolean {
  const capital = (position: number): boolean => tokens[position]?.capital === true;
  if (capital(at - 1) && !capital(at)) return at - from >= 2 && capital(at - 2);
  const goesOn = tokens[at + 1]?.joined === true && capital(at + 1);
  return !capital(at - 1) && capital(at) && goesOn;
}

function countWithin(
  tokens: readonly Token[],
  from: number,
  to: number,
  kind: SourceSegment['kind'],
  grammar: PhraseGrammar,
  counts: PhraseCounts,
): void {
  const run = tokens.slice(from, to).map(({ lower }) => lower);
  for (let start = from; start < to; start += 1) {
    for (let end = start + 2; end <= Math.min(to, start + MAX_WORDS); end += 1) {
      const words = tokens.slice(start, end);
      if (!wellFormed(words, grammar)) continue;
      const nested = words.length < run.length;
      const form = nested ? 0 : formOf(words, kind, grammar);
      const surface = words.map(({ word }) => word).join(grammar.between);
      if (surface.length > MAX_LENGTH) continue;
      countSight(counts, {
        surface,
        length: words.length,
        within: nested ? run.join(' ') : null,
        form,
      });
    }
  }
}

function wellFormed(words: readonly Token[], { capitalNouns, segmenter }: PhraseGrammar): boolean {
  const last = words.at(-1);
  if (words[0]?.inside !== true || last?.inside !== true) return false;
  if (new Set(words.map(({ lower }) => lower)).size < words.length) return false;
  if (capitalNouns) {
    // An adjective in small letters stands before its noun, and is inflected.
    const nounAt = words.findIndex(({ capital }) => capital);
    const before = words.slice(0, nounAt);
    return last.capital && before.every(({ lower }) => /(?:e|en|er|es|em)$/u.test(lower));
  }
  return segmenter !== null || (last.lower.length > 2 && !/['’]s$/u.test(last.lower));
}

const isName = (words: readonly Token[]): boolean =>
  words.every(({ capital, inside }) => capital || !inside) &&
  words.some(({ word }) => word !== word.toUpperCase());

/** What the form of a run shows: a heading, a name, or nothing. */
function formOf(
  words: readonly Token[],
  kind: SourceSegment['kind'],
  { capitalNouns }: PhraseGrammar,
): number {
  if (kind === 'heading' && words.length <= 4) return FORM.heading;
  const isSure = !capitalNouns || (words[0]?.opens === false && words.length <= 3);
  return isName(words) && isSure ? FORM.name : 0;
}

function choose(counts: PhraseCounts, language: string, most: number): string[] {
  const ranked = [...counts.values()]
    .map((phrase) => ({ phrase, value: valueOf(phrase) }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value);
  const chosen: string[] = [];
  const said: Set<string>[] = [];
  for (const { phrase } of ranked) {
    if (chosen.length >= most) break;
    const terms = new Set(analyze(phrase.surface, language));
    const repeats = said.some((other) => terms.isSubsetOf(other) || other.isSubsetOf(terms));
    if (terms.size === 0 || repeats) continue;
    said.push(terms);
    chosen.push(phrase.surface);
  }
  return chosen;
}
