import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { bufferOf } from '../bytes.ts';
import { ExtractionError } from '../errors.ts';
import { type Keyring, PasswordFits } from '../keyring.ts';
import { rebuildPdf } from './recovery.ts';

export type PdfDocument = PDFDocumentProxy;
export type PdfPage = PDFPageProxy;
export type PdfEngine = typeof import('pdfjs-dist/legacy/build/pdf.mjs');

/** Fonts, character maps and decoders of PDF.js. */
const DATA_FOLDER = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));

const OPTIONS = {
  verbosity: 0,
  stopAtErrors: false,
  enableXfa: false,
  disableFontFace: true,
  useSystemFonts: true,
  cMapUrl: `${DATA_FOLDER}/cmaps/`,
  cMapPacked: true,
  standardFontDataUrl: `${DATA_FOLDER}/standard_fonts/`,
  wasmUrl: `${DATA_FOLDER}/wasm/`,
  iccUrl: `${DATA_FOLDER}/iccs/`,
};

/** Smaller pictures are always decoded, in pixels. */
const SMALL_PICTURE = 4096;

export interface OpenPdf {
  document: PdfDocument;
  /** Whether the end of the file is missing and it was rebuilt. */
  cut: boolean;
  /** Pages that lack fonts or text, from 1. */
  lost: ReadonlySet<number>;
  close(): Promise<void>;
}

let engine: Promise<PdfEngine> | undefined;

export function pdfEngine(): Promise<PdfEngine> {
  return (engine ??= loadEngine());
}

async function loadEngine(): Promise<PdfEngine> {
  // PDF.js finds its worker by a global name that other copies share.
  const globals = globalThis as { pdfjsWorker?: unknown };
  const previous = globals.pdfjsWorker;
  await import('pdfjs-dist/legacy/build/pdf.worker.mjs');
  const pdfjs = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const worker = new pdfjs.PDFWorker();
  await worker.promise;
  worker.destroy();
  globals.pdfjsWorker = previous;
  return pdfjs;
}

/**
 * Opens a PDF, rebuilt if its end is missing. Transfers the buffer. Without `pictures`, large ones are
 * not decoded. Throws {@link ExtractionError}, password_needed or damaged.
 */
export async function openPdf(
  bytes: Uint8Array,
  keyring: Keyring,
  { pictures = false } = {},
): Promise<OpenPdf> {
  const cut = !hasEnd(bytes);
  // A copy for rebuilding, because PDF.js takes the buffer.
  const copy = cut ? bytes.slice() : null;
  try {
    return { ...(await open(bytes, keyring, pictures)), cut, lost: new Set() };
  } catch (error) {
    if (copy === null || !(error instanceof ExtractionError) || error.code !== 'damaged') {
      throw error;
    }
    const rebuilt = rebuildPdf(copy);
    if (rebuilt === null) throw error;
    return { ...(await open(rebuilt.bytes, keyring, pictures)), cut: true, lost: rebuilt.lost };
  }
}

/** Whether the file has an end marker near its end. */
function hasEnd(bytes: Uint8Array): boolean {
  return bufferOf(bytes.subarray(-4096)).includes('%%EOF');
}

async function open(
  bytes: Uint8Array,
  keyring: Keyring,
  pictures: boolean,
): Promise<Pick<OpenPdf, 'document' | 'close'>> {
  const { getDocument } = await pdfEngine();
  const task = getDocument({
    data: bytes,
    ...OPTIONS,
    ...(pictures ? {} : { maxImageSize: SMALL_PICTURE }),
  });
  const passwords = keyring.attempts();
  let password: string | undefined;
  let refusal: ExtractionError | undefined;
  task.onPassword = (answer: (password: string) => void): void => {
    const next = passwords.next();
    // PDF.js replaces an error that is thrown here.
    if (next.done) throw (refusal = keyring.refuse('This PDF is password-protected.'));
    password = next.value;
    answer(password);
  };
  try {
    const document = await task.promise;
    if (document.numPages < 1) throw damagedPdf();
    if (password !== undefined) keyring.accept(password);
    return { document, close: () => task.destroy() };
  } catch (error) {
    await task.destroy();
    if (refusal !== undefined) throw refusal;
    throw error instanceof ExtractionError || error instanceof PasswordFits
      ? error
      : damagedPdf(error);
  }
}

export function damagedPdf(cause?: unknown): ExtractionError {
  return new ExtractionError('damaged', 'This PDF is damaged and cannot be opened.', { cause });
}
