import type { EngineBlock, EngineLine, EngineWord } from './engine.ts';

/** From here on a word is believed by itself; 0 to 100. */
const SURE = 75;
/** On a page that is read well, lines are kept from here on: a name or a code is rarely sure. */
const LEAST_ON_A_PAGE = 35;
/** Where little is read well, only lines that leave no doubt are kept. */
const LEAST_ALONE = 75;
const SURE_ALONE = 82;
/** The share of letters in sure words that makes a page one that is read well. */
const WELL_READ = 0.5;

const MARKS = /[\p{L}\p{N}]/gu;

/** A line with the number of the paragraph it belongs to, counted from 1. */
export interface ReadLine {
  line: EngineLine;
  block: number;
}

/** How many letters and digits were read, and what share of them stands in sure words. */
export interface Judgement {
  letters: number;
  sure: number;
}

function lettersIn({ text }: EngineWord): number {
  return text.match(MARKS)?.length ?? 0;
}

export function judge(blocks: readonly EngineBlock[]): Judgement {
  const words = linesOf(blocks).flatMap(({ line }) => line.words);
  let letters = 0;
  let sure = 0;
  for (const word of words) {
    letters += lettersIn(word);
    if (word.confidence >= SURE) sure += lettersIn(word);
  }
  return { letters, sure };
}

/** Whether another look, turned, may find more: nothing was read, or little of it well. */
export function isDoubtful({ letters, sure }: Judgement): boolean {
  return sure < 3 || sure < letters * 0.6;
}

/** All lines in the engine's reading order; each paragraph is a block of its own. */
export function linesOf(blocks: readonly EngineBlock[]): ReadLine[] {
  let block = 0;
  return blocks.flatMap(({ paragraphs }) =>
    paragraphs.flatMap(({ lines }) => {
      block += 1;
      return lines.map((line) => ({ line, block }));
    }),
  );
}

/**
 * The lines that are text: in leaves, fur and stones the engine sees letters too, but is unsure of
 * them. What is read without doubt stays, be it a single word.
 */
export function believable(blocks: readonly EngineBlock[]): ReadLine[] {
  const { letters, sure } = judge(blocks);
  const page = sure >= 3 && sure >= letters * WELL_READ;
  return linesOf(blocks).flatMap(({ line, block }) => {
    const words = line.words.filter((word) => isWord(word));
    const kept = page ? meanConfidence(words) >= LEAST_ON_A_PAGE : standsAlone(words);
    return kept && words.length > 0 ? [{ line: { ...line, words }, block }] : [];
  });
}

/** Specks and rules are read as single signs, with little confidence. */
function isWord(word: EngineWord): boolean {
  if (word.text.trim() === '') return false;
  return lettersIn(word) > 0 ? word.confidence >= 20 : word.confidence >= 60;
}

/** Weighed by letters: a long word says more than a short one. */
function meanConfidence(words: readonly EngineWord[]): number {
  const weight = (word: EngineWord): number => Math.max(1, lettersIn(word));
  const total = words.reduce((sum, word) => sum + weight(word), 0);
  return total === 0
    ? 0
    : words.reduce((sum, word) => sum + word.confidence * weight(word), 0) / total;
}

function standsAlone(words: readonly EngineWord[]): boolean {
  return (
    meanConfidence(words) >= LEAST_ALONE &&
    words.some((word) => lettersIn(word) >= 3 && word.confidence >= SURE_ALONE)
  );
}
