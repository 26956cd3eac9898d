import { isListItem, isRow, splitSentences } from './sentences.ts';
import { CAPITAL, type Words, wordsOf } from './words.ts';

/** One sentence, row or list item of a passage; offsets in the passage's text. */
export interface Sentence {
  start: number;
  end: number;
  /** Its words are those at `firstWord` up to, and without, `endWord`. */
  firstWord: number;
  endWord: number;
  kind: 'prose' | 'row' | 'item';
}

/** A passage's text cut into sentences and words; depends on the text alone. */
export interface PassageAnalysis {
  tokens: Words;
  sentences: readonly Sentence[];
  /** Whether anything is written with a capital. */
  cased: boolean;
}

/** The longest text that is analysed, in UTF-16 units. */
const LONGEST_TEXT = 8000;
const MAX_KEPT = 4000;
const kept = new Map<string, PassageAnalysis>();

/** Analyses a passage's text, or remembers it: the last few thousand are kept. */
export function analyzePassage(text: string): PassageAnalysis {
  const known = kept.get(text);
  if (known !== undefined) {
    kept.delete(text);
    kept.set(text, known);
    return known;
  }
  // Longer passages are judged by their beginning: no chunk of ours is as long.
  const analysis = makeAnalysis(text.length > LONGEST_TEXT ? text.slice(0, LONGEST_TEXT) : text);
  if (kept.size >= MAX_KEPT) {
    const [oldest] = kept.keys();
    if (oldest !== undefined) kept.delete(oldest);
  }
  kept.set(text, analysis);
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
    return { start, end, firstWord, endWord: at, kind: sentenceKind(text.slice(start, end)) };
  });
  const cased = words.some(({ shape }) => (shape & CAPITAL) !== 0);
  return { tokens, sentences, cased };
}

function sentenceKind(sentence: string): Sentence['kind'] {
  if (isRow(sentence)) return 'row';
  return isListItem(sentence) ? 'item' : 'prose';
}
