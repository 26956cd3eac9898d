import { createCanvas } from '@napi-rs/canvas';
import { ExtractionError } from '../errors.ts';
import { createKeyring, type Keyring } from '../keyring.ts';
import { openPdf, type OpenPdf, type PdfPage } from './engine.ts';

type RenderOptions = Parameters<PdfPage['render']>[0];

/** Resolution for recognizing small print, in dpi. */
const RESOLUTION = 300;
const POINTS_PER_INCH = 72;
const MAX_PICTURE_SIDE = 10_000;
/** JPEG quality. Recognition is as good as with PNG at a tenth of the size. */
const QUALITY = 90;

let last: { bytes: Uint8Array; pdf: Promise<OpenPdf> } | null = null;
let queue: Promise<unknown> = Promise.resolve();

/**
 * Draws a page as a JPEG of 300 dpi or up to `maxPixels`, one page at a time. The document stays open
 * for its next page. Throws {@link ExtractionError}.
 */
export function renderPage(
  bytes: Uint8Array,
  page: number,
  { maxPixels, keyring = createKeyring() }: { maxPixels: number; keyring?: Keyring },
): Promise<Uint8Array> {
  const drawn = queue.then(async () => drawPage(await openCached(bytes, keyring), page, maxPixels));
  queue = drawn.catch(() => undefined);
  return drawn;
}

async function openCached(bytes: Uint8Array, keyring: Keyring): Promise<OpenPdf> {
  if (last?.bytes !== bytes) {
    const previous = last;
    // PDF.js takes the buffer, which belongs to the caller.
    last = { bytes, pdf: openPdf(new Uint8Array(bytes), keyring, { pictures: true }) };
    const pdf = await previous?.pdf.catch(() => null);
    await pdf?.close();
  }
  return last.pdf;
}

async function drawPage(
  { document }: OpenPdf,
  number: number,
  maxPixels: number,
): Promise<Uint8Array> {
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
    // Shared fonts and pictures accumulate.
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
    // Frees memory outside of the heap without waiting for the garbage collector.
    canvas.width = 1;
    canvas.height = 1;
  }
}

/** Scale from points to pixels. */
export function scaleFor(width: number, height: number, maxPixels: number): number {
  const scale = RESOLUTION / POINTS_PER_INCH;
  const byArea = Math.sqrt(Math.max(1, maxPixels) / Math.max(1, width * height));
  const bySide = MAX_PICTURE_SIDE / Math.max(1, width, height);
  return Math.min(scale, byArea, bySide);
}
