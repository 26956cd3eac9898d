import type { Citation } from '@engram/contract';

/** A text in lower case, without accents, with single spaces. */
export interface FoldedText {
  letters: string;
  /** For each UTF-16 unit of `letters`, the offset of its character in the text. The last one is the text's end. */
  starts: Uint32Array;
}

const SPACE = /\s/u;
const MARKS = /\p{M}/gu;

export function foldText(text: string): FoldedText {
  const letters: string[] = [];
  const starts: number[] = [];
  let index = 0;
  let wasSpace = false;
  for (const character of text) {
    const isSpace = SPACE.test(character);
    const folded = isSpace ? ' ' : character.normalize('NFKD').replaceAll(MARKS, '').toLowerCase();
    if (!(isSpace && wasSpace)) {
      letters.push(folded);
      for (let unit = 0; unit < folded.length; unit += 1) starts.push(index);
    }
    wasSpace = isSpace;
    index += character.length;
  }
  return { letters: letters.join(''), starts: Uint32Array.from([...starts, text.length]) };
}

export const MAX_MATCHES = 1000;

/** All ranges of words in a text, in order, including parts of longer words. */
export function findInText({ letters, starts }: FoldedText, words: string): TextRange[] {
  const searched = foldText(words.trim()).letters;
  const matches: TextRange[] = [];
  if (searched === '') return matches;
  let index = letters.indexOf(searched);
  while (index !== -1 && matches.length < MAX_MATCHES) {
    let end = index + searched.length;
    // A ligature is one character with several letters, and is found as a whole.
    while (starts[end] === starts[end - 1]) end += 1;
    matches.push([starts[index] ?? 0, starts[end] ?? 0]);
    index = letters.indexOf(searched, end);
  }
  return matches;
}

/** A range of a text in UTF-16 units. The end is exclusive. */
export type TextRange = readonly [start: number, end: number];

/** The range of a quote: the cited one or, if the text was extracted again, its first occurrence. */
export function findQuote(
  text: string,
  { quote, start, end }: Pick<Citation, 'quote' | 'start' | 'end'>,
): TextRange | null {
  if (text.slice(start, end) === quote) return [start, end];
  const index = text.indexOf(quote);
  return index === -1 ? null : [index, index + quote.length];
}

export const overlaps = ([start, end]: TextRange, other: TextRange): boolean =>
  start < other[1] && end > other[0];
