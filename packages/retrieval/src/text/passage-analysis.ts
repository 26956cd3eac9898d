import type { Span } from '../types.ts';
import { memoize } from '../memoize.ts';
import { splitSentences } from './sentences.ts';
import { CAPITAL, wordsOf } from './words.ts';

interface Sentence extends Span {
  /** Its words are from `firstWord` to before `endWord`. */
  firstWord: number;
  endWord: number;
}

export type PassageAnalysis = ReturnType<typeof makeAnalysis>;

const MAX_TEXT_LENGTH = 8000;

export const analyzePassage = memoize(makeAnalysis, 4000);

function makeAnalysis(passage: string) {
  const text = passage.slice(0, MAX_TEXT_LENGTH);
  const tokens = wordsOf(text);
  const { words, starts } = tokens;
  let index = 0;
  const sentences = splitSentences(text).map(({ start, end }): Sentence => {
    while (index < starts.length && (starts[index] ?? 0) < start) index += 1;
    const firstWord = index;
    while (index < starts.length && (starts[index] ?? 0) < end) index += 1;
    return { start, end, firstWord, endWord: index };
  });
  const cased = words.some(({ shape }) => (shape & CAPITAL) !== 0);
  return { tokens, sentences, cased };
}
