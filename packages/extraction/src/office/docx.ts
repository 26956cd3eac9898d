import mammoth from 'mammoth';
import { type EmbeddedPictures, openEmbeddedPictures } from '../pictures/embedded-pictures.ts';
import type { FormatInput } from '../format.ts';
import { writeMarkup } from '../html/markup-blocks.ts';
import { boundDepth } from '../html/markup-depth.ts';
import {
  attribute,
  descendant,
  descendants,
  localName,
  type MarkupNode,
  parseHtmlDocument,
  parseXml,
} from '../html/markup.ts';
import { signedComment, writeComments, writeEdges } from './notes-and-comments.ts';
import {
  coreTitle,
  damaged,
  type OfficeParts,
  paragraphText,
  partText,
  partXml,
  readOfficeParts,
  relations,
  repack,
} from './zip-package.ts';
import type { TextBuilder } from '../text-builder.ts';
import type { Extraction } from '../types.ts';

/** Word for the web numbers the main part. */
const MAIN = /^word\/document\d*\.xml$/i;
/** Title and Subtitle are headings without a number in Word. */
const STYLES = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => h2:fresh",
  "p[style-name='heading 7'] => h6:fresh",
  "p[style-name='heading 8'] => h6:fresh",
  "p[style-name='heading 9'] => h6:fresh",
];

