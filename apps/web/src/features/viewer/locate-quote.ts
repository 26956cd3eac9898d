import type { PDFDocumentProxy } from 'pdfjs-dist';

/** A range of one text item that belongs to a quote. */
export interface QuoteRange {
  item: number;
  /** UTF-16 offsets in the item's text. */
  start: number;
  end: number;
  /** The part of the quote in this range, with white space collapsed. The texts of all ranges make up the quote. */
  text: string;
}

interface Folded {
  text: string;
  /** For each UTF-16 unit of `text`, the item it came from and the offsets of its character. */
  sources: { item: number; start: number; end: number }[];
}

/** White space and hyphens, which line breaks on a printed page add or remove. */
const IGNORED = /[\s\p{Cf}\p{Pd}]/u;

/** The characters that matter for comparing, in compatibility form, so that a ligature equals its letters. */
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

/** Whether a range ends between characters, so that 'a' is not found inside 'ä'. */
function endsWhole({ text, sources }: Folded, end: number): boolean {
  const [before, after] = [sources[end - 1], sources[end]];
  if (!before || !after) return true;
  const sameCharacter = before.item === after.item && before.start === after.start;
  return !sameCharacter && !/^\p{M}/u.test(text.slice(end, end + 2));
}

/** Where a text occurs for the nth time, or else for the last time. */
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

type TextRange = [start: number, end: number];

/** The number of items between two lines of one column, on pages that are drawn line by line across columns. */
const MAX_SKIPPED = 24;

/** The range of each item with text in the folded text. */
function rangesOf({ sources }: Folded): TextRange[] {
  const ranges: TextRange[] = [];
  sources.forEach(({ item }, at) => {
    const last = ranges.at(-1);
    if (last && sources[last[0]]?.item === item) last[1] = at + 1;
    else ranges.push([at, at + 1]);
  });
  return ranges;
}

/**
 * Finds a text whose lines are in order, but with lines of another column between them. Each
 * further piece is a whole item, except for the last one.
 */
function findAcrossColumns(page: Folded, wanted: string): TextRange[] | null {
  const items = rangesOf(page);
  const failed = new Set<string>();

  const follow = (first: number, at: number): TextRange[] | null => {
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

function find(page: Folded, wanted: string, nth: number): TextRange[] {
  const at = indexOfWhole(page, wanted, nth);
  if (at !== -1) return [[at, at + wanted.length]];
  return findAcrossColumns(page, wanted) ?? [];
}

/**
 * Finds the nth occurrence of a quote in the text items of a page. The quote may be split over any
 * number of items, have other white space and hyphens, and have another column's lines in between.
 * Returns one range for each item, or none if the quote is not found.
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

export type PdfQuote = ReadonlyMap<number, QuoteRange[]>;

async function textItems(document: PDFDocumentProxy, page: number): Promise<string[]> {
  const { items } = await (await document.getPage(page)).getTextContent();
  return items.flatMap((item) => ('str' in item ? [item.str] : []));
}

/** Finds the nth occurrence of a quote on a page, or one that begins there and ends on the next page. */
export async function locateInPdf(
  document: PDFDocumentProxy,
  page: number,
  quote: string,
  nth: number,
): Promise<PdfQuote> {
  const items = await textItems(document, page);
  const here = locateQuote(items, quote, nth);
  if (here.length > 0) return new Map([[page, here]]);
  if (page >= document.numPages) return new Map();

  const both = locateQuote([...items, ...(await textItems(document, page + 1))], quote);
  const there = both.filter(({ item }) => item >= items.length);
  for (const range of there) range.item -= items.length;
  return new Map(
    [
      [page, both.filter((range) => !there.includes(range))] as const,
      [page + 1, there] as const,
    ].filter(([, ranges]) => ranges.length > 0),
  );
}

/**
 * Marks ranges in a PDF's text layer, whose letters are invisible above the drawn ones. A mark has
 * the quote's own text, so that copied text has the right white space and hyphens.
 */
export function markTextLayer(
  spans: readonly HTMLElement[],
  ranges: readonly QuoteRange[],
): HTMLElement[] {
  return ranges.flatMap(({ item, start, end, text }) => {
    const span = spans[item];
    if (!span) return [];
    const whole = span.textContent;
    const mark = document.createElement('mark');
    mark.dataset['testid'] = 'quote';
    mark.textContent = text;
    span.replaceChildren(whole.slice(0, start), mark, whole.slice(end));
    return [mark];
  });
}
