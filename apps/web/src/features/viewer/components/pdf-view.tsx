import type { Citation } from '@engram/contract';
import { Box, Button, Center, Text } from '@mantine/core';
import { useElementSize, useMergedRef } from '@mantine/hooks';
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { TextLayer, type PDFPageProxy } from 'pdfjs-dist';
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type CSSProperties,
  type ReactNode,
  type RefObject,
} from 'react';
import { markTextLayer } from '../locate-quote.ts';
import { PasswordForm } from '../../../components/password-form.tsx';
import { usePdf, whenSettled, type OpenedPdf, type PdfLock } from '../pdf-document.ts';
import pageClasses from './pdf-view.module.css';
import { ViewerFailure, ViewerNote, ViewerSkeleton } from './read-text.tsx';
import {
  onKeys,
  PageArea,
  Stepper,
  Toolbar,
  useZoom,
  zoomKeys,
  ZoomTools,
} from './viewer-tools.tsx';
import classes from './viewer.module.css';
import { WordBoxes } from './word-boxes.tsx';

interface PdfViewProps {
  citation: Citation;
  /** The number of occurrences of the quote before it on the page. */
  nth: number;
  url: string;
  toolbarStart: ReactNode;
  onRetry: () => void;
}

export default function PdfView({ url, citation, nth, toolbarStart, onRetry }: PdfViewProps) {
  const { quote } = citation;
  const { pdf, error, lock, onFailed } = usePdf(url, citation, nth);
  if (error) {
    return (
      <>
        <Toolbar start={toolbarStart} />
        <ViewerFailure error={error} quote={quote} onRetry={onRetry} />
      </>
    );
  }
  if (lock) {
    return (
      <>
        <Toolbar start={toolbarStart} />
        <Locked lock={lock} />
      </>
    );
  }
  if (!pdf) return <ViewerSkeleton />;
  return <Pages pdf={pdf} quote={quote} toolbarStart={toolbarStart} onFailed={onFailed} />;
}

const Locked = ({ lock }: { lock: PdfLock }) => (
  <Box p={32} maw={440} w="100%" mx="auto">
    <Text mb={16}>
      This PDF has a password. It is used only to show the pages here, and is not sent or stored.
      Choose Text to see its extracted text.
    </Text>
    <PasswordForm
      error={lock.wasWrong ? 'This password does not open the file.' : null}
      onSubmit={lock.open}
    >
      <Button type="submit" style={{ alignSelf: 'start' }}>
        Open
      </Button>
    </PasswordForm>
  </Box>
);

const GAP = 16;
const MAX_FIT = 860;

const MIN_READABLE_SCALE = 0.75;

/** Keeps the center of the window when the scale changes. The scale is null until pages are laid out. */
function useStableCenter(
  scroller: RefObject<HTMLElement | null>,
  scale: number | null,
  virtualizer: Pick<Virtualizer<HTMLElement, Element>, 'measure' | 'scrollToOffset'>,
): void {
  const previousScale = useRef(scale);
  useLayoutEffect(() => {
    const element = scroller.current;
    const ratio = scale && previousScale.current ? scale / previousScale.current : 1;
    previousScale.current = scale;
    if (!element || ratio === 1) return;
    const { scrollTop, scrollLeft, clientHeight, clientWidth } = element;
    virtualizer.measure();
    // Pages have their new size after the next layout.
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
  // Pages are laid out once their size is known, since resizing would move the quote.
  const [ready, setReady] = useState(false);
  if (width > 0 && !ready) {
    setReady(true);
    // On a phone a whole page would be too small to read, so it opens in its original size.
    if (quote !== '' && fit < MIN_READABLE_SCALE) zoom.growTo(1 / fit);
  }

  const virtualizer = useVirtualizer({
    // The virtualizer caches its first estimates, so it starts once the width is known.
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
  useStableCenter(scroller, ready ? scale : null, virtualizer);

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
      <Toolbar start={toolbarStart}>
        <Stepper noun="page" current={page} total={document.numPages} onGo={goTo} />
        <ZoomTools zoom={zoom} />
      </Toolbar>
      {quote !== '' && located.size === 0 && scanned.size === 0 && (
        <ViewerNote>The quote is on this page, but could not be marked: “{quote}”</ViewerNote>
      )}
      <PageArea ref={ref} label="Pages of the file" onKeyDown={onKeys(keys)}>
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
                pdf={pdf}
                number={index + 1}
                scale={scale}
                quote={quote}
                onMarked={onMarked}
                onFailed={onFailed}
              />
            </Center>
          ))}
        </div>
      </PageArea>
    </>
  );
}

/** The maximum of device pixels per CSS pixel, to save memory. */
const MAX_DENSITY = 2;

interface PdfPageProps {
  pdf: OpenedPdf;
  number: number;
  /** CSS pixels for each point of the page. */
  scale: number;
  quote: string;
  onMarked: (mark: HTMLElement) => void;
  /** Called when the page cannot be loaded, because the link has expired or the network is down. */
  onFailed: (error: unknown) => void;
}

/** One page of a PDF. Its invisible text is above the picture, so that it can be selected and marked. */
function PdfPage({ pdf, number, scale, quote, onMarked, onFailed }: PdfPageProps) {
  const { document: pdfDocument, expected } = pdf;
  const ranges = pdf.located.get(number);
  const boxes = pdf.scanned.get(number);
  const [page, setPage] = useState<PDFPageProxy | null>(null);
  const canvasHost = useRef<HTMLDivElement>(null);
  const textHost = useRef<HTMLDivElement>(null);

  useEffect(
    () => whenSettled(pdfDocument.getPage(number), setPage, onFailed),
    [pdfDocument, number, onFailed],
  );

  useEffect(() => {
    if (!page) return undefined;
    const viewport = page.getViewport({
      scale: scale * Math.min(window.devicePixelRatio || 1, MAX_DENSITY),
    });
    const canvas = document.createElement('canvas');
    canvas.width = Math.floor(viewport.width);
    canvas.height = Math.floor(viewport.height);
    const task = page.render({ canvas, viewport });
    task.promise.then(
      // The old picture is visible until the new one is drawn.
      () => canvasHost.current?.replaceChildren(canvas),
      () => undefined,
    );
    return () => task.cancel();
  }, [page, scale]);

  useEffect(() => {
    const container = textHost.current;
    if (!page || !container) return undefined;
    let layer: TextLayer | undefined;
    let isUnmounted = false;
    const draw = async (): Promise<void> => {
      const content = await page.getTextContent();
      if (isUnmounted) return;
      container.replaceChildren();
      layer = new TextLayer({
        textContentSource: content,
        container,
        viewport: page.getViewport({ scale: 1 }),
      });
      await layer.render();
      if (isUnmounted || !ranges) return;
      const [first] = markTextLayer(layer.textDivs, ranges);
      if (first) onMarked(first);
    };
    // A page is readable without its text layer.
    draw().catch(() => undefined);
    return () => {
      isUnmounted = true;
      layer?.cancel();
    };
  }, [page, ranges, onMarked]);

  const size = page?.getViewport({ scale: 1 }) ?? expected;
  const style: CSSProperties & Record<'--total-scale-factor', number> = {
    width: size.width * scale,
    height: size.height * scale,
    '--total-scale-factor': scale,
  };
  return (
    <section className={classes.paper} style={style} aria-label={`Page ${number}`}>
      <div ref={canvasHost} className={pageClasses.picture} />
      <div ref={textHost} className={pageClasses.textLayer} />
      {boxes && <WordBoxes boxes={boxes} quote={quote} onMarked={onMarked} />}
    </section>
  );
}
