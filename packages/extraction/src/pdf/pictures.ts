import { pdfEngine, type PdfEngine, type PdfPage } from './engine.ts';

interface PageShow {
  /** Share of the page covered by pictures. */
  pictures: number;
  glyphs: number;
  /** Invisible glyphs, which a scanner recognized. */
  hidden: number;
  /** Drawn shapes, which may be outlines of letters. */
  shapes: number;
}

/** Minimum picture share of a page without text. */
const MIN_PICTURE_SHARE = 0.05;
const MIN_SCAN_SHARE = 0.4;
/** Maximum letters of a scan, such as a header or stamp. */
const MAX_SCAN_LETTERS = 250;
const MIN_OUTLINE_SHAPES = 150;
const MIN_DRAWN_GLYPHS = 10;
/** Minimum picture area in square points. */
const MIN_PICTURE_AREA = 400;

/** Invisible text rendering mode (ISO 32000-1, 9.3.6). */
const INVISIBLE = 3;

type Matrix = [number, number, number, number, number, number];
type Rectangle = [left: number, bottom: number, right: number, top: number];

/**
 * Whether the text of a page has to be recognized. Pages with enough text are skipped.
 *
 * @param letters the number of letters in the text layer, or null if they are meaningless
 */
export async function needsRecognition(page: PdfPage, letters: number | null): Promise<boolean> {
  if (letters === null) return true;
  if (letters >= MAX_SCAN_LETTERS) return false;
  try {
    const [{ fnArray, argsArray }, { OPS }] = await Promise.all([
      page.getOperatorList(),
      pdfEngine(),
    ]);
    return isPicture(letters, sumUp(fnArray, argsArray as unknown[], page.view as Rectangle, OPS));
  } catch {
    return false;
  }
}

/** Whether a page must be recognized as a picture. */
export function isPicture(
  letters: number,
  { pictures, glyphs, hidden, shapes }: PageShow,
): boolean {
  if (hidden > glyphs * 0.5) return false;
  if (letters > 0) return letters < MAX_SCAN_LETTERS && pictures >= MIN_SCAN_SHARE;
  return (
    pictures >= MIN_PICTURE_SHARE || glyphs >= MIN_DRAWN_GLYPHS || shapes >= MIN_OUTLINE_SHAPES
  );
}

/** Measures what a page draws. PDF.js skips pictures that are not decoded. */
function sumUp(
  operators: readonly number[],
  args: readonly unknown[],
  view: Rectangle,
  ops: PdfEngine['OPS'],
): PageShow {
  const totals: PageShow = { pictures: 0, glyphs: 0, hidden: 0, shapes: 0 };
  const stack: [Matrix, number][] = [];
  let mode = 0;
  let matrix: Matrix = [1, 0, 0, 1, 0, 0];
  let pendingArea = 0;
  const settle = (): void => {
    totals.pictures += pendingArea;
    pendingArea = 0;
  };
  const paint = (index: number): void => {
    const values = args[index] as unknown[];
    const operator = operators[index];
    if (operator === ops.showText) {
      const glyphs = ((values[0] ?? []) as unknown[]).length;
      totals.glyphs += glyphs;
      if (mode === INVISIBLE) totals.hidden += glyphs;
    } else if (operator === ops.constructPath || operator === ops.shadingFill) {
      totals.shapes += 1;
    } else if (repeated.has(operator as number)) {
      totals.pictures += (values.at(-1) as ArrayLike<number>).length * 0.01;
    } else {
      totals.pictures += areaIn(matrix, view);
    }
    pendingArea = 0;
  };
  const repeated = new Set<number>([
    ops.paintImageXObjectRepeat,
    ops.paintImageMaskXObjectRepeat,
    ops.paintInlineImageXObjectGroup,
    ops.paintImageMaskXObjectGroup,
  ]);
  const paints = new Set<number>([
    ...repeated,
    ops.showText,
    ops.constructPath,
    ops.shadingFill,
    ops.paintImageXObject,
    ops.paintImageMaskXObject,
    ops.paintInlineImageXObject,
    ops.paintSolidColorImageMask,
  ]);
  for (const [index, operator] of operators.entries()) {
    if (paints.has(operator)) paint(index);
    else if (operator === ops.setTextRenderingMode) mode = (args[index] as [number])[0];
    else if (operator === ops.save) stack.push([matrix, mode]);
    else if (operator === ops.transform) {
      settle();
      matrix = multiply(matrix, args[index] as Matrix);
      pendingArea = areaIn(matrix, view);
    } else if (operator === ops.paintFormXObjectBegin) {
      settle();
      stack.push([matrix, mode]);
      const formMatrix = (args[index] as unknown[])[0] as Matrix | null;
      if (formMatrix) matrix = multiply(matrix, formMatrix);
    } else if (operator === ops.restore || operator === ops.paintFormXObjectEnd) {
      settle();
      [matrix, mode] = stack.pop() ?? [matrix, mode];
    }
  }
  settle();
  return { ...totals, pictures: Math.min(1, totals.pictures) };
}

function multiply(m: Matrix, n: Matrix): Matrix {
  return [
    m[0] * n[0] + m[2] * n[1],
    m[1] * n[0] + m[3] * n[1],
    m[0] * n[2] + m[2] * n[3],
    m[1] * n[2] + m[3] * n[3],
    m[0] * n[4] + m[2] * n[5] + m[4],
    m[1] * n[4] + m[3] * n[5] + m[5],
  ];
}

function areaIn([a, b, c, d, e, f]: Matrix, [left, bottom, right, top]: Rectangle): number {
  const xs = [e, e + a, e + c, e + a + c];
  const ys = [f, f + b, f + d, f + b + d];
  const width = Math.min(right, Math.max(...xs)) - Math.max(left, Math.min(...xs));
  const height = Math.min(top, Math.max(...ys)) - Math.max(bottom, Math.min(...ys));
  const page = (right - left) * (top - bottom);
  const area = Math.max(0, width) * Math.max(0, height);
  return area < MIN_PICTURE_AREA || !(page > 0) ? 0 : Math.min(1, area / page);
}

/** Characters without meaning. */
const UNREADABLE = /[\p{Co}\p{Cn}\p{Cs}\p{Cc}\ufffd]/gu;

/** Whether a text is mostly meaningless, as from a font without a map. */
export function isGarbage(text: string): boolean {
  const letters = text.replace(/[\s\0]+/gu, '');
  if (letters.length < 5) return false;
  return (letters.match(UNREADABLE)?.length ?? 0) > letters.length * 0.4;
}
