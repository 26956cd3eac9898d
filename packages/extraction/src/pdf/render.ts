import { createCanvas } from '@napi-rs/canvas';
import { ExtractionError } from '../errors.ts';
import { openPdf, type OpenPdf, type PdfPage } from './engine.ts';

type RenderOptions = Parameters<PdfPage['render']>[0];

/** What text in small print needs to be recognised, in dots to the inch. */
const RESOLUTION = 300;
const POINTS_TO_THE_INCH = 72;
/** The longest side of a picture: absurd pages are shown small. */
const MAX_SIDE = 10_000;
/** JPEG, of 100: recognition reads it as well as the picture itself, at a tenth of its size. */
const QUALITY = 90;

let last: { bytes: Uint8Array; pdf: Promise<OpenPdf> } | null = null;
let turn: Promise<unknown> = Promise.resolve();

/**
 * Draws a page as a JPEG of 300 dpi or up to `maxPixels`, one page at a time. The document stays open
 * for its next page. Throws {@link ExtractionError}.
 */
export function renderPage(
  bytes: Uint8Array,
  page: number,
  options: { maxPixels: number },
): Promise<Uint8Array> {
  const drawn = turn.then(() => drawPage(bytes, page, options.maxPixels));
  turn = drawn.catch(() => undefined);
  return drawn;
}

async function opened(bytes: Uint8Array): Promise<OpenPdf> {
  if (last?.bytes !== bytes) {
    const before = last;
    // PDF.js takes a buffer over; the caller's bytes are not ours to give away.
    last = { bytes, pdf: openPdf(new Uint8Array(bytes), { pictures: true }) };
    const pdf = await before?.pdf.catch(() => null);
    await pdf?.close();
  }
  return last.pdf;
}

async function drawPage(bytes: Uint8Array, number: number, maxPixels: number): Promise<Uint8Array> {
  const { document } = await opened(bytes);
  if (!Number.isInteger(number) || number < 1 || number > document.numPages) {
    throw new ExtractionError('damaged', `This PDF has no page ${number}.`);
  }
  const page = await document.getPage(number);
  try {
    return await draw(page, maxPixels);
  } catch (error) {
    throw new ExtractionError('damaged', `Page ${number} could not be drawn.`, { cause: error });
  } finally {
    page.cleanup();
    // Fonts and pictures that pages have in common grow with every page that is drawn.
    await document.cleanup();
  }
}

async function draw(page: PdfPage, maxPixels: number): Promise<Uint8Array> {
  const { width, height } = page.getViewport({ scale: 1 });
  const scale = scaleFor(width, height, maxPixels);
  const viewport = page.getViewport({ scale });
  const canvas = createCanvas(
    Math.max(1, Math.floor(viewport.width)),
    Math.max(1, Math.floor(viewport.height)),
  );
  try {
    await page.render({
      canvas: canvas as unknown as RenderOptions['canvas'],
      viewport,
      intent: 'print',
      background: '#ffffff',
    }).promise;
    return await canvas.encode('jpeg', QUALITY);
  } finally {
    // The picture's memory lies outside the heap, and is not waited for.
    canvas.width = 1;
    canvas.height = 1;
  }
}

/** How many pixels a point becomes, for a page of `width` times `height` points. */
export function scaleFor(width: number, height: number, maxPixels: number): number {
  const wanted = RESOLUTION / POINTS_TO_THE_INCH;
  const byArea = Math.sqrt(Math.max(1, maxPixels) / Math.max(1, width * height));
  const bySide = MAX_SIDE / Math.max(1, width, height);
  return Math.min(wanted, byArea, bySide);
}
