import type { Citation } from '@engram/contract';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import {
  getDocument,
  GlobalWorkerOptions,
  type PDFDocumentLoadingTask,
  type PDFDocumentProxy,
  PasswordResponses,
} from 'pdfjs-dist';
// oxlint-disable-next-line import/default
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { useCallback, useEffect, useState } from 'react';
import { locateOnScan, type ScanQuote } from './components/word-boxes.tsx';
import { locateInPdf, type PdfQuote } from './locate-quote.ts';

GlobalWorkerOptions.workerSrc = workerUrl;

// Files that PDFs may need: East Asian character tables, the 14 standard fonts, and decoders for scanned
// pages. Each is loaded from this server on demand.
const assets: Record<string, string> = import.meta.glob(
  [
    '../../../../../node_modules/pdfjs-dist/cmaps/*.bcmap',
    '../../../../../node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}',
    '../../../../../node_modules/pdfjs-dist/wasm/{jbig2,openjpeg}.wasm',
  ],
  { query: '?url', import: 'default', eager: true },
);

class BundledAssets {
  async fetch({ filename }: { filename: string }): Promise<Uint8Array> {
    const asset = Object.entries(assets).find(([path]) => path.endsWith(`/${filename}`));
    if (!asset) throw new Error(`PDF.js asked for ${filename}, which is not bundled.`);
    const response = await fetch(asset[1]);
    if (!response.ok) throw new Error(`${filename} could not be loaded.`);
    return new Uint8Array(await response.arrayBuffer());
  }
}

function openPdf(url: string): PDFDocumentLoadingTask {
  return getDocument({
    url,
    BinaryDataFactory: BundledAssets,
    useWorkerFetch: false,
    disableAutoFetch: true,
    disableStream: true,
    enableXfa: false,
    // Larger pictures would freeze the tab.
    maxImageSize: 100_000_000,
    verbosity: 0,
  });
}

/** Reports the result of a promise, unless the returned function is called before. */
export function whenSettled<T>(
  promise: Promise<T>,
  onDone: (value: T) => void,
  onFailed: (error: unknown) => void,
): () => void {
  let isCancelled = false;
  promise.then(
    (value) => isCancelled || onDone(value),
    (error: unknown) => isCancelled || onFailed(error),
  );
  return () => {
    isCancelled = true;
  };
}

export interface OpenedPdf {
  document: PDFDocumentProxy;
  /** The size of the cited page in CSS pixels, used for all pages until they are loaded. */
  expected: { width: number; height: number };
  page: number;
  located: PdfQuote;
  scanned: ScanQuote;
}

async function readCitedPage(
  document: PDFDocumentProxy,
  citation: Citation,
  nth: number,
  queries: QueryClient,
): Promise<OpenedPdf> {
  const cited = 'page' in citation.location ? Number(citation.location.page) : 1;
  const page = Math.min(cited, document.numPages);
  const { width, height } = (await document.getPage(page)).getViewport({ scale: 1 });
  const located = await locateInPdf(document, page, citation.quote, nth);
  const scanned =
    located.size > 0 || citation.quote === ''
      ? new Map<number, never>()
      : await locateOnScan(queries, citation, [page, page + 1]);
  return { document, expected: { width, height }, page, located, scanned };
}

function readableError(error: unknown): Error {
  const name = error instanceof Error ? error.name : '';
  if (name === 'InvalidPDFException') {
    return new Error('This PDF is damaged. Choose Text to see its extracted text.');
  }
  return new Error('The file could not be loaded. Check your connection and try again.');
}

/** A PDF that waits for its password, which stays in this page. */
export interface PdfLock {
  open: (password: string) => void;
  wasWrong: boolean;
}

/** Opens a PDF and finds the citation in it, after `nth` other occurrences of the quote. */
export function usePdf(url: string, citation: Citation, nth: number) {
  const queries = useQueryClient();
  // The file stays open, as a newly signed link leads to the same file.
  const [opened] = useState(url);
  const [document, setDocument] = useState<PDFDocumentProxy | null>(null);
  const [pdf, setPdf] = useState<OpenedPdf | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [lock, setLock] = useState<PdfLock | null>(null);
  const onFailed = useCallback((reason: unknown) => setError(readableError(reason)), []);
  useEffect(() => {
    const task = openPdf(opened);
    task.onPassword = (answer: (password: string) => void, reason: number): void => {
      const open = (password: string): void => {
        setLock(null);
        answer(password);
      };
      setLock({ open, wasWrong: reason === PasswordResponses.INCORRECT_PASSWORD });
    };
    const cancel = whenSettled(task.promise, setDocument, onFailed);
    return () => {
      cancel();
      // Destroying a PDF that could not be opened fails with the same error.
      task.destroy().catch(() => undefined);
    };
  }, [opened, onFailed]);
  useEffect(() => {
    if (!document) return undefined;
    const onRead = (read: OpenedPdf): void => {
      setPdf(read);
      setError(null);
    };
    return whenSettled(readCitedPage(document, citation, nth, queries), onRead, onFailed);
  }, [document, citation, nth, queries, onFailed]);
  return { pdf, error, lock, onFailed };
}
