import { SSF } from '@e965/xlsx';
import { type EmbeddedPictures, openEmbeddedPictures } from '../pictures/embedded-pictures.ts';
import type { FormatInput } from '../format.ts';
import {
  attribute,
  children,
  descendant,
  descendants,
  localName,
  type MarkupNode,
  walk,
} from '../html/markup.ts';
import { signedComment, writeComments } from './notes-and-comments.ts';
import {
  coreTitle,
  damaged,
  type OfficeParts,
  paragraphText,
  partXml,
  readOfficeParts,
  relations,
} from './zip-package.ts';
import { rowText, writeRows } from '../text/tables.ts';
import type { TextBuilder } from '../text-builder.ts';
import type { Extraction, Location } from '../types.ts';

const MAIN = 'ppt/presentation.xml';
/** Placeholders that are not read. */
const SKIPPED = new Set(['sldnum', 'dt', 'sldimg']);
/** Placeholders whose text is written once. */
const EDGES = new Set(['ftr', 'hdr']);

/** PowerPoint presentations: slides in order with notes. */
export async function read(input: FormatInput): Promise<Extraction> {
  const { bytes, builder, onProgress } = input;
  const parts = readOfficeParts(bytes, (path) => /\.(?:xml|rels)$/i.test(path));
  const slides = slidePaths(parts);
  if (!parts.has(MAIN) && slides.length === 0) throw damaged();
  const authors = commentAuthors(parts);
  const edges = new Map<string, Location>();
  const pictures = await openEmbeddedPictures(input);
  const show: Show = { parts, authors, edges, layouts: new Map(), pictures, builder };
  let missing = 0;
  for (const [index, path] of slides.entries()) {
    const slide = partXml(parts, path);
    if (slide === null) missing += 1;
    else writeSlide(show, path, slide, { slide: index + 1 });
    onProgress(Math.round(((index + 1) / slides.length) * 100));
  }
  builder.clearHeadings();
  for (const [layout, location] of show.layouts) noteBackground(show, layout, location);
  for (const [text, location] of edges) builder.block('prose', text, location);
  pictures.end();
  if (missing > 0) builder.note(`${missing} of ${slides.length} slides could not be read.`);
  const title = coreTitle(parts);
  return builder.finish({
    title: title === 'PowerPoint Presentation' ? null : title,
    parts: slides.length,
  });
}

/** Slides in presentation order, or by number. */
function slidePaths(parts: OfficeParts): string[] {
  const targets = relations(parts, MAIN);
  const main = partXml(parts, MAIN);
  const ids = main === null ? [] : descendants(main, 'sldid');
  const ordered = ids.map((id) => targets.get(attribute(id, 'r:id') ?? '')?.path);
  if (ordered.length > 0 && ordered.every((path) => path !== undefined)) return ordered;
  const number = (path: string): number => Number(/(?<!\d)(\d+)\.xml$/.exec(path)?.[1] ?? 0);
  return [...parts.keys()]
    .filter((path) => /^ppt\/slides\/slide\d+\.xml$/.test(path))
    .sort((a, b) => number(a) - number(b));
}

interface Show {
  parts: OfficeParts;
  authors: Map<string, string>;
  edges: Map<string, Location>;
  /** Layouts and masters with the first slide that uses each. */
  layouts: Map<string, Location>;
  pictures: EmbeddedPictures;
  builder: TextBuilder;
}

