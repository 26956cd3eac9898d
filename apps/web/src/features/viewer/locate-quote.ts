import type { PDFDocumentProxy } from 'pdfjs-dist';

/** A range of one text item that belongs to a quote. */
interface QuoteRange {
  item: number;
  start: number;
  end: number;
  /** The part of the quote in this range, with collapsed white space. All texts together are the quote. */
  text: string;
}

interface Folded {
  text: string;
  /** For each UTF-16 unit of `text`, its item and the offsets of its character. */
  sources: { item: number; start: number; end: number }[];
}

/** White space and hyphens, which line breaks add or remove. */
const IGNORED = /[\s\p{Cf}\p{Pd}]/u;

/** The compared characters, in compatibility form, so that a ligature equals its letters. */
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

/** The offset of the nth occurrence of a text, or else of the last one. */
function indexOfWhole(page: Folded, quote: string, nth: number): number {
  let found = -1;
  let remaining = nth;
  for (let at = page.text.indexOf(quote); at !== -1; at = page.text.indexOf(quote, at + 1)) {
    if (!endsWhole(page, at) || !endsWhole(page, at + quote.length)) continue;
    found = at;
    if (remaining === 0) break;
    remaining -= 1;
  }
  return found;
}

type TextRange = [start: number, end: number];

/** Maximum items between two lines of one column, if a page is drawn line by line across columns. */
const MAX_SKIPPED = 24;

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
 * Finds a quote whose lines are in order, but with lines of another column between them. Each piece
 * after the first is a whole item, except for the last one.
 */
function findAcrossColumns(page: Folded, quote: string): TextRange[] | null {
  const items = rangesOf(page);
  const failed = new Set<string>();

  const matchFrom = (first: number, at: number): TextRange[] | null => {
    const rest = quote.slice(at);
    if (rest === '') return [];
    if (failed.has(`${first} ${at}`)) return null;
    for (let index = first; index < Math.min(first + MAX_SKIPPED, items.length); index += 1) {
      const [start, end] = items[index]!;
      const text = page.text.slice(start, end);
      const length = Math.min(text.length, rest.length);
      if (text.slice(0, length) !== rest.slice(0, length) || !endsWhole(page, start + length)) {
        continue;
      }
      const others = matchFrom(index + 1, at + length);
      if (others) return [[start, start + length], ...others];
    }
    failed.add(`${first} ${at}`);
    return null;
  };

  for (const [index, [first, end]] of items.entries()) {
    for (let start = first; start < end; start += 1) {
      if (!quote.startsWith(page.text.slice(start, end)) || !endsWhole(page, start)) continue;
      const others = matchFrom(index + 1, end - start);
      if (others) return [[start, end], ...others];
    }
  }
  return null;
}

function findRanges(page: Folded, quote: string, nth: number): TextRange[] {
  const at = indexOfWhole(page, quote, nth);
  if (at !== -1) return [[at, at + quote.length]];
  return findAcrossColumns(page, quote) ?? [];
}

/**
 * Finds the nth occurrence of a quote in the text items of a page. The quote may be split over items,
 * have other white space and hyphens, and be interrupted by lines of another column. Returns one range
 * per item, or none if the quote is not found.
 */
export function locateQuote(items: readonly string[], quote: string, nth = 0): QuoteRange[] {
  const foldedQuote = fold([quote]);
  if (foldedQuote.text === '') return [];
  const page = fold(items);

  const ranges: (Omit<QuoteRange, 'text'> & { from: number })[] = [];
  let unit = 0;
  for (const [first, limit] of findRanges(page, foldedQuote.text, nth)) {
    for (let at = first; at < limit; at += 1, unit += 1) {
      const { item, start, end } = page.sources[at]!;
      const last = ranges.at(-1);
      if (last?.item === item) last.end = end;
      else ranges.push({ item, start, end, from: foldedQuote.sources[unit]!.start });
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

/** Finds the nth occurrence of a quote on a page, or one that continues on the next page. */
export async function locateInPdf(
  document: PDFDocumentProxy,
  page: number,
  quote: string,
  nth: number,
): Promise<PdfQuote> {
  const items = await textItems(document, page);
  const onPage = locateQuote(items, quote, nth);
  if (onPage.length > 0) return new Map([[page, onPage]]);
  if (page >= document.numPages) return new Map();

  const both = locateQuote([...items, ...(await textItems(document, page + 1))], quote);
  const onNext = both.filter(({ item }) => item >= items.length);
  for (const range of onNext) range.item -= items.length;
  return new Map(
    [
      [page, both.filter((range) => !onNext.includes(range))] as const,
      [page + 1, onNext] as const,
    ].filter(([, ranges]) => ranges.length > 0),
  );
}

/**
 * Marks ranges in a PDF's invisible text layer. A mark has the quote's text, so that copied text has the
 * right white space and hyphens.
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
