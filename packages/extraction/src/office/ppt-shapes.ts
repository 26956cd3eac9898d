import { type PptRecord, type PptRecords, RECORD } from './ppt-records.ts';

export interface PptShape {
  paragraphs: string[];
  /** Text type ([MS-PPT] 2.13.33): 0 and 6 titles, 1, 5, 7 and 8 bodies, 2 notes. */
  textType: number;
  /** Placeholder type ([MS-PPT] 2.13.21), or 0. */
  placement: number;
  description: string;
  /** Rows of a table. */
  rows: string[][];
}

/** Left and top of a table cell. */
type Placed = PptShape & { box: number[] | null };

const NO_SHAPE = { paragraphs: [], textType: 4, placement: 0, description: '', rows: [] };

const MAX_DEPTH = 30;
const TABLE_PROPERTIES = 0x039f;
const DESCRIPTION = 0x0381;

export const isTitle = ({ textType, placement }: PptShape): boolean =>
  textType === 0 || textType === 6 || placement === 13 || placement === 15 || placement === 17;
export const isBody = ({ textType }: PptShape): boolean =>
  textType === 1 || textType === 5 || textType === 7 || textType === 8;
/** Headers and footers. */
export const isEdge = ({ placement }: PptShape): boolean => placement === 9 || placement === 10;
/** Dates, numbers, slide images and master prompts. */
export const isSkipped = ({ placement }: PptShape): boolean =>
  (placement > 0 && placement < 9) || placement === 11;

/** The shapes of a slide in order, including groups. Placeholders refer to texts in `outline`. */
export function shapesOf(
  records: PptRecords,
  slide: PptRecord,
  outline: readonly { textType: number; text: string }[],
): PptShape[] {
  const drawing = records.child(slide, RECORD.drawing);
  const art = drawing === null ? null : records.child(drawing, RECORD.artDrawing);
  const used = new Set<number>();
  const shapes: PptShape[] = [];

  const shape = (record: PptRecord): Placed => {
    const result: Placed = { ...NO_SHAPE, paragraphs: [], box: null };
    for (const part of records.children(record)) {
      if (part.type === RECORD.artProperties) {
        result.description = propertyText(records, part, DESCRIPTION);
      } else if (part.type === RECORD.artChildAnchor && part.end - part.start >= 16) {
        result.box = [0, 4].map((offset) => records.view.getInt32(part.start + offset, true));
      } else if (part.type === RECORD.artClientData) {
        const atom = records.child(part, RECORD.placeholderAtom);
        if (atom !== null && atom.end - atom.start >= 5) {
          result.placement = records.view.getUint8(atom.start + 4);
        }
      } else if (part.type === RECORD.artTextbox) {
        for (const { textType, text, index } of textsOf(records, part, outline)) {
          result.textType = textType;
          result.paragraphs.push(...paragraphsOf(text));
          if (index !== null) used.add(index);
        }
      }
    }
    return result;
  };

  const group = (record: PptRecord, depth: number): void => {
    const parts = records.children(record);
    const [groupShape] = parts;
    if (groupShape?.type === RECORD.artShape && isTable(records, groupShape)) {
      const cells = parts
        .filter(({ type }) => type === RECORD.artShape)
        .slice(1)
        .map(shape);
      shapes.push({ ...NO_SHAPE, rows: rowsOf(cells) });
      return;
    }
    for (const part of parts) {
      if (part.type === RECORD.artShape) shapes.push(shape(part));
      else if (part.type === RECORD.artGroup && depth < MAX_DEPTH) group(part, depth + 1);
    }
  };

  for (const part of art === null ? [] : records.children(art)) {
    if (part.type === RECORD.artGroup) group(part, 0);
  }
  for (const [index, { textType, text }] of outline.entries()) {
    if (used.has(index)) continue;
    shapes.push({ ...NO_SHAPE, paragraphs: paragraphsOf(text), textType });
  }
  return shapes;
}

