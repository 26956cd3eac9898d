/** A stretch of one text item that belongs to a quote. */
export interface QuoteRange {
  /** Index of the text item. */
  item: number;
  /** UTF-16 offsets in the item's text. */
  start: number;
  end: number;
  /**
   * The part of the quote that stands there, white space collapsed; the texts of all ranges, put
   * together, are the quote.
   */
  text: string;
}

interface Folded {
  text: string;
  /** For each UTF-16 unit of `text`: which string it came from, and the offsets of its character. */
  sources: { item: number; start: number; end: number }[];
}

/** White space and every kind of hyphen: what line breaks in a printed page add or take away. */
const IGNORED = /[\s\p{Cf}\p{Pd}]/u;

/** The characters that matter when comparing, in their compatibility form (a ligature is its letters). */
function fold(items: readonly string[]): Folded {
  let text = '';
  const sources: Folded['sources'] = [];
  items.forEach((value, item) => {
    let at = 0;
    for (const character of value) {
      const start = at;
      at += character.length;
      for (const part of character.normalize('NFKD')) {
        if (IGNORED.test(part)) continue;
        text += part;
        for (let unit = 0; unit < part.length; unit += 1) sources.push({ item, start, end: at });
      }
    }
  });
  return { text, sources };
}

/** Whether a stretch of the page ends between characters, so that 'a' is not found in the middle of 'ä'. */
function endsWhole({ text, sources }: Folded, end: number): boolean {
  const [before, after] = [sources[end - 1], sources[end]];
  if (!before || !after) return true;
  const sameCharacter = before.item === after.item && before.start === after.start;
  return !sameCharacter && !/^\p{M}/u.test(text.slice(end, end + 2));
}

/** Where a text stands after as many others; the last one where there are not as many. */
function indexOfWhole(page: Folded, wanted: string, nth: number): number {
  let found = -1;
  let left = nth;
  for (let at = page.text.indexOf(wanted); at !== -1; at = page.text.indexOf(wanted, at + 1)) {
    if (!endsWhole(page, at) || !endsWhole(page, at + wanted.length)) continue;
    found = at;
    if (left === 0) break;
    left -= 1;
  }
  return found;
}

/** A stretch of the page's folded text. */
type Stretch = [start: number, end: number];

/** Items that may stand between two lines of one column where columns are drawn line by line. */
const MAX_SKIPPED = 24;

/** Where each item that has any text stands in the folded text. */
function stretchesOf({ sources }: Folded): Stretch[] {
  const stretches: Stretch[] = [];
  sources.forEach(({ item }, at) => {
    const last = stretches.at(-1);
    if (last && sources[last[0]]?.item === item) last[1] = at + 1;
    else stretches.push([at, at + 1]);
  });
  return stretches;
}

/**
 * Finds a text whose lines stand in order, but with lines of another column between them: each
 * further piece is a whole item, but for the last one.
 */
function findAcrossColumns(page: Folded, wanted: string): Stretch[] | null {
  const items = stretchesOf(page);
  const failed = new Set<string>();

  const follow = (first: number, at: number): Stretch[] | null => {
    const rest = wanted.slice(at);
    if (rest === '') return [];
    if (failed.has(`${first} ${at}`)) return null;
    for (let index = first; index < Math.min(first + MAX_SKIPPED, items.length); index += 1) {
      const [start, end] = items[index]!;
      const text = page.text.slice(start, end);
      const length = Math.min(text.length, rest.length);
      if (text.slice(0, length) !== rest.slice(0, length) || !endsWhole(page, start + length)) {
        continue;
      }
      const others = follow(index + 1, at + length);
      if (others) return [[start, start + length], ...others];
    }
    failed.add(`${first} ${at}`);
    return null;
  };

  for (const [index, [first, end]] of items.entries()) {
    for (let start = first; start < end; start += 1) {
      if (!wanted.startsWith(page.text.slice(start, end)) || !endsWhole(page, start)) continue;
      const others = follow(index + 1, end - start);
      if (others) return [[start, end], ...others];
    }
  }
  return null;
}

function find(page: Folded, wanted: string, nth: number): Stretch[] {
  const at = indexOfWhole(page, wanted, nth);
  if (at !== -1) return [[at, at + wanted.length]];
  return findAcrossColumns(page, wanted) ?? [];
}

/**
 * Finds a quote in the text items of a page, where its words may be cut into any number of items
 * and stand with other white space and hyphens than in the quote, and with another column's lines
 * between them. Answers the place after as many others, as one range for each item it touches, or no
 * ranges when the quote is not there.
 */
export function locateQuote(items: readonly string[], quote: string, nth = 0): QuoteRange[] {
  const wanted = fold([quote]);
  if (wanted.text === '') return [];
  const page = fold(items);

  const ranges: (Omit<QuoteRange, 'text'> & { from: number })[] = [];
  let unit = 0;
  for (const [first, beyond] of find(page, wanted.text, nth)) {
    for (let at = first; at < beyond; at += 1, unit += 1) {
      const { item, start, end } = page.sources[at]!;
      const last = ranges.at(-1);
      if (last?.item === item) last.end = end;
      else ranges.push({ item, start, end, from: wanted.sources[unit]!.start });
    }
  }
  return ranges.map(({ item, start, end, from }, index) => ({
    item,
    start,
    end,
    text: quote.slice(index === 0 ? 0 : from, ranges[index + 1]?.from).replace(/\s+/gu, ' '),
  }));
}