/** Word documents: body, footnotes, headers, footers and comments, in this order. */
export async function read(input: FormatInput): Promise<Extraction> {
  const { bytes, builder, onProgress } = input;
  const parts = readOfficeParts(bytes, (path) => /\.(?:xml|rels)$/i.test(path));
  if (![...parts.keys()].some((path) => MAIN.test(path))) throw damaged();
  for (const [path, part] of parts) parts.set(path, prepare(part));
  const pictures = await openEmbeddedPictures(input);
  onProgress(10);
  const html = await toHtml(parts, pictures);
  onProgress(60);
  const notes = html.search(/<ol><li id="(?:foot|end)note-/);
  for (const part of notes === -1 ? [html] : [html.slice(0, notes), html.slice(notes)]) {
    writeMarkup(parseHtmlDocument(part).root, builder, {
      document: true,
      skip: isBackLink,
      picture: (path) => pictures.write(path),
    });
    builder.clearHeadings();
  }
  writeTextBoxes(parts, html, builder);
  const edges = ['header', 'footer'].flatMap((kind) => edgePaths(parts, kind));
  writeEdges(
    edges.map((path) => edgeText(parts, path)),
    builder,
  );
  for (const path of edges) writePictures(parts, path, pictures);
  writeComments(commentsOf(parts), builder, { level: 1 });
  const main = [...parts.keys()].find((path) => MAIN.test(path)) ?? '';
  // The body's HTML lacks pictures in text boxes and shapes.
  writePictures(parts, main, pictures);
  pictures.end();
  return builder.finish({ title: coreTitle(parts) });
}

function isBackLink(node: MarkupNode): boolean {
  return /^#(?:foot|end)note-ref/.test(attribute(node, 'href') ?? '');
}

async function toHtml(parts: OfficeParts, { paths }: EmbeddedPictures): Promise<string> {
  try {
    // Each picture is replaced by its path.
    const named = [...paths].map((path) => [path, new TextEncoder().encode(path)] as const);
    const convertImage = mammoth.images.imgElement(async (image) => ({
      src: await image.readAsBuffer().then(String, () => ''),
    }));
    const buffer = Buffer.from(repack(new Map([...parts, ...named])));
    const options = { convertImage, styleMap: STYLES, includeEmbeddedStyleMap: false };
    const { value } = await mammoth.convertToHtml({ buffer }, options);
    return value;
  } catch (error) {
    throw damaged(error);
  }
}

/** Removes entities, deep nesting and formula markup, which the library cannot read. */
function prepare(part: Uint8Array): Uint8Array {
  const text = new TextDecoder().decode(part);
  const readable = withFormulas(boundDepth(withoutEntities(text), { xml: true }));
  return readable === text ? part : new TextEncoder().encode(readable);
}

/** Removes the document type and its entities, which may name local files or endless text. */
function withoutEntities(text: string): string {
  const start = text.slice(0, 4096).indexOf('<!DOCTYPE');
  if (start === -1) return text;
  const subset = /^<!DOCTYPE[^[>]*(?:\[[^\]]*\]\s*)?>/.exec(text.slice(start))?.[0] ?? '';
  return text.replace(subset, '').replace(/&(?!(?:lt|gt|amp|quot|apos);|#)[\w.:-]+;/g, '');
}

/** Operators that show the structure of a formula on one line. */
const OPERATORS: Record<string, string> = { den: '/', sup: '^', sub: '_' };

/** Makes formulas (Office MathML) plain text, because the library skips them. */
function withFormulas(text: string): string {
  if (!text.includes('<m:oMath')) return text;
  return text.replace(
    /<(\/?)m:(\w+)\b([^<>]*)>/g,
    (_, slash: string, name: string, attrs: string) => {
      const operator = slash === '' && !attrs.endsWith('/') ? OPERATORS[name] : undefined;
      const tag = `<${slash}w:${name === 'r' || name === 't' ? name : 'smartTag'}${attrs}>`;
      return operator === undefined ? tag : `${tag}<w:r><w:t>${operator}</w:t></w:r>`;
    },
  );
}

/** Text boxes of newer Word without a fallback, which the library skips. */
function writeTextBoxes(parts: OfficeParts, html: string, builder: TextBuilder): void {
  const path = [...parts.keys()].find((name) => MAIN.test(name)) ?? '';
  const source = partText(parts, path);
  if (source?.includes('txbxContent') !== true) return;
  const known = withoutSpace(parseHtmlDocument(html).root.textContent ?? '');
  const written = new Set<string>();
  for (const box of descendants(parseXml(source), 'txbxcontent')) {
    const text = descendants(box, 'p')
      .map(wordText)
      .filter((line) => line !== '')
      .join('\n');
    if (text === '' || written.has(text) || known.includes(withoutSpace(text))) continue;
    written.add(text);
    builder.block('prose', text);
  }
}

const withoutSpace = (text: string): string => text.replace(/\s+/gu, '');

function edgePaths(parts: OfficeParts, kind: string): string[] {
  return [...parts.keys()]
    .filter((path) => /^word\/([a-z]+)\d*\.xml$/.exec(path)?.[1] === kind)
    .sort();
}

function edgeText(parts: OfficeParts, path: string): string {
  const paragraphs = descendants(parseXml(partText(parts, path) ?? ''), 'p');
  return paragraphs
    .filter((paragraph) => !isMergedAway(paragraph))
    .map(wordText)
    .join('\n');
}

function writePictures(parts: OfficeParts, path: string, pictures: EmbeddedPictures): void {
  for (const relation of relations(parts, path).values()) {
    if (relation.type === 'image') pictures.write(relation.path);
  }
}

function isMergedAway(paragraph: MarkupNode): boolean {
  for (let ancestor = paragraph.parentNode; ancestor !== null; ancestor = ancestor.parentNode) {
    if (localName(ancestor) !== 'tc') continue;
    const merge = descendant(ancestor, 'vmerge');
    return merge !== null && attribute(merge, 'w:val') !== 'restart';
  }
  return false;
}

function commentsOf(parts: OfficeParts): string[] {
  const root = partXml(parts, 'word/comments.xml');
  return (root === null ? [] : descendants(root, 'comment')).map((comment) =>
    signedComment(
      (attribute(comment, 'w:author') ?? '').trim(),
      descendants(comment, 'p').map(wordText).join('\n').trim(),
    ),
  );
}

/** The text of a paragraph without deleted text and text boxes. */
const wordText = (paragraph: MarkupNode): string =>
  paragraphText(paragraph, (name) => name === 'del' || name === 'p');
