import { Center, Group } from '@mantine/core';
import type { Citation } from '@engram/contract';
import { useElementSize, useMergedRef } from '@mantine/hooks';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
} from 'react';
import { locateInPdf, type PdfQuote } from '../locate-in-pdf.ts';
import { locateOnScan, type ScanQuote } from '../locate-on-scan.ts';
import { openPdf } from '../pdf-document.ts';
import { onKeys, useZoom, zoomKeys } from '../use-zoom.ts';
import { PdfPage, type PageSize } from './pdf-page.tsx';
import { Desk } from './desk.tsx';
import { Stepper, ZoomTools } from './viewer-tools.tsx';
import classes from './viewer.module.css';
import { ViewerFailure, ViewerNote, ViewerSkeleton } from './viewer-states.tsx';

interface PdfViewProps {
  /** A quote that stands on a page. */
  citation: Citation;
  /** How often the quote's letters stand before it on the page. */
  nth: number;
  /** A signed link to the bytes. */
  url: string;
  /** What stands on the left of the toolbar. */
  toolbarStart: ReactNode;
  /** Called to get a new link after the PDF could not be read by this one. */
  onRetry: () => void;
}

interface OpenedPdf {
  document: PDFDocumentProxy;
  /** The cited page's own size: most pages of a document are alike. */
  expected: PageSize;
  page: number;
  /** The quote in the text that the pages hold themselves. */
  located: PdfQuote;
  /** The quote on pages that are pictures. */
  scanned: ScanQuote;
}

type PdfState =
  | { status: 'opening' }
  | { status: 'failed'; error: unknown }
  | { status: 'opened'; pdf: OpenedPdf };

