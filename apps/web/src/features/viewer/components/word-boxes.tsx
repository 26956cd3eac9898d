import { useEffect, useRef } from 'react';
import classes from './viewer.module.css';
import { overlaps, type TextRange, findQuote } from '../find-in-text.ts';
import type { Citation } from '@engram/contract';
import type { QueryClient } from '@tanstack/react-query';
import { artifactText, artifactWords, type ArtifactWord } from '../api.ts';

/** A position on a page, in fractions of the page's width and height. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Whether the vertical center of each box is within the other. */
function onOneLine(a: Box, b: Box): boolean {
  const [middleA, middleB] = [a.top + a.height / 2, b.top + b.height / 2];
  return (
    middleA > b.top && middleA < b.top + b.height && middleB > a.top && middleB < a.top + a.height
  );
}

/** A gap wider than this many line heights separates two columns. */
const COLUMN_GAP = 3;

function union(a: Box, b: Box): Box {
  const [left, top] = [Math.min(a.left, b.left), Math.min(a.top, b.top)];
  return {
    left,
    top,
    width: Math.max(a.left + a.width, b.left + b.width) - left,
    height: Math.max(a.top + a.height, b.top + b.height) - top,
  };
}

const gapBetween = (a: Box, b: Box): number =>
  Math.max(a.left, b.left) - Math.min(a.left + a.width, b.left + b.width);

/** The boxes of a range of recognized text, one per line. */
export function wordBoxesOf(words: readonly ArtifactWord[], range: TextRange): Box[] {
  const boxes: Box[] = [];
  for (const { start, end, left, top, width, height } of words) {
    if (!overlaps([start, end], range)) continue;
    const word = { left, top, width, height };
    const last = boxes.at(-1);
    const isSameLine =
      last && onOneLine(last, word) && gapBetween(last, word) < COLUMN_GAP * last.height;
    if (isSameLine) boxes[boxes.length - 1] = union(last, word);
    else boxes.push(word);
  }
  return boxes;
}

export type ScanQuote = ReadonlyMap<number, Box[]>;

/** Finds a quote among the recognized words of pages. Empty if it is not found. */
export async function locateOnScan(
  queries: QueryClient,
  citation: Citation,
  pages: readonly number[],
): Promise<ScanQuote> {
  try {
    const text = await queries.fetchQuery(artifactText(citation.artifactId));
    const place = findQuote(text, citation);
    if (!place) return new Map();
    const located = await Promise.all(
      pages.map(async (page) => {
        const words = await queries.fetchQuery(artifactWords(citation.artifactId, page));
        return [page, wordBoxesOf(words, place)] as const;
      }),
    );
    return new Map(located.filter(([, boxes]) => boxes.length > 0));
  } catch {
    return new Map();
  }
}

interface WordBoxesProps {
  boxes: readonly Box[];
  quote: string;
  onMarked?: (mark: HTMLElement) => void;
}

const percent = (share: number): string => `${share * 100}%`;

/** Marks a quote on the picture of a page. The first mark has the quote for screen readers. */
export function WordBoxes({ boxes, quote, onMarked }: WordBoxesProps) {
  const first = useRef<HTMLElement>(null);
  useEffect(() => {
    if (boxes.length > 0 && first.current) onMarked?.(first.current);
  }, [boxes, onMarked]);
  return (
    <div className={classes.boxes}>
      {boxes.map(({ left, top, width, height }, index) => (
        <mark
          key={`${left} ${top}`}
          ref={index === 0 ? first : undefined}
          className={classes.box}
          data-testid="quote"
          style={{
            left: percent(left),
            top: percent(top),
            width: percent(width),
            height: percent(height),
          }}
        >
          {index === 0 && <span className="eg-visually-hidden">{quote}</span>}
        </mark>
      ))}
    </div>
  );
}