function writeSlide(show: Show, path: string, slide: MarkupNode, location: Location): void {
  const { parts, authors, edges, pictures, builder } = show;
  const related = relations(parts, path);
  builder.clearHeadings();
  const shapes = descendants(slide, 'sp').filter((shape) => !isInFallback(shape));
  const title = shapes.find((shape) => /^(?:title|ctrtitle)$/.test(placeholder(shape)));
  const heading = title === undefined ? '' : textOnOneLine(title);
  if (heading !== '') builder.heading(1, heading, location);
  walk(slide, {
    enter(node) {
      const name = localName(node);
      if (name === 'fallback') return false;
      if (name === 'cnvpr') writeAltText(node, location, builder);
      if (name === 'blip') {
        pictures.write(related.get(attribute(node, 'r:embed') ?? '')?.path ?? '', location);
      }
      if (name === 'tbl') writeTable(node, location, builder);
      if (name === 'sp' && node !== title) {
        const kind = placeholder(node);
        if (EDGES.has(kind)) noteEdge(node, location, edges);
        else if (!SKIPPED.has(kind)) writeParagraphs(node, location, builder);
      }
      return name !== 'tbl' && name !== 'txbody';
    },
  });
  for (const relation of related.values()) {
    if (relation.type === 'slideLayout') noteLayout(show, relation.path, location);
    if (!WRITTEN_WITH_SLIDE.has(relation.type)) continue;
    const part = partXml(parts, relation.path);
    if (part === null) continue;
    if (relation.type === 'notesSlide') writeNotes(part, edges, location, builder);
    if (relation.type === 'diagramData') writeParagraphs(part, location, builder);
    if (relation.type === 'chart') writeChart(part, location, builder);
    if (relation.type === 'comments') {
      writeComments(commentsIn(part, authors), builder, { level: 2, location });
    }
  }
}

const WRITTEN_WITH_SLIDE = new Set(['notesSlide', 'diagramData', 'chart', 'comments']);

function noteLayout({ parts, layouts }: Show, path: string, location: Location): void {
  if (layouts.has(path)) return;
  layouts.set(path, location);
  for (const { type, path: master } of relations(parts, path).values()) {
    if (type === 'slideMaster' && !layouts.has(master)) layouts.set(master, location);
  }
}

/** Collects texts and pictures of a layout or master, except placeholders. */
function noteBackground(show: Show, path: string, location: Location): void {
  const { parts, edges, pictures } = show;
  const root = partXml(parts, path);
  if (root === null) return;
  for (const shape of descendants(root, 'sp')) {
    const kind = placeholder(shape);
    if ((kind === '' || EDGES.has(kind)) && !isInFallback(shape)) noteEdge(shape, location, edges);
  }
  const related = relations(parts, path);
  for (const blip of descendants(root, 'blip')) {
    pictures.write(related.get(attribute(blip, 'r:embed') ?? '')?.path ?? '', location);
  }
}

/** A prompt or slide number. */
const NO_CONTENT = /^(?:<[^<>]*>|[^\p{L}\p{N}]*)$/u;

function noteEdge(shape: MarkupNode, location: Location, edges: Map<string, Location>): void {
  const text = textOnOneLine(shape);
  if (!NO_CONTENT.test(text) && !edges.has(text)) edges.set(text, location);
}

/** Comment authors by ID, of older and newer files. */
function commentAuthors(parts: OfficeParts): Map<string, string> {
  const authors = new Map<string, string>();
  for (const [path, name] of [
    ['ppt/commentAuthors.xml', 'cmauthor'],
    ['ppt/authors.xml', 'author'],
  ] as const) {
    const root = partXml(parts, path);
    for (const node of root === null ? [] : descendants(root, name)) {
      authors.set(attribute(node, 'id') ?? '', attribute(node, 'name') ?? '');
    }
  }
  return authors;
}

function commentsIn(root: MarkupNode, authors: Map<string, string>): string[] {
  return descendants(root, 'cm').map((comment) =>
    signedComment(
      authors.get(attribute(comment, 'authorId') ?? '') ?? '',
      descendant(comment, 'text')?.textContent?.trim() ?? textOnOneLine(comment),
    ),
  );
}

function isInFallback(node: MarkupNode): boolean {
  for (let ancestor = node.parentNode; ancestor !== null; ancestor = ancestor.parentNode) {
    if (localName(ancestor) === 'fallback') return true;
  }
  return false;
}

function placeholder(shape: MarkupNode): string {
  const node = descendant(shape, 'ph');
  return node === null ? '' : (attribute(node, 'type') ?? 'body').toLowerCase();
}