async function readCitedPage(
  document: PDFDocumentProxy,
  { citation, nth }: Pick<PdfViewProps, 'citation' | 'nth'>,
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

function usePdf({ url, citation, nth }: Pick<PdfViewProps, 'url' | 'citation' | 'nth'>): {
  state: PdfState;
  fail: (error: unknown) => void;
} {
  const queries = useQueryClient();
  // The link is signed anew while the file is read; that is no reason to open the same file again.
  const [opened] = useState(url);
  const [document, setDocument] = useState<PDFDocumentProxy | null>(null);
  const [state, setState] = useState<PdfState>({ status: 'opening' });
  const fail = useCallback((error: unknown) => setState({ status: 'failed', error }), []);
  useEffect(() => {
    const task = openPdf(opened);
    let gone = false;
    task.promise.then(
      (pdf) => {
        if (!gone) setDocument(pdf);
      },
      (error: unknown) => {
        if (!gone) fail(error);
      },
    );
    return () => {
      gone = true;
      // Giving up a PDF that could not be opened fails the same way once more.
      task.destroy().catch(() => undefined);
    };
  }, [opened, fail]);
  useEffect(() => {
    if (!document) return undefined;
    let gone = false;
    readCitedPage(document, { citation, nth }, queries).then(
      (pdf) => {
        if (!gone) setState({ status: 'opened', pdf });
      },
      (error: unknown) => {
        if (!gone) fail(error);
      },
    );
    return () => {
      gone = true;
    };
  }, [document, citation, nth, queries, fail]);
  return { state, fail };
}

/** PDF.js names what went wrong by the error's name; its messages are not for readers. */
function sentenceOf(error: unknown): Error {
  const name = error instanceof Error ? error.name : '';
  if (name === 'PasswordException') {
    return new Error('This PDF is password-protected. Choose Text to see what was read of it.');
  }
  if (name === 'InvalidPDFException') {
    return new Error('This PDF is damaged. Choose Text to see what was read of it.');
  }
  return new Error('Its bytes could not be fetched. Check your connection and try again.');
}

/** A PDF at its cited page, with the quote marked. */
export function PdfView(props: PdfViewProps) {
  const { state, fail } = usePdf(props);
  if (state.status === 'opening') return <ViewerSkeleton />;
  if (state.status === 'failed') {
    return (
      <>
        <div className={classes.toolbar}>{props.toolbarStart}</div>
        <ViewerFailure
          error={sentenceOf(state.error)}
          quote={props.citation.quote}
          onRetry={props.onRetry}
        />
      </>
    );
  }
  return (
    <Pages
      pdf={state.pdf}
      quote={props.citation.quote}
      toolbarStart={props.toolbarStart}
      onFailed={fail}
    />
  );
}

/** Pixels around and between pages. */
const GAP = 16;
/** A page is not blown up further than this just because there is room, in CSS pixels. */
const MAX_FIT = 860;

/** Shown smaller than this, print is hard to read. */
const READABLE = 0.75;

/** Keeps what is in the middle of the window there when all pages change their size; null before they have one. */
function useKeptMiddle(
  scroller: RefObject<HTMLElement | null>,
  scale: number | null,
  virtualizer: Pick<Virtualizer<HTMLElement, Element>, 'measure' | 'scrollToOffset'>,
): void {
  const before = useRef(scale);
  useLayoutEffect(() => {
    const element = scroller.current;
    const ratio = scale && before.current ? scale / before.current : 1;
    before.current = scale;
    if (!element || ratio === 1) return;
    const { scrollTop, scrollLeft, clientHeight, clientWidth } = element;
    virtualizer.measure();
    // The pages have their new size once they are laid out.
    requestAnimationFrame(() => {
      virtualizer.scrollToOffset((scrollTop + clientHeight / 2) * ratio - clientHeight / 2);
      element.scrollLeft = (scrollLeft + clientWidth / 2) * ratio - clientWidth / 2;
    });
  }, [scroller, scale, virtualizer]);
}

interface PagesProps {
  pdf: OpenedPdf;
  quote: string;
  toolbarStart: ReactNode;
  onFailed: (error: unknown) => void;
}

function Pages({ pdf, quote, toolbarStart, onFailed }: PagesProps) {
  const { document, expected, located, scanned } = pdf;
  const zoom = useZoom();
  const { ref: sizeRef, width } = useElementSize<HTMLElement>();
  const scroller = useRef<HTMLElement>(null);
  const ref = useMergedRef(sizeRef, scroller);
  const fit = Math.min(Math.max(width - 2 * GAP, 200), MAX_FIT) / expected.width;
  const scale = fit * zoom.factor;
  const measured = width > 0;
  // Pages are laid out once they have the size that they open at: growing, they would move the quote.
  const [ready, setReady] = useState(false);

  // No compiler memoizes this code, so the virtualizer's functions cannot go stale.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    // Sizes guessed before the window has a width would be kept, and the last page be out of reach.
    count: ready ? document.numPages : 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => expected.height * scale + GAP,
    paddingStart: GAP,
    overscan: 1,
  });
  const goTo = useCallback(
    (page: number) =>
      virtualizer.scrollToIndex(Math.min(Math.max(page, 1), document.numPages) - 1, {
        align: 'start',
      }),
    [virtualizer, document],
  );

  const current = virtualizer.getVirtualItemForOffset(
    (virtualizer.scrollOffset ?? 0) + (virtualizer.scrollRect?.height ?? 0) / 3,
  );
  const page = (current?.index ?? 0) + 1;
  useEffect(() => {
    if (ready) goTo(pdf.page);
  }, [ready, goTo, pdf]);
  const { growTo } = zoom;
  useEffect(() => {
    if (!measured) return;
    // On a phone a whole page is too small to be read: it opens at the size of its print.
    if (quote !== '' && fit < READABLE) growTo(1 / fit);
    setReady(true);
    // Only as it opens: afterwards the size is the reader's.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [measured]);
  useKeptMiddle(scroller, ready ? scale : null, virtualizer);

  const shown = useRef<OpenedPdf>(null);
  const onMarked = useCallback(
    (mark: HTMLElement) => {
      if (shown.current === pdf) return;
      shown.current = pdf;
      mark.scrollIntoView({ block: 'center', inline: 'nearest' });
    },
    [pdf],
  );

  const keys = {
    ...zoomKeys(zoom),
    n: () => goTo(page + 1),
    p: () => goTo(page - 1),
    Home: () => goTo(1),
    End: () => goTo(document.numPages),
  };

  return (
    <>
      <div className={classes.toolbar}>
        {toolbarStart}
        <Group ml="auto" gap={0} wrap="nowrap">
          <Stepper noun="page" current={page} total={document.numPages} onGo={goTo} />
          <ZoomTools zoom={zoom} />
        </Group>
      </div>
      {quote !== '' && located.size === 0 && scanned.size === 0 && (
        <ViewerNote>The quote stands on this page, but could not be marked: “{quote}”</ViewerNote>
      )}
      <Desk ref={ref} label="Pages of the file" onKeyDown={onKeys(keys)}>
        <div
          className={classes.rows}
          style={{ height: virtualizer.getTotalSize(), minWidth: expected.width * scale + 2 * GAP }}
        >
          {virtualizer.getVirtualItems().map(({ index, key, start }) => (
            <Center
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              className={classes.row}
              pb={GAP}
              style={{ transform: `translateY(${start}px)` }}
            >
              <PdfPage
                document={document}
                number={index + 1}
                scale={scale}
                expected={expected}
                ranges={located.get(index + 1)}
                boxes={scanned.get(index + 1)}
                quote={quote}
                onMarked={onMarked}
                onFailed={onFailed}
              />
            </Center>
          ))}
        </div>
      </Desk>
    </>
  );
}
