import * as cfb from 'cfb';
import { RECORD } from '../ppt-records.ts';

/** The content of a slide of {@link presentation}. */
export interface SlideSource {
  title?: string;
  body?: string[];
  /** A text box in a group. */
  box?: string;
  table?: string[][];
  notes?: string;
  footer?: string;
  comment?: { author: string; text: string };
}

const CONTAINER = 0xf;

/** A record of a PowerPoint stream: its header and its content. */
function record(type: number, content: Buffer | Buffer[], instance = 0, version = 0): Buffer {
  const body = Array.isArray(content) ? Buffer.concat(content) : content;
  const header = Buffer.alloc(8);
  header.writeUInt16LE((instance << 4) | version, 0);
  header.writeUInt16LE(type, 2);
  header.writeUInt32LE(body.length, 4);
  return Buffer.concat([header, body]);
}

const container = (type: number, parts: Buffer[], instance = 0): Buffer =>
  record(type, parts, instance, CONTAINER);

function numbers(...values: number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) buffer.writeUInt32LE(value >>> 0, index * 4);
  return buffer;
}

/** Text with one byte per character if possible, otherwise with two, as PowerPoint writes it. */
function textRecords(textType: number, text: string): Buffer[] {
  const wide = [...text].some((char) => char > '\u00ff');
  return [
    record(RECORD.textHeaderAtom, numbers(textType)),
    record(
      wide ? RECORD.textCharsAtom : RECORD.textBytesAtom,
      Buffer.from(text, wide ? 'utf16le' : 'latin1'),
    ),
  ];
}

function shape(parts: Buffer[], placement = 0, anchor: number[] | null = null): Buffer {
  const atom = Buffer.alloc(8);
  atom.writeUInt8(placement, 4);
  return container(RECORD.artShape, [
    ...(anchor === null ? [] : [record(RECORD.artChildAnchor, numbers(...anchor))]),
    ...(placement === 0
      ? []
      : [container(RECORD.artClientData, [record(RECORD.placeholderAtom, atom)])]),
    container(RECORD.artTextbox, parts),
  ]);
}

/** A table is a group whose first shape marks it as one. Its cells are shapes in a grid. */
function table(rows: string[][]): Buffer {
  const property = Buffer.alloc(6);
  property.writeUInt16LE(0x039f, 0);
  property.writeUInt32LE(1, 2);
  const tableShape = container(RECORD.artShape, [record(RECORD.artProperties3, property, 1, 3)]);
  const cells = rows.flatMap((row, y) =>
    row.map((text, x) =>
      shape(textRecords(4, text), 0, [x * 100, y * 50, x * 100 + 99, y * 50 + 49]),
    ),
  );
  return container(RECORD.artGroup, [tableShape, ...cells]);
}

function drawing(shapes: Buffer[]): Buffer {
  return container(RECORD.drawing, [
    container(RECORD.artDrawing, [
      container(RECORD.artGroup, [container(RECORD.artShape, []), ...shapes]),
    ]),
  ]);
}

function comment({ author, text }: { author: string; text: string }): Buffer {
  const string = (value: string, instance: number): Buffer =>
    record(RECORD.cString, Buffer.from(value, 'utf16le'), instance);
  return container(RECORD.progTags, [
    container(RECORD.progBinaryTag, [
      record(
        RECORD.binaryTagData,
        container(RECORD.comment10, [string(author, 0), string(text, 1)]),
        0,
        CONTAINER,
      ),
    ]),
  ]);
}

/**
 * A minimal presentation from before 2007 by [MS-PPT]. Slides are stored in the reverse order of
 * the presentation, which happens after they were moved.
 */
export function presentation(
  slides: readonly SlideSource[],
  { encrypted = false, footer = '' } = {},
): Uint8Array {
  const pieces: Buffer[] = [];
  const places: number[] = [];
  let length = 0;
  const put = (piece: Buffer): number => {
    pieces.push(piece);
    length += piece.length;
    return length - piece.length;
  };
  const persist = (piece: Buffer): number => places.push(put(piece));

  const master = persist(
    container(RECORD.mainMaster, [
      drawing([
        shape(textRecords(0, 'Click to edit Master title style'), 1),
        ...(footer === '' ? [] : [shape(textRecords(4, footer), 9)]),
      ]),
    ]),
  );
  const entries: { slide: number; notes: number | null; id: number; texts: Buffer[] }[] = [];
  for (const [index, source] of [...slides.entries()].reverse()) {
    const outline = record(RECORD.outlineTextRefAtom, numbers(0));
    const slide = persist(
      container(RECORD.slide, [
        record(RECORD.slideAtom, Buffer.alloc(24)),
        drawing([
          ...(source.title === undefined ? [] : [shape([outline], 13)]),
          ...(source.body === undefined ? [] : [shape(textRecords(1, source.body.join('\r')), 14)]),
          ...(source.box === undefined
            ? []
            : [container(RECORD.artGroup, [shape([]), shape(textRecords(4, source.box))])]),
          ...(source.table === undefined ? [] : [table(source.table)]),
          ...(source.footer === undefined ? [] : [shape(textRecords(4, source.footer), 9)]),
        ]),
        ...(source.comment === undefined ? [] : [comment(source.comment)]),
      ]),
    );
    const id = 256 + index;
    const notes =
      source.notes === undefined
        ? null
        : persist(
            container(RECORD.notes, [
              record(RECORD.notesAtom, numbers(id, 0)),
              drawing([shape(textRecords(2, source.notes), 12)]),
            ]),
          );
    const texts = source.title === undefined ? [] : textRecords(0, source.title);
    entries.unshift({ slide, notes, id, texts });
  }
  const entry = (persistId: number, id: number): Buffer =>
    record(RECORD.slidePersistAtom, numbers(persistId, 0, 0, id, 0));
  const document = persist(
    container(RECORD.document, [
      container(RECORD.slideListWithText, [entry(master, 0x80000000)], 1),
      container(
        RECORD.slideListWithText,
        entries.flatMap(({ slide, id, texts }) => [entry(slide, id), ...texts]),
        0,
      ),
      container(
        RECORD.slideListWithText,
        entries.flatMap(({ notes, id }) => (notes === null ? [] : [entry(notes, id)])),
        2,
      ),
    ]),
  );
  const directory = put(
    record(RECORD.persistDirectoryAtom, numbers((places.length << 20) | 1, ...places)),
  );
  const edit = put(
    record(RECORD.userEditAtom, numbers(256, 0, 0, directory, document, places.length + 1, 0)),
  );
  const user = Buffer.concat([
    record(0x0ff6, numbers(0x14, encrypted ? 0xf3d1c4df : 0xe391c05f, edit)),
  ]);
  const file = cfb.utils.cfb_new();
  cfb.utils.cfb_add(file, 'PowerPoint Document', Buffer.concat(pieces));
  cfb.utils.cfb_add(file, 'Current User', user);
  return new Uint8Array(cfb.write(file, { type: 'buffer' }) as Buffer);
}
