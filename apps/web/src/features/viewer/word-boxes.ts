import { overlaps, type Stretch } from './quote-place.ts';

/** Where something stands on its page, in fractions of the page's width and height. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** A recognised word: its offsets in the text, and its box. */
interface Word extends Box {
  start: number;
  end: number;
}

/** Words belong to one line when the middle of each lies within the height of the other. */
function onOneLine(a: Box, b: Box): boolean {
  const [middleA, middleB] = [a.top + a.height / 2, b.top + b.height / 2];
  return (
    middleA > b.top && middleA < b.top + b.height && middleB > a.top && middleB < a.top + a.height
  );
}

/** A gap wider than this many line heights parts two columns, in pages of usual proportions. */
const COLUMN_GAP = 3;

function around(a: Box, b: Box): Box {
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

/** The boxes of a stretch of recognised text on its page: one for each line that it touches. */
export function boxesOf(words: readonly Word[], stretch: Stretch): Box[] {
  const boxes: Box[] = [];
  for (const { start, end, left, top, width, height } of words) {
    if (!overlaps([start, end], stretch)) continue;
    const word = { left, top, width, height };
    const last = boxes.at(-1);
    const joins =
      last && onOneLine(last, word) && gapBetween(last, word) < COLUMN_GAP * last.height;
    if (joins) boxes[boxes.length - 1] = around(last, word);
    else boxes.push(word);
  }
  return boxes;
}