function paragraphs(root: MarkupNode): { text: string; bullet: boolean }[] {
  return descendants(root, 'p')
    .map((paragraph) => ({
      text: paragraphText(paragraph),
      bullet:
        descendant(paragraph, 'buchar') !== null || descendant(paragraph, 'buautonum') !== null,
    }))
    .filter(({ text }) => text !== '');
}

function writeParagraphs(root: MarkupNode, location: Location, builder: TextBuilder): void {
  const items = paragraphs(root);
  const list = placeholder(root) === 'body' && items.length > 1;
  for (const { text, bullet } of items) {
    builder.block(list || bullet ? 'list' : 'prose', text, location);
  }
}

const textOnOneLine = (root: MarkupNode): string =>
  paragraphs(root)
    .map(({ text }) => text)
    .join(' ');

function writeAltText(node: MarkupNode, location: Location, builder: TextBuilder): void {
  const text = (attribute(node, 'descr') ?? '').trim();
  if (text !== '') builder.block('prose', text, location);
}

function writeTable(table: MarkupNode, location: Location, builder: TextBuilder): void {
  const rows = descendants(table, 'tr').map((row) =>
    [...children(row)].filter((cell) => localName(cell) === 'tc').map(textOnOneLine),
  );
  writeRows(rows, builder, { location });
}

function writeChart(chart: MarkupNode, location: Location, builder: TextBuilder): void {
  const epoch = descendant(chart, 'date1904');
  const date1904 = epoch !== null && !/^(?:0|false)$/.test(attribute(epoch, 'val') ?? '');
  for (const title of descendants(chart, 'title')) writeParagraphs(title, location, builder);
  for (const series of descendants(chart, 'ser')) {
    const tx = descendant(series, 'tx');
    const name = tx === null ? '' : descendants(tx, 'v').map(textOf).join(' ');
    const points = (...names: string[]): Map<number, string> =>
      chartPoints(names.map((childName) => descendant(series, childName)).find(Boolean), date1904);
    const categories = points('cat', 'xval');
    const values = [...points('val', 'yval')].sort(([a], [b]) => a - b);
    const row = rowText(
      values.map(([index]) => categories.get(index) ?? ''),
      values.map(([, value]) => value),
    );
    if (row !== '') builder.block('table', name === '' ? row : `${name} · ${row}`, location);
  }
}

const textOf = (node: MarkupNode): string => node.textContent ?? '';

/** The points of an axis or series by index. Categories may have several levels. */
function chartPoints(axis: MarkupNode | null | undefined, date1904: boolean): Map<number, string> {
  const points = new Map<number, string>();
  if (!axis) return points;
  const format = descendant(axis, 'formatcode')?.textContent ?? '';
  for (const [index, point] of descendants(axis, 'pt').entries()) {
    const number = Number(attribute(point, 'idx') ?? index);
    const value = descendant(point, 'v')?.textContent ?? '';
    const text = shownDate(value, attribute(point, 'formatCode') ?? format, date1904);
    points.set(number, [points.get(number), text].filter(Boolean).join(' '));
  }
  return points;
}

/** Formats dates, which are stored as day numbers. */
function shownDate(value: string, format: string, date1904: boolean): string {
  const days = Number(value);
  if (value.trim() === '' || Number.isNaN(days) || !SSF.is_date(format)) return value;
  for (const candidate of [format, 'yyyy-mm-dd']) {
    try {
      return String(SSF.format(candidate, days, { date1904 }));
    } catch {
      // The format is not supported.
    }
  }
  return value;
}

function writeNotes(
  notes: MarkupNode,
  edges: Map<string, Location>,
  location: Location,
  builder: TextBuilder,
): void {
  const boxes = descendants(notes, 'sp');
  for (const shape of boxes) if (EDGES.has(placeholder(shape))) noteEdge(shape, location, edges);
  const shapes = boxes.filter(
    (shape) => !SKIPPED.has(placeholder(shape)) && !EDGES.has(placeholder(shape)),
  );
  const lines = shapes.flatMap((shape) => paragraphs(shape).map(({ text }) => text));
  if (lines.length === 0) return;
  builder.heading(2, 'Notes', location);
  for (const line of lines) builder.block('prose', line, location);
}
