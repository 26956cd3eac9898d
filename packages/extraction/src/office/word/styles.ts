import { viewOf } from '../../bytes.ts';
import { valuesOf } from './properties.ts';

export interface WordStyle {
  /** 1 to 9 for headings and titles, else 0. */
  heading: number;
  values: ReadonlyMap<number, number>;
}

/** Language-independent numbers of built-in styles ([MS-DOC] 2.9.260). */
const TITLE = 62;
const SUBTITLE = 74;
const MAX_BASE_STYLES = 20;
const PARAGRAPH = 1;

interface RawStyle {
  kind: number;
  base: number;
  values: ReadonlyMap<number, number>;
}

/** Resolves styles ([MS-DOC] 2.9.271). A style based on a heading is a heading. */
export function wordStyles(sheet: Uint8Array): (style: number) => WordStyle {
  const raw = rawStyles(sheet);
  const styles = new Map<number, WordStyle>();
  const resolve = (style: number): WordStyle => {
    const chain: RawStyle[] = [];
    for (let current = raw[style]; current !== undefined && chain.length < MAX_BASE_STYLES;) {
      chain.push(current);
      current = raw[current.base];
    }
    const heading = chain.map(({ kind }) => headingOf(kind)).find((level) => level > 0) ?? 0;
    return { heading, values: new Map(chain.toReversed().flatMap(({ values }) => [...values])) };
  };
  return (style) => {
    const known = styles.get(style) ?? resolve(style);
    styles.set(style, known);
    return known;
  };
}

function headingOf(kind: number): number {
  if (kind >= 1 && kind <= 9) return kind;
  return kind === TITLE ? 1 : kind === SUBTITLE ? 2 : 0;
}

function rawStyles(sheet: Uint8Array): (RawStyle | undefined)[] {
  if (sheet.length < 6) return [];
  const view = viewOf(sheet);
  const styles: (RawStyle | undefined)[] = [];
  const count = view.getUint16(2, true);
  const headBytes = view.getUint16(4, true);
  let offset = 2 + view.getUint16(0, true);
  while (styles.length < count && offset + 2 <= sheet.length) {
    const length = view.getUint16(offset, true);
    styles.push(rawStyle(sheet.subarray(offset + 2, offset + 2 + length), headBytes));
    // Styles are aligned to two bytes.
    offset += 2 + length + (length & 1);
  }
  return styles;
}

/** Reads a style: header, name, and paragraph properties. */
function rawStyle(style: Uint8Array, headBytes: number): RawStyle | undefined {
  if (style.length < headBytes + 2 || headBytes < 6) return undefined;
  const view = viewOf(style);
  const [kind, use] = [view.getUint16(0, true) & 0xfff, view.getUint16(2, true)];
  const nameEnd = headBytes + 2 * view.getUint16(headBytes, true) + 4;
  const start = nameEnd + (nameEnd & 1);
  const isParagraph = (use & 0xf) === PARAGRAPH && start + 4 <= style.length;
  const values = isParagraph
    ? valuesOf(style.subarray(start + 4, start + 2 + view.getUint16(start, true)))
    : new Map<number, number>();
  return { kind, base: use >> 4, values };
}
