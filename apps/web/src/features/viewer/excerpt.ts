/** Characters of the file's text that are shown before and after a quote. */
const BEFORE = 32;
const AFTER = 160;

export interface Excerpt {
  before: string;
  quote: string;
  after: string;
}

const collapse = (text: string): string => text.replace(/\s+/gu, ' ');

/** Drops the word that the cut went through. */
const fromWholeWord = (text: string): string => text.replace(/^\S*\s/u, '');
const toWholeWord = (text: string): string => text.replace(/\s\S*$/u, '');

/** What ends the surroundings: a blank line, and in a table, where lines are rows, any line's end. */
const PARAGRAPH = /\n\s*\n/u;
const ROW = /\n/u;

interface ExcerptOptions {
  /** Whether the quote stands in a row of a table, which is all that is shown around it. */
  inTable?: boolean;
}

/**
 * A quote with a little of what stands around it. Where the text is not known, or does not hold the
 * quote at these offsets, the quote stands alone.
 */
export function excerptOf(
  text: string | undefined,
  { quote, start, end }: { quote: string; start: number; end: number },
  { inTable = false }: ExcerptOptions = {},
): Excerpt {
  if (text?.slice(start, end) !== quote) return { before: '', quote: collapse(quote), after: '' };
  const border = inTable ? ROW : PARAGRAPH;
  const lead =
    text
      .slice(Math.max(0, start - BEFORE), start)
      .split(border)
      .at(-1) ?? '';
  const cutBefore = lead.length === BEFORE && start > BEFORE;
  const tail = text.slice(end, end + AFTER).split(border)[0] ?? '';
  const cutAfter = tail.length === AFTER && end + AFTER < text.length;
  return {
    before: collapse(cutBefore ? `… ${fromWholeWord(lead)}` : lead.trimStart()),
    quote: collapse(quote),
    after: collapse(cutAfter ? `${toWholeWord(tail)} …` : tail.trimEnd()),
  };
}
