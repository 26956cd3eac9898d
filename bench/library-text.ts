import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { splitSentences } from '@engram/retrieval';

const ROOT = path.resolve(import.meta.dirname, '..');

/** In characters. Shorter and longer sentences are tables, lists or code. */
const SENTENCE_LENGTH = { min: 40, max: 300 };
const PARAGRAPH_LENGTH = 950;
const INVENTED_NAMES = 60_000;
/** The shares of words that are replaced by another word and by an invented name. */
const OTHER_WORD = 0.12;
const OTHER_NAME = 0.02;
/** The number of words that a question takes from one sentence. */
const QUESTION_WORDS = { min: 4, max: 9 };

/** English texts and questions about them, the same for each seed. */
export interface LibraryText {
  /** A text of paragraphs, each about as long as a chunk. */
  file(paragraphs: number): string;
  /** Asks about some words of a sentence. */
  question(): string;
}

/** The sentences of the dependencies' READMEs, each as its words. */
function readSentences(): string[][] {
  const sentences: string[][] = [];
  const files = globSync('node_modules/*/README.md', { cwd: ROOT }).toSorted();
  const texts = files.map((file) => readFileSync(path.join(ROOT, file), 'utf8'));
  for (const paragraph of texts.flatMap((text) => text.split(/\n\s*\n/u))) {
    for (const { start, end } of splitSentences(paragraph)) {
      const sentence = paragraph.slice(start, end).trim();
      const { min, max } = SENTENCE_LENGTH;
      if (sentence.length < min || sentence.length > max) continue;
      if (/[^\s\w.,;:'"()/%-]/u.test(sentence)) continue;
      sentences.push(sentence.split(/\s+/u));
    }
  }
  return sentences;
}

const SYLLABLES = 'ka lo ven tir mos bel dra qui nor sa pel ut gren vi tho lan'.split(' ');

/** A name for each number, like `Velkatir`. */
function inventName(number: number): string {
  let name = '';
  for (let rest = number + SYLLABLES.length; rest > 0; rest = Math.floor(rest / SYLLABLES.length)) {
    name += SYLLABLES[rest % SYLLABLES.length] ?? '';
  }
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/**
 * Real sentences in random order, with some words replaced: terms are as frequent as in real texts,
 * and new ones continue to appear.
 */
export function createLibraryText(seed: number): LibraryText {
  const sentences = readSentences();
  const words = sentences.flat().filter((word) => /^[A-Za-z]{3,}$/u.test(word));
  const random = mulberry32(seed);
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(random() * items.length)];
    if (item === undefined) throw new Error('No READMEs were found.');
    return item;
  };

  const vary = (word: string): string => {
    if (!/^[A-Za-z]{4,}$/u.test(word)) return word;
    const chance = random();
    if (chance < OTHER_NAME) return inventName(Math.floor(INVENTED_NAMES * random() ** 4));
    return chance < OTHER_NAME + OTHER_WORD ? pick(words) : word;
  };

  const paragraph = (): string => {
    let text = '';
    while (text.length < PARAGRAPH_LENGTH) text += `${pick(sentences).map(vary).join(' ')} `;
    return text.trimEnd();
  };

  return {
    file: (count) => Array.from({ length: count }, paragraph).join('\n\n'),
    question() {
      const sentence = pick(sentences).map(vary);
      const { min, max } = QUESTION_WORDS;
      const length = min + Math.floor(random() * (max - min + 1));
      const begin = Math.floor(random() * Math.max(1, sentence.length - length));
      const run = sentence.slice(begin, begin + length).join(' ');
      return `What is said about ${run.replaceAll(/[.,;:'"()]/gu, '')}?`;
    },
  };
}

/** A pseudorandom number generator for values from 0 to 1, by Tommy Ettinger (public domain). */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
