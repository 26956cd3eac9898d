import type { Stretch } from './quote-place.ts';

/** A text as words are looked for in it: without case and accents, white space as one blank. */
export interface FoldedText {
  letters: string;
  /** For each UTF-16 unit of `letters`: where its character begins in the text; at last the text's end. */
  starts: Uint32Array;
}

const SPACE = /\s/u;
const MARKS = /\p{M}/gu;

export function foldText(text: string): FoldedText {
  const letters: string[] = [];
  const starts: number[] = [];
  let at = 0;
  let wasSpace = false;
  for (const character of text) {
    const isSpace = SPACE.test(character);
    const folded = isSpace ? ' ' : character.normalize('NFKD').replaceAll(MARKS, '').toLowerCase();
    if (!(isSpace && wasSpace)) {
      letters.push(folded);
      for (let unit = 0; unit < folded.length; unit += 1) starts.push(at);
    }
    wasSpace = isSpace;
    at += character.length;
  }
  return { letters: letters.join(''), starts: Uint32Array.from([...starts, text.length]) };
}

/** As many places as anybody steps through. */
export const MOST_FOUND = 1000;

/** Where words stand in a text, in its order, parts of words too; at most {@link MOST_FOUND}. */
export function findInText({ letters, starts }: FoldedText, words: string): Stretch[] {
  const wanted = foldText(words.trim()).letters;
  const found: Stretch[] = [];
  if (wanted === '') return found;
  for (
    let at = letters.indexOf(wanted);
    at !== -1 && found.length < MOST_FOUND;
    at = letters.indexOf(wanted, at + wanted.length)
  ) {
    found.push([starts[at] ?? 0, starts[at + wanted.length] ?? 0]);
  }
  return found;
}
