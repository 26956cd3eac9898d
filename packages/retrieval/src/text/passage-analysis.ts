import { splitSentences } from './sentences.ts';
import { CAPITAL, type Words, wordsOf } from './words.ts';

export interface Sentence {
  start: number;
  end: number;
  /** Its words are those at `firstWord` up to, and without, `endWord`. */
  firstWord: number;
  endWord: number;
}

export interface PassageAnalysis {
  tokens: Words;
  sentences: readonly Sentence[];
  /** Whether anything is written with a capital. */
  cased: boolean;
}

const LONGEST_TEXT = 8000;
const MAX_CACHED = 4000;
const cached = new Map<string, PassageAnalysis>();

/** Analyses a passage's text. The last few thousand analyses are cached. */
export function analyzePassage(text: string): PassageAnalysis {
  const known = cached.get(text);
  if (known !== undefined) {
    cached.delete(text);
    cached.set(text, known);
    return known;
  }
  const analysis = makeAnalysis(text.length > LONGEST_TEXT ? text.slice(0, LONGEST_TEXT) : text);
  if (cached.size >= MAX_CACHED) {
    const [oldest] = cached.keys();
    if (oldest !== undefined) cached.delete(oldest);
  }
  cached.set(text, analysis);
  return analysis;
}

function makeAnalysis(text: string): PassageAnalysis {
  const tokens = wordsOf(text);
  const { words, starts } = tokens;
  let at = 0;
  const sentences = splitSentences(text).map(({ start, end }): Sentence => {
    while (at < starts.length && (starts[at] ?? 0) < start) at += 1;
    const firstWord = at;
    while (at < starts.length && (starts[at] ?? 0) < end) at += 1;
    return { start, end, firstWord, endWord: at };
  });
  const cased = words.some(({ shape }) => (shape & CAPITAL) !== 0);
  return { tokens, sentences, cased };
}
