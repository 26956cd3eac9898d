import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';
import { ExtractionError } from '../errors.ts';
import type { Format, FormatInput } from '../format.ts';
import { blocksOf, createSizeCount, titleKey } from '../pdf-blocks.ts';
import { linesOf, untangleColumns } from '../pdf-lines.ts';
import type { PdfItem, PdfLine } from '../pdf-lines.ts';
import { cleanTitle } from '../text-builder.ts';
import type { Extraction } from '../types.ts';

/** Pages read at most. */
const MAX_PAGES = 5000;
/** Pages asked for ahead: PDF.js parses them while the last one is put together. */
const PAGES_AHEAD = 4;
/** Pages looked at before the usual font size is believed. */
const STYLE_PAGES = 8;
const MAX_OUTLINE = 2000;

/** Tables that PDF.js needs for text in Chinese, Japanese and Korean fonts that are not embedded. */
const DATA_FOLDER = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
const OPTIONS = {
  verbosity: 0,
  isEvalSupported: false,
  disableFontFace: true,
  stopAtErrors: false,
  cMapUrl: `${DATA_FOLDER}/cmaps/`,
  cMapPacked: true,
  standardFontDataUrl: `${DATA_FOLDER}/standard_fonts/`,
};

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;

/** PDF by its text layer: pages with paragraphs, headings, lists and tables. */
export const pdf: Format = {
  type: 'pdf',
  read,
  async preload() {
    await getResolvedPDFJS();
  },
};

async function read(input: FormatInput): Promise<Extraction> {
  const { bytes, ownBytes, builder } = input;
  // Noted before the bytes are handed over: PDF.js takes the buffer away.
  const signs = readSigns(bytes);
  const document = await open(ownBytes ? bytes : new Uint8Array(bytes));
  try {
    const title = await titleOf(document);
    const { empty, failed } = await readPages(document, input);
    if (signs.cut) builder.note('This PDF is cut off or damaged; what could be read was read.');
    if (failed.length > 0) builder.note(`${pageList(failed)} could not be read.`);
    const count = document.numPages;
    if (failed.length === count) throw damagedPdf();
    if (signs.images && empty.length > 0) builder.note(imageNote(empty, count - failed.length));
    return builder.finish({ title, parts: count });
  } finally {
    await document.loadingTask.destroy();
  }
}

async function open(bytes: Uint8Array): Promise<PdfDocument> {
  try {
    const document = await getDocumentProxy(bytes, OPTIONS);
    if (document.numPages < 1) throw damagedPdf();
    return document;
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') {
      throw new ExtractionError('encrypted', 'This PDF is password-protected.', { cause: error });
    }
    throw error instanceof ExtractionError ? error : damagedPdf(error);
  }
}

function damagedPdf(cause?: unknown): ExtractionError {
  return new ExtractionError('damaged', 'This PDF is damaged and cannot be opened.', { cause });
}

/** What the bytes tell: whether the end is missing, and whether there are pictures. */
function readSigns(bytes: Uint8Array): { cut: boolean; images: boolean } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const images = ['/Subtype/Image', '/Subtype /Image', '\nBI\n', '\nBI '].some((sign) =>
    buffer.includes(sign),
  );
  return { cut: !buffer.subarray(-4096).includes('%%EOF'), images };
}

async function titleOf(document: PdfDocument): Promise<string | null> {
  try {
    const { info } = await document.getMetadata();
    const title = cleanTitle((info as Record<string, unknown>)['Title']);
    return title === null || /^(?:untitled|microsoft \w+ - )/i.test(title) ? null : title;
  } catch {
    return null;
  }
}

