import { joinLines, type Vocabulary } from './hyphens.ts';
import { isRightToLeft, type PdfLine } from './lines.ts';
import { type Bookmark, titleKey } from './outline.ts';
import type { SegmentKind } from '../types.ts';

interface PdfBlock {
  kind: SegmentKind;
  /** The lines of the page. Hyphenated words are joined. */
  text: string;
  /** Heading level, lower is higher. 0 for other blocks. */
  level: number;
}

/** Relative size of headings. */
const HEADING_RATIO = 1.08;
const MAX_HEADING_LENGTH = 200;
const MAX_TITLE_LENGTH = 90;
/** Titles in another font are below larger ones. */
const FONT_HEADING_LEVEL = 2000;
/** Maximum line distance within a heading, in font sizes. */
const HEADING_LEADING = 1.9;
const BULLET = /^(?:[•‣▪▫●○◦■□–—*-]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+\S/iu;
const SENTENCE_END = /[.!?:;…。！？]["'”’)\]]*$/u;

interface PdfStyle {
  bodySize: number;
  /** Bookmarks to this page or without a target. */
  bookmarks: readonly Bookmark[];
  /** Headers and footers: never headings. */
  running: ReadonlySet<PdfLine>;
  words: Vocabulary;
}

export function blocksOf(lines: PdfLine[], style: PdfStyle): PdfBlock[] {
  const leading = usualLeading(lines);
  const titles = titleLines(lines, style);
  const marked = markedLines(lines, style.bookmarks);
  const rightEdge = lines.reduce((max, line) => Math.max(max, line.right), 0);
  const page = { leading, rightEdge, bodySize: style.bodySize };
  const blocks: PdfBlock[] = [];
  let group: PdfLine[] = [];
  const close = (): void => {
    if (group.length > 0) blocks.push(blockOf(group, style, { titles, marked }));
    group = [];
  };
  for (const line of lines) {
    const previous = group.at(-1);
    const first = group[0];
    if (previous !== undefined && first !== undefined) {
      const continues =
        marked.get(previous) === marked.get(line) &&
        !style.running.has(previous) &&
        !style.running.has(line) &&
        titles.has(previous) === titles.has(line) &&
        belongsTo(first, previous, line, page);
      if (!continues) close();
    }
    group.push(line);
  }
  close();
  return blocks;
}

/** Maximum lines of a bookmark's title. */
const MAX_MARKED_LINES = 3;
/** Maximum distance of a bookmark's target from its line, in points. */
const POINTED_BELOW = 6;
const POINTED_ABOVE = 60;

/** Lines that are titles of bookmarks, near the bookmark's target. */
function markedLines(lines: PdfLine[], bookmarks: readonly Bookmark[]): Map<PdfLine, Bookmark> {
  const marked = new Map<PdfLine, Bookmark>();
  if (bookmarks.length === 0) return marked;
  const keys = lines.map((line) => titleKey(line.text));
  for (const bookmark of bookmarks) {
    let best: { from: number; to: number; far: number } | null = null;
    for (const [from, line] of lines.entries()) {
      const to = from + matchAt(keys, from, bookmark.key);
      const gap = bookmark.top === null ? 0 : bookmark.top - line.y;
      if (to === from || marked.has(line)) continue;
      const near = gap >= -POINTED_BELOW && gap <= POINTED_ABOVE ? Math.abs(gap) : 1000;
      if (best === null || near < best.far) best = { from, to, far: near };
    }
    if (best === null) continue;
    for (const line of lines.slice(best.from, best.to)) marked.set(line, bookmark);
  }
  return marked;
}

/** Number of lines that form the title, or 0. */
function matchAt(keys: readonly string[], from: number, title: string): number {
  let text = '';
  for (let count = 1; count <= MAX_MARKED_LINES; count += 1) {
    text += keys[from + count - 1] ?? '';
    if (text === title) return count;
    if (text === '' || !title.startsWith(text)) return 0;
  }
  return 0;
}

function belongsTo(
  first: PdfLine,
  previous: PdfLine,
  line: PdfLine,
  { leading, rightEdge, bodySize }: { leading: number; rightEdge: number; bodySize: number },
): boolean {
  if (line.angle !== previous.angle) return false;
  const step = previous.y - line.y;
  const size = Math.max(previous.size, line.size);
  if (isTabular(previous) || isTabular(line)) {
    return isTabular(previous) === isTabular(line) && step > -size * 0.5 && step < size * 3.2;
  }
  if (Math.abs(previous.size - line.size) > size * 0.11) return false;
  const large = size >= bodySize * 1.25 && previous.font === line.font;
  if (large && step > 0 && step < HEADING_LEADING * size) return true;
  const ended = SENTENCE_END.test(previous.text);
  // The next column may continue a sentence.
  if (step < -size * 0.5) return !ended && /^\p{Ll}/u.test(line.text);
  if (step > Math.max(leading * 1.35, 1.2) * size) return false;
  if (BULLET.test(line.text)) return false;
  if (isRightToLeft(line.text)) return true;
  const indented = line.left > previous.left + size * 0.8;
  if (ended && indented && previous.left <= first.left + size * 0.5) return false;
  const short =
    previous.right < Math.min(rightEdge, line.right) - (previous.right - previous.left) * 0.12;
  return !(ended && short);
}

function isWordedAsTitle(text: string): boolean {
  return (
    /^["'“(]?[\p{Lu}\p{Lo}\p{N}]/u.test(text) && /\p{L}{2}/u.test(text) && !/[.;,]$/.test(text)
  );
}

/** Short lines in another font than most of the page. */
function titleLines(lines: PdfLine[], style: PdfStyle): Set<PdfLine> {
  const lengths = new Map<string, number>();
  let total = 0;
  for (const { font, text } of lines) {
    total += text.length;
    if (font !== null) lengths.set(font, (lengths.get(font) ?? 0) + text.length);
  }
  const [body] = [...lengths].find(([, length]) => length > total / 2) ?? [];
  const titles = new Set<PdfLine>();
  if (body === undefined) return titles;
  for (const [back, line] of lines.toReversed().entries()) {
    const next = lines[lines.length - back];
    const alone = line.font !== null && line.font !== body && line.cells.length === 1;
    if (!alone || line.angle !== 0 || line.size < style.bodySize * 0.95) continue;
    if (line.text.length > MAX_TITLE_LENGTH || !isWordedAsTitle(line.text)) continue;
    const leads = next !== undefined && (next.font === body || titles.has(next));
    if (leads && next.y < line.y && !isTabular(next)) titles.add(line);
  }
  return titles;
}

function isTabular(line: PdfLine): boolean {
  if (line.cells.length > 2) return true;
  return (
    line.cells.length === 2 &&
    line.cells.some((cell) => /^(?=.*\d)[-–]?[\p{Sc}\d.,%()\s+—]+$/u.test(cell.text))
  );
}

/** Median line distance, in font sizes. */
function usualLeading(lines: PdfLine[]): number {
  const steps: number[] = [];
  for (let index = 1; index < lines.length; index += 1) {
    const [above, below] = [lines[index - 1] as PdfLine, lines[index] as PdfLine];
    const step = (above.y - below.y) / Math.max(above.size, below.size);
    if (step > 0.7 && step < 3) steps.push(step);
  }
  steps.sort((a, b) => a - b);
  return steps[Math.floor(steps.length / 2)] ?? 1.2;
}

function blockOf(
  group: PdfLine[],
  style: PdfStyle,
  { titles, marked }: { titles: Set<PdfLine>; marked: Map<PdfLine, Bookmark> },
): PdfBlock {
  const first = group[0];
  const rows = group.map((line) => line.text);
  const bookmark = first && marked.get(first);
  if (group.some(isTabular) && !bookmark) return { kind: 'table', text: rows.join('\n'), level: 0 };
  const text = joinLines(rows, style.words);
  if (first && style.running.has(first)) return { kind: 'prose', text, level: 0 };
  if (bookmark) return { kind: 'heading', text, level: bookmark.depth };
  const { size = 0, angle = 0 } = group[0] ?? {};
  const single = group.every((line) => line.cells.length === 1);
  const large =
    single && size >= style.bodySize * HEADING_RATIO && text.length <= MAX_HEADING_LENGTH;
  if (large && angle === 0 && group.length <= 3 && isWordedAsTitle(text)) {
    // Below outline titles, larger text first.
    return { kind: 'heading', text, level: Math.max(100, 1000 - Math.round(size * 2)) };
  }
  if (group.length <= 2 && group.every((line) => titles.has(line))) {
    return { kind: 'heading', text, level: FONT_HEADING_LEVEL };
  }
  return { kind: BULLET.test(text) ? 'list' : 'prose', text, level: 0 };
}

const MIN_PROSE_LENGTH = 30;
/** Minimum prose lines of a page with its own body size. */
const MIN_PROSE_LINES = 6;

export function createSizeCount() {
  const prose = new Map<number, number>();
  const counts = new Map<number, number>();
  return {
    add(lines: readonly PdfLine[]): void {
      for (const line of lines) {
        const step = Math.round(line.size * 2) / 2;
        counts.set(step, (counts.get(step) ?? 0) + line.text.length);
        if (isProse(line)) prose.set(step, (prose.get(step) ?? 0) + line.text.length);
      }
    },
    /** The most common size in prose, or in all text. 0 without text. */
    usual(): number {
      let best = 0;
      let highest = 0;
      for (const [size, count] of prose.size > 0 ? prose : counts) {
        if (count > highest) [best, highest] = [size, count];
      }
      return best;
    },
  };
}

function isProse({ text, cells }: PdfLine): boolean {
  return cells.length === 1 && text.length >= MIN_PROSE_LENGTH;
}

/** The body size of a page, or the document's. */
export function bodySizeOf(lines: readonly PdfLine[], usual: number): number {
  const prose = lines.filter(isProse);
  if (prose.length < MIN_PROSE_LINES) return usual;
  const sizes = createSizeCount();
  sizes.add(prose);
  return sizes.usual();
}
