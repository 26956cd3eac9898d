import { writeComments, writeEdges } from './notes-and-comments.ts';
import { type EmbeddedPictures, openEmbeddedPictures } from '../pictures/embedded-pictures.ts';
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
} from '../html/markup.ts';
import { odfMarkup, plainText } from './open-document/markup.ts';
import { type OdfStyles, openDocument, pathInside } from './open-document/package.ts';
import type { TextBuilder } from '../text-builder.ts';
import type { Extraction, Location } from '../types.ts';

const FURNITURE = new Set(['page-number', 'date-time', 'page', 'header', 'footer']);
/** Texts that stand on many slides: each is said once. */
const EDGES = new Set(['header-decl', 'footer-decl']);

/** OpenDocument presentations: slides in their order, with tables, pictures' texts, notes and comments. */
export async function read(input: FormatInput): Promise<Extraction> {
  const { bytes, builder, onProgress } = input;
  const document = openDocument(bytes, builder);
  const pictures = await openEmbeddedPictures(input);
  const slides = descendants(document.body, 'page');
  for (const [at, slide] of slides.entries()) {
    if (builder.full) break;
    writeSlide(slide, document.styles, { slide: at + 1 }, { builder, pictures });
    onProgress(Math.round(((at + 1) / slides.length) * 100));
  }
  const edges = [...descendants(document.body, 'presentation')]
    .flatMap((node) => [...children(node)])
    .filter((node) => EDGES.has(localName(node)))
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
  const seen = (node: MarkupNode): boolean => node !== title && !FURNITURE.has(kindOf(node));
  const { html, notes, comments } = odfMarkup(slide, styles, seen);
  writeMarkup(parseHtmlDocument(html).root, builder, {
    document: true,
    location,
    picture: (path) => pictures.write(pathInside(path), location),
  });
  for (const note of notes) builder.block('prose', note, location);
  const spoken = descendant(slide, 'notes');
  const lines = spoken === null ? null : odfMarkup(spoken, styles, seen);
  if (lines !== null && />\s*[^<\s]/.test(lines.html)) {
    builder.heading(2, 'Notes', location);
    writeMarkup(parseHtmlDocument(lines.html).root, builder, { document: true, location });
  }
  writeComments(comments, builder, { level: 2, location });
}

function kindOf(shape: MarkupNode): string {
  return attribute(shape, 'presentation:class') ?? '';
}
