import { notesOf, type PageNotes } from './annotations.ts';
import { inReadingOrder } from './columns.ts';
import type { PdfDocument, PdfEngine, PdfPage } from './engine.ts';
import { linesOf, type PdfLine } from './lines.ts';
import type { PdfItem } from './text.ts';
import { isGarbage, isNextToNothing, isPicture, showOf } from './pictures.ts';

export interface PageText extends PageNotes {
  number: number;
  /** Its lines in reading order; none where the text layer means nothing. */
  lines: PdfLine[];
  /** What it shows has to be recognised. */
  picture: boolean;
}

interface PageReaderOptions {
  notes: boolean;
  lost: ReadonlySet<number>;
  /** Pages of which it is known what they show. */
  known: ReadonlySet<number>;
  ops: PdfEngine['OPS'];
}

const NO_NOTES: PageNotes = { fields: [], comments: [] };

/** A function that reads a page; null when this page cannot be read. */
export function createPageReader(
  document: PdfDocument,
  { notes, lost, known, ops }: PageReaderOptions,
): (number: number) => Promise<PageText | null> {
  return async (number) => {
    if (lost.has(number)) return null;
    try {
      const page = await document.getPage(number);
      const [{ items }, noted] = await Promise.all([
        page.getTextContent(),
        notes ? notesOf(page) : NO_NOTES,
      ]);
      const texts = items.filter((item) => 'str' in item) as PdfItem[];
      const letters = lettersOf(texts);
      const picture = !known.has(number) && (await lacksText(page, letters, ops));
      page.cleanup();
      const lines = letters === null ? [] : inReadingOrder(linesOf(texts));
      return { number, lines, picture, ...noted };
    } catch {
      return null;
    }
  };
}

/** How many letters a page's text layer has; null where they stand for nothing. */
function lettersOf(items: readonly PdfItem[]): number | null {
  let letters = 0;
  for (const { str } of items) letters += str.trim().length;
  return isGarbage(items.map(({ str }) => str).join(' ')) ? null : letters;
}

async function lacksText(
  page: PdfPage,
  letters: number | null,
  ops: PdfEngine['OPS'],
): Promise<boolean> {
  if (letters === null) return true;
  if (!isNextToNothing(letters)) return false;
  try {
    return isPicture(letters, await showOf(page, ops));
  } catch {
    return false;
  }
}
