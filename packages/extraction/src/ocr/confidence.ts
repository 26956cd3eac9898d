import type { EngineBlock, EngineLine, EngineWord } from './engine.ts';

/** Minimum confidence of a certain word, 0 to 100. */
const MIN_CERTAIN = 75;
/** Minimum confidence of a line on a well recognized page. */
const MIN_ON_GOOD_PAGE = 35;
/** Minimum confidence on other pages. */
const MIN_ALONE = 75;
const MIN_WORD_ALONE = 82;
/** Minimum share of letters in certain words on a well recognized page. */
const MIN_CERTAIN_SHARE = 0.5;

const LETTER = /[\p{L}\p{N}]/gu;

interface ReadLine {
  line: EngineLine;
  block: number;
}

interface Certainty {
  letters: number;
  certain: number;
}

function lettersIn({ text }: EngineWord): number {
  return text.match(LETTER)?.length ?? 0;
}

export function certaintyOf(blocks: readonly EngineBlock[]): Certainty {
  const words = linesOf(blocks).flatMap(({ line }) => line.words);
  let letters = 0;
  let certain = 0;
  for (const word of words) {
    letters += lettersIn(word);
    if (word.confidence >= MIN_CERTAIN) certain += lettersIn(word);
  }
  return { letters, certain };
}

/** Whether another attempt may find more. */
export function isDoubtful({ letters, certain }: Certainty): boolean {
  return certain < 3 || certain < letters * 0.6;
}

export function linesOf(blocks: readonly EngineBlock[]): ReadLine[] {
  let block = 0;
  return blocks.flatMap(({ paragraphs }) =>
    paragraphs.flatMap(({ lines }) => {
      block += 1;
      return lines.map((line) => ({ line, block }));
    }),
  );
}

/** The lines that are probably text. Textures have low confidence. */
export function plausibleLines(blocks: readonly EngineBlock[]): ReadLine[] {
  const { letters, certain } = certaintyOf(blocks);
  const isGoodPage = certain >= 3 && certain >= letters * MIN_CERTAIN_SHARE;
  return linesOf(blocks).flatMap(({ line, block }) => {
    const words = line.words.filter((word) => isWord(word));
    const isText = isGoodPage ? meanConfidence(words) >= MIN_ON_GOOD_PAGE : standsAlone(words);
    return isText && words.length > 0 ? [{ line: { ...line, words }, block }] : [];
  });
}

/** Specks and rules are recognized as symbols with low confidence. */
function isWord(word: EngineWord): boolean {
  if (word.text.trim() === '') return false;
  return lettersIn(word) > 0 ? word.confidence >= 20 : word.confidence >= 60;
}

function meanConfidence(words: readonly EngineWord[]): number {
  const weight = (word: EngineWord): number => Math.max(1, lettersIn(word));
  const total = words.reduce((sum, word) => sum + weight(word), 0);
  return total === 0
    ? 0
    : words.reduce((sum, word) => sum + word.confidence * weight(word), 0) / total;
}

function standsAlone(words: readonly EngineWord[]): boolean {
  return (
    meanConfidence(words) >= MIN_ALONE &&
    words.some((word) => lettersIn(word) >= 3 && word.confidence >= MIN_WORD_ALONE)
  );
}
