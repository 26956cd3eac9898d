import { viewOf } from '../bytes.ts';
import {
  type CompoundFile,
  oldProtection,
  openCompoundFile,
  summaryTitle,
} from './compound-file.ts';
import { ExtractionError } from '../errors.ts';
import type { FormatInput } from '../format.ts';
import {
  createPptRecords,
  persistOffsets,
  type PptRecord,
  type PptRecords,
  RECORD,
} from './ppt-records.ts';
import {
  isBody,
  isEdge,
  isSkipped,
  isTitle,
  type PptShape,
  shapesOf,
  textsIn,
} from './ppt-shapes.ts';
import { signedComment, writeComments } from './notes-and-comments.ts';
import { writeRows } from '../text/tables.ts';
import { cleanTitle, type TextBuilder } from '../text-builder.ts';
import type { Extraction, Location } from '../types.ts';

const MAX_SLIDES = 10_000;
/** The token of an encrypted presentation ([MS-PPT] 2.3.2). */
const ENCRYPTED_TOKEN = 0xf3d1c4df;

/** PowerPoint presentations from before 2007: slides in order with notes. */
export function read({ bytes, builder, onProgress }: FormatInput): Extraction {
  const file = openCompoundFile(bytes);
  const stream = file?.stream('PowerPoint Document') ?? null;
  if (file === null || stream === null) throw damagedPresentation();
  const records = createPptRecords(stream.bytes);
  const objects = objectsOf(file, records);
  const { slides, masters } = objects;
  if (slides.length === 0 && masters.length === 0) throw damagedPresentation();
  const edges = new Map<string, Location>();
  const seen = new Set<string>();
  for (const [index, slide] of slides.entries()) {
    if (builder.full) break;
    const location = { slide: index + 1 };
    const shapes = shapesOf(records, slide.record, slide.outline);
    noteEdges(shapes.filter(isEdge), location, edges);
    for (const shape of shapes) if (!isEdge(shape)) seen.add(textOf(shape));
    writeSlide(records, slide, shapes, location, builder);
    onProgress(Math.round(((index + 1) / slides.length) * 100));
  }
  for (const master of masters) {
    // Master placeholders have prompts for the author.
    const written = shapesOf(records, master, []).filter((shape) => !isSkipped(shape));
    noteEdges(written, { slide: 1 }, edges);
  }
  for (const text of objects.edges) if (!edges.has(text)) edges.set(text, { slide: 1 });
  builder.clearHeadings();
  for (const [text, location] of edges) {
    if (!seen.has(text)) builder.block('prose', text, location);
  }
  if (!stream.complete) {
    builder.note('This presentation is damaged or incomplete. Engram read what it could.');
  }
  const title = cleanTitle(summaryTitle(file));
  return builder.finish({
    title: title === 'PowerPoint Presentation' ? null : title,
    parts: slides.length,
  });
}

function damagedPresentation(): ExtractionError {
  return new ExtractionError('damaged', 'This presentation is damaged and cannot be opened.');
}

interface Slide {
  record: PptRecord;
  /** Texts of its placeholders. */
  outline: { textType: number; text: string }[];
  notes: PptRecord | null;
}

interface Objects {
  slides: Slide[];
  masters: PptRecord[];
  edges: string[];
}

/** Slides in presentation order, or in stream order if the file is broken. */
function objectsOf(file: CompoundFile, records: PptRecords): Objects {
  const user = file.stream('Current User')?.bytes;
  const view = user === undefined ? null : viewOf(user);
  const known = view !== null && view.byteLength >= 20;
  const { offsets, document } = persistOffsets(records, known ? view.getUint32(16, true) : 0);
  const session = [...offsets.values()].some(
    (offset) => records.at(offset)?.type === RECORD.cryptSession10,
  );
  if (
    session ||
    file.names.includes('EncryptedSummary') ||
    (known && view.getUint32(12, true) === ENCRYPTED_TOKEN)
  ) {
    throw oldProtection();
  }
  const main = document === null ? null : records.at(document);
  if (main?.type !== RECORD.document) return scanObjects(records);
  const lists = records.children(main).filter(({ type }) => type === RECORD.slideListWithText);
  const entries = (instance: number): Entry[] =>
    lists.filter((list) => list.instance === instance).flatMap((list) => entriesOf(records, list));
  const recordsOf = (entry: Entry, type: number): PptRecord[] => {
    const record = records.at(offsets.get(entry.persistId) ?? -1);
    return record?.type === type ? [record] : [];
  };
  const notes = notesBySlide(
    records,
    entries(2).flatMap((entry) => recordsOf(entry, RECORD.notes)),
  );
  // A list may repeat an object, which is read once.
  const seen = new Set<number>();
  const slides = entries(0).flatMap((entry) =>
    recordsOf(entry, RECORD.slide).flatMap((record) => {
      if (seen.has(record.start) || seen.size >= MAX_SLIDES) return [];
      seen.add(record.start);
      return [{ record, outline: entry.texts, notes: notes.get(entry.slideId) ?? null }];
    }),
  );
  if (slides.length === 0) return scanObjects(records);
  const masters = entries(1).flatMap((entry) => recordsOf(entry, RECORD.mainMaster));
  return { slides, masters, edges: headersAndFooters(records, main) };
}

