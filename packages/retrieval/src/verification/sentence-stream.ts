/** `[1]`, `[1, 2]`, `[1][2]`, `[^1]`, `[Passage 1]`, `【1】`: the ways models write a source. */
export const MARKER =
  /[[【] ?\^?(?:passages?|sources?|files?|documents?|n)? ?#?\d{1,4}(?: ?(?:,|;|-|–|and|&) ?\d{1,4}){0,8} ?(?:†[^\]】]{0,20})?[\]】]/iu;

/** A sentence that has not ended after so many UTF-16 units is cut: it would never be shown. */
const LONGEST = 2000;
/** A quotation that is still open after so many units was opened by mistake (an inch sign). */
const LONGEST_QUOTATION = 400;
/** An opening bracket that has not closed within so many units is no source. */
const LONGEST_MARKER = 128;

const SENTENCE_END = new RegExp(
  String.raw`(?:(?<![.!?…])[.!?…]+[*_"'”’»)]*(?=[\s[【])|(?<![。！？])[。！？]+[」』”）]*)(?:\s*${MARKER.source})*`,
  'giu',
);
const ABBREVIATION =
  /(?:^|[\s(])(?:\p{Lu}|Dr|Mr|Mrs|Ms|Prof|St|No|Nr|vs|etc|e\.g|i\.e|z\.\s?B|d\.\s?h|u\.\s?a|bzw|ca|approx|Inc|Ltd|Co|Corp|Jr|Sr|p|pp|Art|Abs|Fig|Vol|Jan|Feb|Mar|Apr|Aug|Sept?|Oct|Nov|Dec|\d{1,2})\.$/u;

/** Whether a quotation that began before `end` has not been closed. */
function insideQuotation(text: string, end: number): boolean {
  if (end > LONGEST_QUOTATION) return false;
  const before = text.slice(0, end);
  if ((before.match(/"/gu)?.length ?? 0) % 2 === 1) return true;
  if (before.includes('„')) return before.lastIndexOf('„') > before.lastIndexOf('“');
  return before.lastIndexOf('“') > before.lastIndexOf('”');
}

/**
 * Where the first sentence of a line ends, its sources included, or -1 while that cannot be told
 * because the text may still go on. What it answers for a beginning of a text holds for the whole
 * text, so that it does not matter in which pieces a text arrives.
 * @param text one line, without its line break
 * @param complete whether the line is known to end here
 */
export function sentenceEnd(text: string, complete: boolean): number {
  const seen = text.slice(0, LONGEST);
  const unknown = text.length < LONGEST ? -1 : LONGEST;
  const whole = complete && text.length < LONGEST;
  for (const match of seen.matchAll(SENTENCE_END)) {
    const end = match.index + match[0].length;
    const rest = seen.slice(end).trimStart();
    if (rest === '' && !whole) return unknown;
    if (rest === '') break;
    const open = /^[[【]/u.test(rest) && !/[\]】]/u.test(rest) && rest.length < LONGEST_MARKER;
    if (open && !whole) return unknown;
    const stop = match.index + (/^[.!?…]+/u.exec(match[0])?.[0].length ?? 0);
    const goesOn = /^\p{Ll}/u.test(rest) || ABBREVIATION.test(seen.slice(0, stop));
    if (!goesOn && !insideQuotation(seen, end)) return end;
  }
  return whole ? text.length : unknown;
}
