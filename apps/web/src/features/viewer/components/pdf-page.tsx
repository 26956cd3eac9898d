import { whenSettled, type OpenedPdf } from '../pdf-document.ts';
import { TextLayer, type PDFPageProxy } from 'pdfjs-dist';
import { useEffect, useRef, useState, type CSSProperties } from 'react';
import { markTextLayer } from '../locate-quote.ts';
import { WordBoxes } from './word-boxes.tsx';
import classes from './pdf-page.module.css';
import viewerClasses from './viewer.module.css';

/** Device pixels per CSS pixel. More would cost memory without a visible difference. */
const MAX_DENSITY = 2;

interface PdfPageProps {
  pdf: OpenedPdf;
  number: number;
  /** CSS pixels for each point of the page. */
  scale: number;
  quote: string;
  onMarked: (mark: HTMLElement) => void;
  /** Called when the page cannot be fetched: the link has expired, or the network is down. */
  onFailed: (error: unknown) => void;
}

/** One page of a PDF: its picture, with its text invisibly above, to be selected and marked. */
export function PdfPage({ pdf, number, scale, quote, onMarked, onFailed }: PdfPageProps) {
  const { document, expected } = pdf;
  const ranges = pdf.located.get(number);
  const boxes = pdf.scanned.get(number);
  const [page, setPage] = useState<PDFPageProxy | null>(null);
  const canvasHost = useRef<HTMLDivElement>(null);
  const textHost = useRef<HTMLDivElement>(null);

  useEffect(
    () => whenSettled(document.getPage(number), setPage, onFailed),
    [document, number, onFailed],
  );

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
    // A page is readable without its text layer.
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
