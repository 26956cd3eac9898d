import { isRightToLeft } from './pdf-lines.ts';
import type { PdfLine } from './pdf-lines.ts';
import type { SegmentKind } from './types.ts';

/** Lines of a page that belong together. */
export interface PdfBlock {
  kind: SegmentKind;
  /** The lines as the page has them, divided by line ends; words cut by a hyphen stay cut. */
  text: string;
  /** For a heading: lower stands higher. Else 0. */
  level: number;
}

/** A line this much larger than the body text is a heading. */
const HEADING_RATIO = 1.08;
const MAX_HEADING_LENGTH = 200;
const MAX_TITLE_LENGTH = 90;
/** Titles that only their font tells stand below those that stand out by size. */
const FONT_HEADING_LEVEL = 2000;
const BULLET = /^(?:[•‣▪▫●○◦■□–—*-]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s+\S/iu;
const SENTENCE_END = /[.!?:;…。！？]["'”’)\]]*$/u;

/** What the whole document tells of its headings. */
export interface PdfStyle {
  /** Font size of most of the text, in points. */
  bodySize: number;
  /** Titles of the outline, as {@link titleKey} writes them, and their depth from 1. */
  outline: Map<string, number>;
}

/** A title by which a line of text is known again, whatever its white space and numbering dots. */
export function titleKey(title: string): string {
  return title
    .normalize('NFKC')
    .replace(/[\s.:]+/gu, '')
    .toLowerCase();
}

/** Groups a page's lines to paragraphs, headings, lists and tables, in their order. */
export function blocksOf(lines: PdfLine[], style: PdfStyle): PdfBlock[] {
  const leading = usualLeading(lines);
  const titles = titleLines(lines, style);
  const rightEdge = lines.reduce((most, line) => Math.max(most, line.right), 0);
  const blocks: PdfBlock[] = [];
  let group: PdfLine[] = [];
  const close = (): void => {
    if (group.length > 0) blocks.push(blockOf(group, style, titles));
    group = [];
  };
  for (const line of lines) {
    const previous = group.at(-1);
    const first = group[0];
    if (previous === undefined || first === undefined) group.push(line);
    else if (style.outline.has(titleKey(line.text)) || isOutlineTitle(group, style)) {
      close();
      group.push(line);
    } else if (titles.has(previous) !== titles.has(line)) {
      close();
      group.push(line);
    } else if (belongsTo(first, previous, line, leading, rightEdge)) group.push(line);
    else {
      close();
      group.push(line);
    }
  }
  close();
  return blocks;
}

function isOutlineTitle(group: PdfLine[], style: PdfStyle): boolean {
  return group.length === 1 && style.outline.has(titleKey(group[0]?.text ?? ''));
}

function belongsTo(
  first: PdfLine,
  previous: PdfLine,
  line: PdfLine,
  leading: number,
  rightEdge: number,
): boolean {
  if (line.angle !== previous.angle) return false;
  const step = previous.y - line.y;
  const size = Math.max(previous.size, line.size);
  if (isTabular(previous) || isTabular(line)) {
    return isTabular(previous) === isTabular(line) && step > -size * 0.5 && step < size * 3.2;
  }
  if (Math.abs(previous.size - line.size) > size * 0.11) return false;
  const ended = SENTENCE_END.test(previous.text);
  // Up again: the next column. A sentence that runs on is one paragraph all the same.
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

/**
 * Short lines set wholly in another font than most of the page, in letters as large as the body
 * text's: what a reader sees as a bold title in front of its text.
 */
function titleLines(lines: PdfLine[], style: PdfStyle): Set<PdfLine> {
  const lengths = new Map<string, number>();
  let total = 0;
  for (const { font, text } of lines) {
    total += text.length;
    if (font !== null) lengths.set(font, (lengths.get(font) ?? 0) + text.length);
  }
  const [body] = [...lengths].find(([, length]) => length > total / 2) ?? [];
  const found = new Set<PdfLine>();
  if (body === undefined) return found;
  for (const [at, line] of lines.entries()) {
    const next = lines[at + 1];
    const alone = line.font !== null && line.font !== body && line.cells.length === 1;
    if (!alone || line.angle !== 0 || line.size < style.bodySize * 0.95) continue;
    if (line.text.length > MAX_TITLE_LENGTH || !isWordedAsTitle(line.text)) continue;
    if (next?.font === body && next.y < line.y && !isTabular(next)) found.add(line);
  }
  return found;
}

/** Three cells and more, or two of which one is a figure. */
function isTabular(line: PdfLine): boolean {
  if (line.cells.length > 2) return true;
  return (
    line.cells.length === 2 &&
    line.cells.some((cell) => /^[\p{Sc}(+-]*\d[\d.,%)\s]*$/u.test(cell.text))
  );
}

/** The median distance of base lines, in font sizes. */
function usualLeading(lines: PdfLine[]): number {
  const steps: number[] = [];
  for (let at = 1; at < lines.length; at += 1) {
    const [above, below] = [lines[at - 1] as PdfLine, lines[at] as PdfLine];
    const step = (above.y - below.y) / Math.max(above.size, below.size);
    if (step > 0.7 && step < 3) steps.push(step);
  }
  steps.sort((a, b) => a - b);
  return steps[Math.floor(steps.length / 2)] ?? 1.2;
}

function blockOf(group: PdfLine[], style: PdfStyle, titles: Set<PdfLine>): PdfBlock {
  const text = group.map((line) => line.text).join('\n');
  const depth = style.outline.get(titleKey(text));
  if (depth !== undefined) return { kind: 'heading', text, level: depth };
  if (group.some(isTabular)) return { kind: 'table', text, level: 0 };
  const { size = 0, angle = 0 } = group[0] ?? {};
  const large = size >= style.bodySize * HEADING_RATIO && text.length <= MAX_HEADING_LENGTH;
  if (large && angle === 0 && group.length <= 3 && isWordedAsTitle(text)) {
    // Below every title of the outline, and larger letters above smaller ones.
    return { kind: 'heading', text, level: Math.max(100, 1000 - Math.round(size * 2)) };
  }
  if (group.length <= 2 && group.every((line) => titles.has(line))) {
    return { kind: 'heading', text, level: FONT_HEADING_LEVEL };
  }
  return { kind: BULLET.test(text) ? 'list' : 'prose', text, level: 0 };
}

/** Counts characters by font size, to tell body text from headings. */
export function createSizeCount(): { add(lines: PdfLine[]): void; usual(): number } {
  const counts = new Map<number, number>();
  return {
    add(lines) {
      for (const { size, text } of lines) {
        const step = Math.round(size * 2) / 2;
        counts.set(step, (counts.get(step) ?? 0) + text.length);
      }
    },
    usual() {
      let best = 0;
      let most = 0;
      for (const [size, count] of counts) if (count > most) [best, most] = [size, count];
      return best;
    },
  };
}
