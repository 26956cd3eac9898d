import type { FormatInput } from '../format.ts';
import { mayHaveNotes, notesOf, type PageNotes } from './annotations.ts';
import { blocksOf, bodySizeOf, createSizeCount } from './blocks.ts';
import { damagedPdf, openPdf, type PdfDocument } from './engine.ts';
import { inReadingOrder } from './columns.ts';
import { createVocabulary } from './hyphens.ts';
import { linesOf, type PdfItem, type PdfLine } from './lines.ts';
import { outlineOf } from './outline.ts';
import { isGarbage, needsRecognition } from './pictures.ts';
import { recognizedText, squeezed, writeRecognized } from './recognized.ts';
import { createHeaderFinder, PAGES_COMPARED } from './headers-and-footers.ts';
import { cleanTitle } from '../text-builder.ts';
import type { Extraction, RecognizedPage, Supplements } from '../types.ts';

const MAX_PAGES = 5000;
/** Pages that PDF.js parses ahead. */
const PAGES_AHEAD = 4;
/** Pages read before one is written, for font size, headers and footers. */
const PAGES_BUFFERED = Math.max(8, PAGES_COMPARED);

interface PageText extends PageNotes {
  number: number;
  /** In reading order. Empty if the text layer is meaningless. */
  lines: PdfLine[];
  needsRecognition: boolean;
}

/** PDF: text by page. Scanned pages by recognized text. */
export async function read(input: FormatInput): Promise<Extraction> {
  const { bytes, ownBytes, builder, keyring } = input;
  // Before PDF.js takes the buffer.
  const notes = mayHaveNotes(bytes);
  const { document, cut, lost, close } = await openPdf(
    ownBytes ? bytes : new Uint8Array(bytes),
    keyring,
  );
  try {
    const title = await titleOf(document);
    const failed = await readPages(document, input, { notes, lost });
    if (cut) builder.note('This PDF is damaged or incomplete. Engram read what it could.');
    if (failed.length > 0) builder.note(`${pageList(failed)} could not be read.`);
    if (failed.length === document.numPages) throw damagedPdf();
    return builder.finish({ title, parts: document.numPages });
  } finally {
    await close();
  }
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

function recognizedPages(supplements: Supplements): Map<number, RecognizedPage | string> {
  const recognized = (supplements.pages ?? []).filter(({ path }) => path === undefined);
  return new Map(recognized.map((page) => [page.page, 'missing' in page ? page.missing : page]));
}

async function readPages(
  document: PdfDocument,
  { builder, supplements, onProgress }: FormatInput,
  { notes, lost }: { notes: boolean; lost: ReadonlySet<number> },
): Promise<number[]> {
  const recognized = recognizedPages(supplements);
  const write = await createPageWriter(document, builder, recognized);
  const failed: number[] = [];
  const last = Math.min(document.numPages, MAX_PAGES);
  const ahead = new Map<number, Promise<PageText | null>>();
  for (let number = 1; number <= last && !builder.full; number += 1) {
    for (let next = number; next <= Math.min(last, number + PAGES_AHEAD); next += 1) {
      if (lost.has(next) || ahead.has(next)) continue;
      ahead.set(next, readPage(document, next, { notes, isKnown: recognized.has(next) }));
    }
    const page = (await ahead.get(number)) ?? null;
    ahead.delete(number);
    if (page === null) failed.push(number);
    else write.take(page);
    onProgress(Math.round((number / last) * 100));
  }
  await Promise.all(ahead.values());
  write.end();
  if (document.numPages > MAX_PAGES) {
    builder.note(`Only the first ${MAX_PAGES.toLocaleString('en-US')} pages were read.`);
  }
  return failed;
}

/** Null if the page is unreadable. */
async function readPage(
  document: PdfDocument,
  number: number,
  { notes, isKnown }: { notes: boolean; isKnown: boolean },
): Promise<PageText | null> {
  try {
    const page = await document.getPage(number);
    const [{ items }, pageNotes] = await Promise.all([
      page.getTextContent(),
      notes ? notesOf(page) : { fields: [], comments: [] },
    ]);
    const texts = items.filter((item) => 'str' in item) as PdfItem[];
    const isReadable = !isGarbage(texts.map(({ str }) => str).join(' '));
    const letters = texts.reduce((sum, { str }) => sum + str.trim().length, 0);
    const needsOcr = !isKnown && (await needsRecognition(page, isReadable ? letters : null));
    page.cleanup();
    const lines = isReadable ? inReadingOrder(linesOf(texts)) : [];
    return { number, lines, needsRecognition: needsOcr, ...pageNotes };
  } catch {
    return null;
  }
}

async function createPageWriter(
  document: PdfDocument,
  builder: FormatInput['builder'],
  recognized: ReadonlyMap<number, RecognizedPage | string>,
): Promise<{ take(page: PageText): void; end(): void }> {
  const outline = await outlineOf(document);
  const unplaced = outline.get(0) ?? [];
  const sizes = createSizeCount();
  const words = createVocabulary();
  const running = createHeaderFinder(document.numPages);
  const waiting: PageText[] = [];
  const missing = new Map<string, number[]>();

  const writeText = (
    { number, lines, fields, comments }: PageText,
    remaining: PageText['lines'],
  ): void => {
    const { first, repeated } = running.of(number);
    const style = {
      bodySize: bodySizeOf(lines, sizes.usual()),
      bookmarks: [...(outline.get(number) ?? []), ...unplaced],
      running: new Set(first),
      words,
    };
    const isComplete = remaining.length === lines.length && repeated.length === 0;
    const visible = isComplete ? lines : remaining.filter((line) => !repeated.includes(line));
    const location = { page: number };
    for (const block of blocksOf(visible, style)) {
      if (block.kind === 'heading') builder.heading(block.level, block.text, location);
      else builder.block(block.kind, block.text, location);
    }
    for (const line of [...fields, ...comments]) builder.block('prose', line, location);
  };

  const write = (page: PageText): void => {
    const result = recognized.get(page.number);
    if (page.needsRecognition && result === undefined)
      builder.request({ kind: 'page', page: page.number });
    if (typeof result === 'string') {
      missing.set(result, [...(missing.get(result) ?? []), page.number]);
    }
    if (typeof result !== 'object') {
      writeText(page, page.lines);
      return;
    }
    // A recognized page often repeats its text layer.
    const known = recognizedText(result);
    writeText(
      page,
      page.lines.filter(({ text }) => !known.includes(squeezed(text))),
    );
    writeRecognized(builder, result, { page: page.number });
  };

  return {
    take(page) {
      sizes.add(page.lines);
      running.add(page.number, page.lines);
      words.add(page.lines.map(({ text }) => text));
      waiting.push(page);
      if (waiting.length > PAGES_BUFFERED) write(waiting.shift() as PageText);
    },
    end() {
      for (const page of waiting.splice(0)) write(page);
      for (const [reason, pages] of missing) builder.note(missingNote(pages, reason));
    },
  };
}

function missingNote(pages: number[], why: string): string {
  const images = pages.length === 1 ? 'is an image' : 'are images';
  return `${pageList(pages)} ${images} that could not be read: ${why}`;
}

function pageList(pages: number[]): string {
  const listed = pages.slice(0, 10).join(', ');
  const more = pages.length > 10 ? ` and ${pages.length - 10} more` : '';
  return `${pages.length === 1 ? 'Page' : 'Pages'} ${listed}${more}`;
}
