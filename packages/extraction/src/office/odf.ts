import type { FormatInput } from '../format.ts';
import { writeMarkup } from '../html/markup-blocks.ts';
import {
  attribute,
  children,
  descendant,
  descendants,
  localName,
  type MarkupNode,
  parseHtmlDocument,
  parseXml,
} from '../html/markup.ts';
import { type EmbeddedPictures, openEmbeddedPictures } from '../pictures/embedded-pictures.ts';
import { cleanTitle, type TextBuilder } from '../text-builder.ts';
import type { Extraction, Location } from '../types.ts';
import { writeComments, writeEdges, writeNotesAndComments } from './notes-and-comments.ts';
import { odfMarkup, type OdfStyles, plainText, readStyles } from './odf-markup.ts';
import { damaged, partText, readOfficeParts } from './zip-package.ts';

/** Maximum content in UTF-16 units, several times the longest book. */
const MAX_CONTENT = 40_000_000;

export function read(input: FormatInput): Promise<Extraction> {
  return input.type === 'odp' ? readSlides(input) : readText(input);
}

/** Opens the text parts of an OpenDocument file (OASIS 1.3, part 2). Throws {@link ExtractionError}. */
export function openDocument(bytes: Uint8Array, builder: TextBuilder) {
  const parts = readOfficeParts(bytes, (path) =>
    /(?:^|\/)(?:content|styles|meta)\.xml$/.test(path),
  );
  const source = partText(parts, 'content.xml');
  if (source === null) throw damaged();
  if (source.length > MAX_CONTENT) {
    const limit = MAX_CONTENT.toLocaleString('en-US');
    builder.note(`Only the first ${limit} characters of its content were read.`);
  }
  const content = parseXml(source.slice(0, MAX_CONTENT));
  const body = descendant(content, 'body');
  if (body === null) throw damaged();
  const stylesSource = partText(parts, 'styles.xml')?.slice(0, MAX_CONTENT);
  const masters = stylesSource === undefined ? null : parseXml(stylesSource);
  const meta = partText(parts, 'meta.xml')?.slice(0, MAX_CONTENT);
  const title = meta === undefined ? null : descendant(parseXml(meta), 'title')?.textContent;
  const styles = readStyles([content, masters].filter((root) => root !== null));
  return { body, masters, styles, title: cleanTitle(title) };
}

/** Normalizes './Pictures/1.png' to 'Pictures/1.png'. */
const pathInside = (reference: string): string => reference.replace(/^\.\//, '');

const TEXT_EDGE = /^(?:header|footer)(?:-left|-first)?$/;

/** OpenDocument texts: body, then notes, headers, footers and comments. */
async function readText(input: FormatInput): Promise<Extraction> {
  const { bytes, builder, onProgress } = input;
  const { body, masters, styles, title } = openDocument(bytes, builder);
  const pictures = await openEmbeddedPictures(input);
  onProgress(30);
  const { html, notes, comments } = odfMarkup(body, styles);
  onProgress(60);
  writeMarkup(parseHtmlDocument(html).root, builder, {
    document: true,
    picture: (path) => pictures.write(pathInside(path)),
  });
  writeNotesAndComments({ notes, edges: edgesOf(masters), comments }, builder);
  pictures.end();
  return builder.finish({ title });
}

function edgesOf(masters: MarkupNode | null): string[] {
  if (masters === null) return [];
  return descendants(masters, 'master-page').flatMap((page) =>
    [...children(page)].filter((node) => TEXT_EDGE.test(localName(node))).map(plainText),
  );
}

const SKIPPED = new Set(['page-number', 'date-time', 'page', 'header', 'footer']);
/** Repeated texts, which are written once. */
const SLIDE_EDGES = new Set(['header-decl', 'footer-decl']);

/** OpenDocument presentations: slides in order with notes and comments. */
async function readSlides(input: FormatInput): Promise<Extraction> {
  const { bytes, builder, onProgress } = input;
  const document = openDocument(bytes, builder);
  const pictures = await openEmbeddedPictures(input);
  const slides = descendants(document.body, 'page');
  for (const [index, slide] of slides.entries()) {
    if (builder.full) break;
    writeSlide(slide, document.styles, { slide: index + 1 }, { builder, pictures });
    onProgress(Math.round(((index + 1) / slides.length) * 100));
  }
  const edges = [...descendants(document.body, 'presentation')]
    .flatMap((node) => [...children(node)])
    .filter((node) => SLIDE_EDGES.has(localName(node)))
    .map((node) => node.textContent ?? '');
  builder.clearHeadings();
  writeEdges(edges, builder, { slide: 1 });
  pictures.end();
  return builder.finish({ title: document.title, parts: slides.length });
}

function writeSlide(
  slide: MarkupNode,
  styles: OdfStyles,
  location: Location,
  { builder, pictures }: { builder: TextBuilder; pictures: EmbeddedPictures },
): void {
  builder.clearHeadings();
  const shapes = [...children(slide)];
  const title = shapes.find((shape) => kindOf(shape) === 'title' && plainText(shape) !== '');
  if (title !== undefined) builder.heading(1, plainText(title).replace(/\s+/gu, ' '), location);
  const isRead = (node: MarkupNode): boolean => node !== title && !SKIPPED.has(kindOf(node));
  const { html, notes, comments } = odfMarkup(slide, styles, isRead);
  writeMarkup(parseHtmlDocument(html).root, builder, {
    document: true,
    location,
    picture: (path) => pictures.write(pathInside(path), location),
  });
  for (const note of notes) builder.block('prose', note, location);
  const notesPage = descendant(slide, 'notes');
  const lines = notesPage === null ? null : odfMarkup(notesPage, styles, isRead);
  if (lines !== null && />\s*[^<\s]/.test(lines.html)) {
    builder.heading(2, 'Notes', location);
    writeMarkup(parseHtmlDocument(lines.html).root, builder, { document: true, location });
  }
  writeComments(comments, builder, { level: 2, location });
}

function kindOf(shape: MarkupNode): string {
  return attribute(shape, 'presentation:class') ?? '';
}
