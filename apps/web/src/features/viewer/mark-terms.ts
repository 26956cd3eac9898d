export interface TextPart {
  text: string;
  /** Where it begins, in UTF-16 units. */
  at: number;
  isTerm: boolean;
}

/** Letters that a word may have beyond a term to be a form of it: 'leases', 'Kündigungen'. */
const ENDING = 4;

/** Scripts that are written without spaces: a term is found inside of what looks like one word. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);

/** Characters before the first marked word that a reader needs, and those from which on they are cut. */
const LEAD = 60;
const LONG_LEAD = 120;

/** {@link markTerms} of a text from a little before its first marked word on. */
export function markFromFirstTerm(text: string, terms: readonly string[]): TextPart[] {
  const parts = markTerms(text, terms);
  const first = parts.find(({ isTerm }) => isTerm);
  if (!first || first.at <= LONG_LEAD) return parts;
  const tail = text.slice(first.at - LEAD).toWellFormed();
  return markTerms(tail.replace(/^\S*\s/u, '… '), terms);
}

/** A text in parts that are one of the terms, or a longer form of it, and parts that are not. */
export function markTerms(text: string, terms: readonly string[]): TextPart[] {
  const patterns = terms
    .filter((term) => term !== '')
    .toSorted((a, b) => b.length - a.length)
    .map((term) =>
      UNSPACED.test(term)
        ? escaped(term)
        : String.raw`(?<![\p{L}\p{N}])${escaped(term)}[\p{L}\p{M}]{0,${ENDING}}(?![\p{L}\p{N}])`,
    );
  if (patterns.length === 0) return [{ text, at: 0, isTerm: false }];
  const parts: TextPart[] = [];
  let at = 0;
  // Every second part is what the pattern found.
  for (const [index, part] of text.split(new RegExp(`(${patterns.join('|')})`, 'giu')).entries()) {
    if (part !== '') parts.push({ text: part, at, isTerm: index % 2 === 1 });
    at += part.length;
  }
  return parts;
}
