import { isListItem, isRow, splitSentences } from './sentences.ts';
import { CAPITAL, wordsOf } from './words.ts';
import type { Word } from './words.ts';

/** One sentence, row or list item of a passage; offsets in the passage's text. */
export interface Sentence {
  start: number;
  end: number;
  /** Its words are `words[firstWord]` up to, and without, `words[endWord]`. */
  firstWord: number;
  endWord: number;
  kind: 'prose' | 'row' | 'item';
}

/** A passage's text cut into sentences and words; depends on the text alone. */
export interface PassageAnalysis {
  words: readonly Word[];
  starts: readonly number[];
  ends: readonly number[];
  sentences: readonly Sentence[];
  /** Whether anything is written with a capital. */
  cased: boolean;
}

const MAX_KEPT = 4000;
/** Longer passages are judged by their beginning: no chunk of ours is as long. */
const MAX_LENGTH = 8000;
const kept = new Map<string, PassageAnalysis>();

/** Analyses a passage's text, or remembers it: the last few thousand are kept. */
export function analyzePassage(text: string): PassageAnalysis {
  const known = kept.get(text);
  if (known !== undefined) {
    kept.delete(text);
    kept.set(text, known);
    return known;
  }
  const analysis = makeAnalysis(text.length > MAX_LENGTH ? text.slice(0, MAX_LENGTH) : text);
  if (kept.size >= MAX_KEPT) {
    const [oldest] = kept.keys();
    if (oldest !== undefined) kept.delete(oldest);
  }
  kept.set(text, analysis);
  return analysis;
}

function makeAnalysis(text: string): PassageAnalysis {
  const { words, starts, ends } = wordsOf(text);
  let at = 0;
  const sentences = splitSentences(text).map(({ start, end }): Sentence => {
    while (at < words.length && (starts[at] ?? 0) < start) at += 1;
    const firstWord = at;
    while (at < words.length && (starts[at] ?? 0) < end) at += 1;
    return { start, end, firstWord, endWord: at, kind: sentenceKind(text.slice(start, end)) };
  });
  const cased = words.some(({ shape }) => (shape & CAPITAL) !== 0);
  return { words, starts, ends, sentences, cased };
}

function sentenceKind(sentence: string): Sentence['kind'] {
  if (isRow(sentence)) return 'row';
  return isListItem(sentence) ? 'item' : 'prose';
}
