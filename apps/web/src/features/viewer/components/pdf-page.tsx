import { TextLayer, type PDFDocumentProxy, type PDFPageProxy } from 'pdfjs-dist';
import { useEffect, useRef, useState, type CSSProperties } from 'react';
import type { QuoteRange } from '../locate-quote.ts';
import { markTextLayer } from '../mark-text-layer.ts';
import type { Box } from '../word-boxes.ts';
import classes from './pdf-page.module.css';
import viewerClasses from './viewer.module.css';
import { WordBoxes } from './word-boxes.tsx';

/** Device pixels for each CSS pixel at most: more costs memory and is not seen. */
const MAX_DENSITY = 2;

/** Width and height of a page at 100 %, in CSS pixels. */
export interface PageSize {
  width: number;
  height: number;
}

interface PdfPageProps {
  document: PDFDocumentProxy;
  /** Counted from 1. */
  number: number;
  /** CSS pixels for each point of the page. */
  scale: number;
  /** The size to keep free until the page's own is known. */
  expected: PageSize;
  /** The ranges of the quote on this page; undefined until they are looked for. */
  ranges: readonly QuoteRange[] | undefined;
  /** Where the quote stands on a page that was scanned. */
  boxes: readonly Box[] | undefined;
  quote: string;
  /** Called with the first mark once the quote is marked. */
  onMarked: (mark: HTMLElement) => void;
  /** Called when the page's bytes cannot be fetched: the link has expired, or the network is gone. */
  onFailed: (error: unknown) => void;
}

/** One page of a PDF: its picture, and its text laid over it invisibly, to be selected and marked. */
export function PdfPage({
  document,
  number,
  scale,
  expected,
  ranges,
  boxes,
  quote,
  onMarked,
  onFailed,
}: PdfPageProps) {
  const [page, setPage] = useState<PDFPageProxy | null>(null);
  const canvasHost = useRef<HTMLDivElement>(null);
  const textHost = useRef<HTMLDivElement>(null);

  useEffect(() => {
    let gone = false;
    document.getPage(number).then(
      (loaded) => {
        if (!gone) setPage(loaded);
      },
      (error: unknown) => {
        if (!gone) onFailed(error);
      },
    );
    return () => {
      gone = true;
    };
  }, [document, number, onFailed]);

  useEffect(() => {
    if (!page) return undefined;
    const viewport = page.getViewport({
      scale: scale * Math.min(window.devicePixelRatio || 1, MAX_DENSITY),
    });
    const canvas = window.document.createElement('canvas');
    canvas.width = Math.floor(viewport.width);
    canvas.height = Math.floor(viewport.height);
    const task = page.render({ canvas, viewport });
    task.promise.then(
      // The old picture stays until the new one is drawn.
      () => canvasHost.current?.replaceChildren(canvas),
      () => undefined,
    );
    return () => task.cancel();
  }, [page, scale]);

  useEffect(() => {
    const container = textHost.current;
    if (!page || !container) return undefined;
    let layer: TextLayer | undefined;
    let gone = false;
    const draw = async (): Promise<void> => {
      const content = await page.getTextContent();
      if (gone) return;
      container.replaceChildren();
      layer = new TextLayer({
        textContentSource: content,
        container,
        viewport: page.getViewport({ scale: 1 }),
      });
      await layer.render();
      if (gone || !ranges) return;
      const [first] = markTextLayer(layer.textDivs, ranges);
      if (first) onMarked(first);
    };
    // Without its text a page can still be read.
    draw().catch(() => undefined);
    return () => {
      gone = true;
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
    <section className={viewerClasses.paper} style={style} aria-label={`Page ${number}`}>
      <div ref={canvasHost} className={classes.picture} />
      <div ref={textHost} className={classes.textLayer} />
      {boxes && <WordBoxes boxes={boxes} quote={quote} onMarked={onMarked} />}
    </section>
  );
}
