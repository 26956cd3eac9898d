import { viewOf } from '../bytes.ts';

export interface PptRecord {
  type: number;
  /** Distinguishes records of one type. */
  instance: number;
  start: number;
  end: number;
}

const MAX_RECORDS = 2_000_000;
const MAX_DEPTH = 40;
/** Maximum previous edits, one for each incremental save. */
const MAX_EDITS = 1000;

/** Record types ([MS-PPT] 2.13.24 and [MS-ODRAW] 2.1). */
export const RECORD = {
  document: 0x03e8,
  slide: 0x03ee,
  slideAtom: 0x03ef,
  notes: 0x03f0,
  notesAtom: 0x03f1,
  slidePersistAtom: 0x03f3,
  mainMaster: 0x03f8,
  drawing: 0x040c,
  placeholderAtom: 0x0bc3,
  outlineTextRefAtom: 0x0f9e,
  textHeaderAtom: 0x0f9f,
  textCharsAtom: 0x0fa0,
  textBytesAtom: 0x0fa8,
  cString: 0x0fba,
  headersFooters: 0x0fd9,
  headersFootersAtom: 0x0fda,
  slideListWithText: 0x0ff0,
  userEditAtom: 0x0ff5,
  progTags: 0x1388,
  progBinaryTag: 0x138a,
  binaryTagData: 0x138b,
  persistDirectoryAtom: 0x1772,
  comment10: 0x2ee0,
  cryptSession10: 0x2f14,
  artDrawing: 0xf002,
  artGroup: 0xf003,
  artShape: 0xf004,
  artProperties: 0xf00b,
  artTextbox: 0xf00d,
  artChildAnchor: 0xf00f,
  artClientData: 0xf011,
  artProperties3: 0xf122,
} as const;

export type PptRecords = ReturnType<typeof createPptRecords>;

export function createPptRecords(stream: Uint8Array) {
  const view = viewOf(stream);
  let remaining = MAX_RECORDS;

  const read = (offset: number, end: number): PptRecord | null => {
    if (offset < 0 || offset + 8 > end || remaining <= 0) return null;
    remaining -= 1;
    const start = offset + 8;
    return {
      type: view.getUint16(offset + 2, true),
      instance: view.getUint16(offset, true) >> 4,
      start,
      end: Math.min(start + view.getUint32(offset + 4, true), end),
    };
  };

  const children = (record: PptRecord): PptRecord[] => {
    const records: PptRecord[] = [];
    for (let offset = record.start; offset < record.end;) {
      const child = read(offset, record.end);
      if (child === null) break;
      records.push(child);
      offset = child.end;
    }
    return records;
  };

  const below = (record: PptRecord, type: number, depth = 0): PptRecord[] => {
    const records: PptRecord[] = [];
    for (const child of children(record)) {
      if (child.type === type) records.push(child);
      else if (isContainer(view, child) && depth < MAX_DEPTH) {
        records.push(...below(child, type, depth + 1));
      }
    }
    return records;
  };

  return {
    view,
    at: (offset: number) => read(offset, stream.length),
    children,
    child(record: PptRecord, type: number, instance?: number): PptRecord | null {
      return (
        children(record).find(
          (child) => child.type === type && (instance === undefined || child.instance === instance),
        ) ?? null
      );
    },
    below: (record: PptRecord, type: number) => below(record, type),
    text({ type, start, end }: PptRecord): string {
      const bytes = stream.subarray(start, end);
      // Single bytes are Latin-1, the low halves of UTF-16 ([MS-PPT] 2.9.43).
      if (type === RECORD.textBytesAtom) return Buffer.from(bytes).toString('latin1');
      return Buffer.from(bytes.subarray(0, bytes.length & ~1)).toString('utf16le');
    },
  };
}

/** Containers have version 0xF ([MS-PPT] 2.3.1). */
function isContainer(view: DataView, record: PptRecord): boolean {
  return (view.getUint16(record.start - 8, true) & 0xf) === 0xf;
}

/** The newest offset of each object, by the chain of edits ([MS-PPT] 2.1.2). Empty if broken. */
export function persistOffsets(
  records: PptRecords,
  lastEdit: number,
): { offsets: Map<number, number>; document: number | null } {
  const offsets = new Map<number, number>();
  const { view } = records;
  let document: number | null = null;
  let offset = lastEdit;
  for (let edits = 0; offset > 0 && edits < MAX_EDITS; edits += 1) {
    const edit = records.at(offset);
    if (edit?.type !== RECORD.userEditAtom || edit.end - edit.start < 20) break;
    document ??= view.getUint32(edit.start + 16, true);
    const directory = records.at(view.getUint32(edit.start + 12, true));
    if (directory?.type === RECORD.persistDirectoryAtom) readDirectory(view, directory, offsets);
    const previous = view.getUint32(edit.start + 8, true);
    if (previous >= offset) break;
    offset = previous;
  }
  return { offsets, document: document === null ? null : (offsets.get(document) ?? null) };
}

/** Runs of offsets: first object and count, then the offsets. */
function readDirectory(view: DataView, directory: PptRecord, offsets: Map<number, number>): void {
  for (let offset = directory.start; offset + 4 <= directory.end;) {
    const run = view.getUint32(offset, true);
    const first = run & 0xfffff;
    const count = run >>> 20;
    offset += 4;
    for (let index = 0; index < count && offset + 4 <= directory.end; index += 1, offset += 4) {
      if (!offsets.has(first + index)) offsets.set(first + index, view.getUint32(offset, true));
    }
  }
}