async function outlineOf(document: PdfDocument): Promise<Map<string, number>> {
  const titles = new Map<string, number>();
  try {
    let level: { title: string; items: unknown[] }[] = (await document.getOutline()) ?? [];
    for (let depth = 1; level.length > 0 && depth <= 6 && titles.size < MAX_OUTLINE; depth += 1) {
      for (const { title } of level) {
        const key = titleKey(title);
        if (key.length > 2 && !titles.has(key)) titles.set(key, depth);
      }
      level = level.flatMap((entry) => entry.items as typeof level);
    }
  } catch {
    // A broken outline costs the headings it would have told, and nothing else.
    titles.clear();
  }
  return titles;
}

async function readPages(
  document: PdfDocument,
  { builder, onProgress }: FormatInput,
): Promise<{ empty: number[]; failed: number[] }> {
  const outline = await outlineOf(document);
  const fields = await fieldsOf(document);
  const sizes = createSizeCount();
  const empty: number[] = [];
  const failed: number[] = [];
  const last = Math.min(document.numPages, MAX_PAGES);
  const waiting: { number: number; lines: PdfLine[] }[] = [];

  const write = (): void => {
    const style = { bodySize: sizes.usual(), outline };
    for (const { number, lines } of waiting.splice(0)) {
      const location = { page: number };
      for (const block of blocksOf(lines, style)) {
        if (block.kind === 'heading') builder.heading(block.level, block.text, location);
        else builder.block(block.kind, block.text, location);
      }
      for (const line of fields.get(number) ?? []) builder.block('prose', line, location);
    }
  };

  const ahead = new Map<number, Promise<PdfLine[] | null>>();
  for (let number = 1; number <= last && !builder.full; number += 1) {
    for (let next = number; next <= Math.min(last, number + PAGES_AHEAD); next += 1) {
      if (!ahead.has(next)) ahead.set(next, readPage(document, next));
    }
    const lines = (await ahead.get(number)) ?? null;
    ahead.delete(number);
    if (lines === null) failed.push(number);
    else {
      if (lines.length === 0 && !fields.has(number)) empty.push(number);
      sizes.add(lines);
      waiting.push({ number, lines });
    }
    if (number >= STYLE_PAGES || number === last) write();
    onProgress(Math.round((number / last) * 100));
  }
  await Promise.all(ahead.values());
  if (document.numPages > MAX_PAGES) {
    builder.note(`Only the first ${MAX_PAGES.toLocaleString('en-US')} pages were read.`);
  }
  return { empty, failed };
}

/** A page's lines; null when this page cannot be read. */
async function readPage(document: PdfDocument, number: number): Promise<PdfLine[] | null> {
  try {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const texts = items.filter((item) => 'str' in item) as PdfItem[];
    page.cleanup();
    return untangleColumns(linesOf(texts));
  } catch {
    return null;
  }
}

/** What was filled into the fields of a form, by page: it is no part of the pages' own text. */
async function fieldsOf(document: PdfDocument): Promise<Map<number, string[]>> {
  const byPage = new Map<number, string[]>();
  try {
    const objects = ((await document.getFieldObjects()) ?? {}) as Record<string, unknown[]>;
    for (const field of Object.values(objects).flat() as Record<string, unknown>[]) {
      const { value, page, name, type } = field;
      if (typeof value !== 'string' || value.trim() === '' || typeof page !== 'number') continue;
      if (type !== 'text' && type !== 'combobox' && type !== 'listbox') continue;
      const label = typeof name === 'string' && name !== '' ? `${name}: ` : '';
      byPage.set(page + 1, [...(byPage.get(page + 1) ?? []), `${label}${value}`]);
    }
  } catch {
    // A broken form costs what was filled in; the pages are still read.
    byPage.clear();
  }
  return byPage;
}

function imageNote(empty: number[], readable: number): string {
  if (empty.length < readable) return `${pageList(empty)} may be images, which are not read yet.`;
  return 'The pages of this PDF are images, which are not read yet.';
}

function pageList(pages: number[]): string {
  const shown = pages.slice(0, 10).join(', ');
  const more = pages.length > 10 ? ` and ${pages.length - 10} more` : '';
  return `${pages.length === 1 ? 'Page' : 'Pages'} ${shown}${more}`;
}
