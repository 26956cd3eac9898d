/** Characters of the file's text that are shown before and after a quote. */
const BEFORE = 32;
const AFTER = 160;

export interface Excerpt {
  before: string;
  quote: string;
  after: string;
}

/** Characters of a quote that are shown of one which the answer has said already, and more before it. */
const SAID = 48;
const MORE_BEFORE = 110;

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
  /** What has been said already; a long quote in it is cut short to leave room for its surroundings. */
  said?: string;
}

/** Markdown's marks and escapes apart, whether a text holds the quote. */
const holds = (said: string, quote: string): boolean =>
  said !== '' && collapse(said.replaceAll(/[*_`\\]/gu, '')).includes(quote);

/**
 * A quote with a little of what stands around it. Where the text is not known, or does not hold the
 * quote at these offsets, the quote stands alone.
 */
export function excerptOf(
  text: string | undefined,
  { quote, start, end }: { quote: string; start: number; end: number },
  { inTable = false, said = '' }: ExcerptOptions = {},
): Excerpt {
  if (text?.slice(start, end) !== quote) return { before: '', quote: collapse(quote), after: '' };
  const border = inTable ? ROW : PARAGRAPH;
  const whole = collapse(quote);
  const isSaid = whole.length > SAID + MORE_BEFORE / 4 && holds(said, whole);
  const room = isSaid ? MORE_BEFORE : BEFORE;
  const lead =
    text
      .slice(Math.max(0, start - room), start)
      .split(border)
      .at(-1) ?? '';
  const cutBefore = lead.length === room && start > room;
  const tail = text.slice(end, end + AFTER).split(border)[0] ?? '';
  const cutAfter = tail.length === AFTER && end + AFTER < text.length;
  return {
    before: collapse(cutBefore ? `… ${fromWholeWord(lead)}` : lead.trimStart()),
    quote: isSaid ? `${toWholeWord(whole.slice(0, SAID))} …` : whole,
    after: collapse(cutAfter ? `${toWholeWord(tail)} …` : tail.trimEnd()),
  };
}