interface Entry {
  persistId: number;
  slideId: number;
  texts: { textType: number; text: string }[];
}

function entriesOf(records: PptRecords, list: PptRecord): Entry[] {
  const { view } = records;
  const groups: { entry: Entry; parts: PptRecord[] }[] = [];
  for (const part of records.children(list)) {
    if (part.type === RECORD.slidePersistAtom && part.end - part.start >= 16) {
      const persistId = view.getUint32(part.start, true);
      const slideId = view.getUint32(part.start + 12, true);
      groups.push({ entry: { persistId, slideId, texts: [] }, parts: [] });
    } else groups.at(-1)?.parts.push(part);
  }
  return groups.map(({ entry, parts }) => ({ ...entry, texts: textsIn(records, parts) }));
}

function notesBySlide(records: PptRecords, notes: PptRecord[]): Map<number, PptRecord> {
  const bySlide = new Map<number, PptRecord>();
  for (const record of notes) {
    const atom = records.child(record, RECORD.notesAtom);
    if (atom !== null && atom.end - atom.start >= 4) {
      bySlide.set(records.view.getUint32(atom.start, true), record);
    }
  }
  return bySlide;
}

/** All slides of a stream without a usable slide list. */
function scanObjects(records: PptRecords): Objects {
  const { byteLength } = records.view;
  const topLevel = records.children({ type: 0, instance: 0, start: 0, end: byteLength });
  const ofType = (type: number): PptRecord[] => topLevel.filter((record) => record.type === type);
  const document = ofType(RECORD.document).at(-1);
  const lists = document === undefined ? [] : records.children(document);
  const texts = lists
    .filter(({ type, instance }) => type === RECORD.slideListWithText && instance === 0)
    .flatMap((list) => entriesOf(records, list));
  return {
    slides: ofType(RECORD.slide)
      .slice(0, MAX_SLIDES)
      .map((record, index) => ({ record, outline: texts[index]?.texts ?? [], notes: null })),
    masters: ofType(RECORD.mainMaster).slice(0, 100),
    edges: [],
  };
}

function headersAndFooters(records: PptRecords, document: PptRecord): string[] {
  return records
    .children(document)
    .filter(({ type }) => type === RECORD.headersFooters)
    .flatMap((list) => records.children(list))
    .filter(({ type, instance }) => type === RECORD.cString && instance > 0)
    .map((record) => records.text(record).trim())
    .filter((text) => text !== '');
}

function writeSlide(
  records: PptRecords,
  { record, notes }: Slide,
  shapes: readonly PptShape[],
  location: Location,
  builder: TextBuilder,
): void {
  builder.clearHeadings();
  const title = shapes.find((shape) => isTitle(shape) && shape.paragraphs.length > 0);
  if (title !== undefined) builder.heading(1, title.paragraphs.join(' '), location);
  for (const shape of shapes) {
    if (shape.rows.length > 0) writeRows(shape.rows, builder, { location });
    else if (shape !== title && !isSkipped(shape) && !isEdge(shape)) {
      const kind = isBody(shape) && shape.paragraphs.length > 1 ? 'list' : 'prose';
      for (const paragraph of shape.paragraphs) builder.block(kind, paragraph, location);
      builder.block('prose', shape.description, location);
    }
  }
  if (notes !== null) writeNotes(records, notes, location, builder);
  writeComments(commentsOn(records, record), builder, { level: 2, location });
}

const textOf = ({ paragraphs }: PptShape): string => paragraphs.join(' ');

/** Collects texts that repeat on slides, to write them once. */
function noteEdges(
  shapes: readonly PptShape[],
  location: Location,
  edges: Map<string, Location>,
): void {
  for (const shape of shapes) {
    const text = textOf(shape);
    if (text !== '' && !edges.has(text)) edges.set(text, location);
  }
}

function writeNotes(
  records: PptRecords,
  notes: PptRecord,
  location: Location,
  builder: TextBuilder,
): void {
  const lines = shapesOf(records, notes, []).flatMap((shape) =>
    isSkipped(shape) || isEdge(shape) ? [] : shape.paragraphs,
  );
  if (lines.length === 0) return;
  builder.heading(2, 'Notes', location);
  for (const line of lines) builder.block('prose', line, location);
}

/** Comments on a slide: author and text ([MS-PPT] 2.11.8). */
function commentsOn(records: PptRecords, slide: PptRecord): string[] {
  const tags = records.child(slide, RECORD.progTags);
  const comments = tags === null ? [] : records.below(tags, RECORD.comment10);
  return comments.map((comment) => {
    const part = (instance: number): string => {
      const record = records.child(comment, RECORD.cString, instance);
      return record === null ? '' : records.text(record).trim();
    };
    return signedComment(part(0), part(1));
  });
}
