interface TextPart {
  text: string;
  at: number;
  isTerm: boolean;
}

/** Maximum additional letters of a word that is a form of a term, such as 'leases'. */
const MAX_ENDING = 4;

/** Scripts without spaces, where a term is matched inside of longer text. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

const escapePattern = (text: string): string =>
  text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);

/** Text before the first marked word is cut to LEAD characters if it is longer than MAX_LEAD. */
const LEAD = 60;
const MAX_LEAD = 120;

/** Marks terms, and cuts text far before the first one. */
export function markFromFirstTerm(text: string, terms: readonly string[]): TextPart[] {
  const parts = markTerms(text, terms);
  const first = parts.find(({ isTerm }) => isTerm);
  if (!first || first.at <= MAX_LEAD) return parts;
  const tail = text.slice(first.at - LEAD).toWellFormed();
  return markTerms(tail.replace(/^\S*\s/u, '… '), terms);
}

/** Splits a text into terms, including longer forms of them, and the text between them. */
export function markTerms(text: string, terms: readonly string[]): TextPart[] {
  const patterns = terms
    .filter((term) => term !== '')
    .toSorted((a, b) => b.length - a.length)
    .map((term) =>
      UNSPACED.test(term)
        ? escapePattern(term)
        : String.raw`(?<![\p{L}\p{N}])${escapePattern(term)}[\p{L}\p{M}]{0,${MAX_ENDING}}(?![\p{L}\p{N}])`,
    );
  if (patterns.length === 0) return [{ text, at: 0, isTerm: false }];
  const parts: TextPart[] = [];
  let at = 0;
  for (const [index, part] of text.split(new RegExp(`(${patterns.join('|')})`, 'giu')).entries()) {
    if (part !== '') parts.push({ text: part, at, isTerm: index % 2 === 1 });
    at += part.length;
  }
  return parts;
}