interface PptText {
  textType: number;
  text: string;
}

/** Texts of consecutive records, each with a header. */
export function textsIn(records: PptRecords, parts: readonly PptRecord[]): PptText[] {
  const texts: PptText[] = [];
  let textType = 4;
  for (const part of parts) {
    if (part.type === RECORD.textHeaderAtom && part.end - part.start >= 4) {
      textType = records.view.getUint32(part.start, true);
      // Empty placeholders are also numbered.
      texts.push({ textType, text: '' });
    } else if (part.type === RECORD.textCharsAtom || part.type === RECORD.textBytesAtom) {
      const last = texts.at(-1);
      if (last?.text === '') last.text = records.text(part);
      else texts.push({ textType, text: records.text(part) });
    }
  }
  return texts;
}

function textsOf(
  records: PptRecords,
  textbox: PptRecord,
  outline: readonly PptText[],
): (PptText & { index: number | null })[] {
  const parts = records.children(textbox);
  const reference = parts.find(({ type }) => type === RECORD.outlineTextRefAtom);
  if (reference !== undefined && reference.end - reference.start >= 4) {
    const index = records.view.getUint32(reference.start, true);
    const named = outline[index];
    return named === undefined ? [] : [{ ...named, index }];
  }
  return textsIn(records, parts).map((text) => ({ ...text, index: null }));
}

/** Paragraphs end with a carriage return. */
function paragraphsOf(text: string): string[] {
  return text
    .split('\r')
    .map((paragraph) => paragraph.replace(/\s+/gu, ' ').trim())
    .filter((paragraph) => paragraph !== '' && paragraph !== '*');
}

/** Arranges cells in rows by their position. */
function rowsOf(cells: readonly Placed[]): string[][] {
  const rows = new Map<number, { left: number; text: string }[]>();
  for (const { box, paragraphs } of cells) {
    // Border lines are shapes without position.
    if (box === null) continue;
    const [left = 0, top = 0] = box;
    const row = rows.get(top) ?? [];
    row.push({ left, text: paragraphs.join(' ') });
    rows.set(top, row);
  }
  const columns = [...rows.values()].flat().filter(({ text }) => text !== '');
  const lefts = [...new Set(columns.map(({ left }) => left))].sort((a, b) => a - b);
  return [...rows]
    .sort(([a], [b]) => a - b)
    .map(([, row]) =>
      lefts.map((left) => row.find((cell) => cell.left === left && cell.text !== '')?.text ?? ''),
    )
    .filter((row) => row.some((text) => text !== ''));
}

function isTable(records: PptRecords, shape: PptRecord): boolean {
  const properties = records.child(shape, RECORD.artProperties3);
  if (properties === null) return false;
  const { view } = records;
  for (let index = 0; index < properties.instance; index += 1) {
    const from = properties.start + index * 6;
    if (from + 6 > properties.end) break;
    if ((view.getUint16(from, true) & 0x3fff) === TABLE_PROPERTIES) {
      return (view.getUint32(from + 2, true) & 1) === 1;
    }
  }
  return false;
}

/** A text property. Its text follows the list of properties ([MS-ODRAW] 2.3.1). */
function propertyText(records: PptRecords, properties: PptRecord, propertyId: number): string {
  const { view } = records;
  let textStart = properties.start + properties.instance * 6;
  for (let offset = properties.start; offset + 6 <= properties.end; offset += 6) {
    if (offset >= properties.start + properties.instance * 6) break;
    const id = view.getUint16(offset, true);
    const value = view.getUint32(offset + 2, true);
    if ((id & 0x8000) === 0) continue;
    if ((id & 0x3fff) === propertyId) {
      const end = Math.min(textStart + value, properties.end);
      const text = records.text({ type: RECORD.cString, instance: 0, start: textStart, end });
      return text.replaceAll('\0', '').replace(/\s+/gu, ' ').trim();
    }
    textStart += value;
  }
  return '';
}
