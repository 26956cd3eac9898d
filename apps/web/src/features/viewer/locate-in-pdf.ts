import type { PDFDocumentProxy } from 'pdfjs-dist';
import { locateQuote, type QuoteRange } from './locate-quote.ts';

/** The ranges of a quote by the number of the page they stand on. */
export type PdfQuote = ReadonlyMap<number, QuoteRange[]>;

/** The strings of a page's text layer, in its order. */
async function textItems(document: PDFDocumentProxy, page: number): Promise<string[]> {
  const { items } = await (await document.getPage(page)).getTextContent();
  return items.flatMap((item) => ('str' in item ? [item.str] : []));
}

/** Finds a quote on a page, the one after as many others, or where it begins there and ends on the next one. */
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
