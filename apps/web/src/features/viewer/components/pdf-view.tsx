import { useElementSize, useMergedRef } from '@mantine/hooks';
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import {
  IconArrowsHorizontal,
  IconChevronDown,
  IconChevronUp,
  IconZoomIn,
  IconZoomOut,
} from '@tabler/icons-react';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import { locateInPdf, type PdfQuote } from '../locate-in-pdf.ts';
import { openPdf } from '../pdf-document.ts';
import { PdfPage, type PageSize } from './pdf-page.tsx';
import classes from './pdf-view.module.css';
import viewerClasses from './source-viewer.module.css';
import { ViewerFailure, ViewerSkeleton } from './viewer-states.tsx';

interface PdfViewProps {
  /** A signed link to the bytes. */
  url: string;
  /** The cited page, counted from 1. */
  page: number;
  quote: string;
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
  located: PdfQuote;
}

type PdfState =
  | { status: 'opening' }
  | { status: 'failed'; error: unknown }
  | { status: 'opened'; pdf: OpenedPdf };

async function readCitedPage(
  document: PDFDocumentProxy,
  page: number,
  quote: string,
): Promise<OpenedPdf> {
  const shown = Math.min(page, document.numPages);
  const { width, height } = (await document.getPage(shown)).getViewport({ scale: 1 });
  const located = await locateInPdf(document, shown, quote);
  return { document, expected: { width, height }, page: shown, located };
}

function usePdf({ url, page, quote }: Pick<PdfViewProps, 'url' | 'page' | 'quote'>): {
  state: PdfState;
  fail: (error: unknown) => void;
} {
  // The link is signed anew while the file is read; that is no reason to open the same file again.
  const [opened] = useState(url);
  const [state, setState] = useState<PdfState>({ status: 'opening' });
  useEffect(() => {
    const task = openPdf(opened);
    let gone = false;
    task.promise
      .then((document) => readCitedPage(document, page, quote))
      .then(
        (pdf) => {
          if (!gone) setState({ status: 'opened', pdf });
        },
        (error: unknown) => {
          if (!gone) setState({ status: 'failed', error });
        },
      );
    return () => {
      gone = true;
      // Giving up a PDF that could not be opened fails the same way once more.
      task.destroy().catch(() => undefined);
    };
  }, [opened, page, quote]);
  const fail = useCallback((error: unknown) => setState({ status: 'failed', error }), []);
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
        <div className={viewerClasses.toolbar}>{props.toolbarStart}</div>
        <ViewerFailure
          error={sentenceOf(state.error)}
          quote={props.quote}
          onRetry={props.onRetry}
        />
      </>
    );
  }
  return (
    <Pages pdf={state.pdf} quote={props.quote} toolbarStart={props.toolbarStart} onFailed={fail} />
  );
}

const ZOOMS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3] as const;
const FIT_WIDTH = 2;
/** Pixels around and between pages. */
const GAP = 16;
/** A page is not blown up further than this just because there is room, in CSS pixels. */
const MAX_FIT = 860;

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
  const { document, expected, located } = pdf;
  const [zoom, setZoom] = useState(FIT_WIDTH);
  const { ref: sizeRef, width } = useElementSize<HTMLElement>();
  const scroller = useRef<HTMLElement>(null);
  const ref = useMergedRef(sizeRef, scroller);
  const fit = Math.min(Math.max(width - 2 * GAP, 200), MAX_FIT) / expected.width;
  const scale = fit * (ZOOMS[zoom] ?? 1);
  const ready = width > 0;

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
  useKeptMiddle(scroller, ready ? scale : null, virtualizer);

  const shown = useRef(false);
  const onMarked = useCallback((mark: HTMLElement) => {
    if (shown.current) return;
    shown.current = true;
    mark.scrollIntoView({ block: 'center', inline: 'nearest' });
  }, []);

  const changeZoom = (by: number): void =>
    setZoom((zoom) => Math.min(Math.max(zoom + by, 0), ZOOMS.length - 1));
  const keys: Record<string, () => void> = {
    '+': () => changeZoom(1),
    '=': () => changeZoom(1),
    '-': () => changeZoom(-1),
    '0': () => setZoom(FIT_WIDTH),
    n: () => goTo(page + 1),
    p: () => goTo(page - 1),
    Home: () => goTo(1),
    End: () => goTo(document.numPages),
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const action = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };

  return (
    <>
      <div className={viewerClasses.toolbar}>
        {toolbarStart}
        <div className={classes.tools}>
          <Tool
            label="Previous page"
            icon={IconChevronUp}
            disabled={page <= 1}
            onClick={() => goTo(page - 1)}
          />
          <output className={classes.position}>
            <span className="eg-visually-hidden">Page </span>
            {page} of {document.numPages}
          </output>
          <Tool
            label="Next page"
            icon={IconChevronDown}
            disabled={page >= document.numPages}
            onClick={() => goTo(page + 1)}
          />
          <Tool
            label="Zoom out"
            icon={IconZoomOut}
            disabled={zoom === 0}
            onClick={() => changeZoom(-1)}
          />
          <Tool
            label="Fit width"
            icon={IconArrowsHorizontal}
            disabled={zoom === FIT_WIDTH}
            onClick={() => setZoom(FIT_WIDTH)}
          />
          <Tool
            label="Zoom in"
            icon={IconZoomIn}
            disabled={zoom === ZOOMS.length - 1}
            onClick={() => changeZoom(1)}
          />
        </div>
      </div>
      {located.size === 0 && (
        <output className={classes.note}>
          The quote stands on this page, but could not be marked: “{quote}”
        </output>
      )}
      {/* The keys only do what the buttons above do. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <section
        ref={ref}
        className={classes.scroller}
        aria-label="Pages of the file"
        // Focusable, so that it can be scrolled and turned by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <div
          className={classes.pages}
          style={{ height: virtualizer.getTotalSize(), minWidth: expected.width * scale + 2 * GAP }}
        >
          {virtualizer.getVirtualItems().map(({ index, key, start }) => (
            <div
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              className={classes.slot}
              style={{ transform: `translateY(${start}px)` }}
            >
              <PdfPage
                document={document}
                number={index + 1}
                scale={scale}
                expected={expected}
                ranges={located.get(index + 1)}
                onMarked={onMarked}
                onFailed={onFailed}
              />
            </div>
          ))}
        </div>
      </section>
    </>
  );
}

interface ToolProps {
  label: string;
  icon: typeof IconZoomIn;
  disabled: boolean;
  onClick: () => void;
}

function Tool({ label, icon: Icon, disabled, onClick }: ToolProps) {
  return (
    <button
      type="button"
      className={classes.tool}
      aria-label={label}
      title={label}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon size={17} stroke={1.8} />
    </button>
  );
}
