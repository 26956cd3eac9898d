import mammoth from 'mammoth';
import type { Format, FormatInput } from '../format.ts';
import { writeMarkup } from '../markup-blocks.ts';
import {
  attribute,
  descendant,
  descendants,
  localName,
  parseHtmlDocument,
  parseXml,
  walk,
} from '../markup.ts';
import type { MarkupNode } from '../markup.ts';
import { damaged, partText, readOfficeParts, repack } from '../office-zip.ts';
import type { OfficeParts } from '../office-zip.ts';
import { cleanTitle } from '../text-builder.ts';
import type { TextBuilder } from '../text-builder.ts';
import type { Extraction } from '../types.ts';

/** Word for the web numbers the main part. */
const MAIN = /^word\/document\d*\.xml$/i;
/** Title and Subtitle are headings to a reader although Word does not number them. */
const STYLES = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => h2:fresh",
  "p[style-name='heading 7'] => h6:fresh",
  "p[style-name='heading 8'] => h6:fresh",
  "p[style-name='heading 9'] => h6:fresh",
];

/** Word documents: body, footnotes, headers, footers and comments, in this order. */
export const docx: Format = { type: 'docx', read };

async function read({ bytes, builder, onProgress }: FormatInput): Promise<Extraction> {
  const parts = readOfficeParts(bytes, (path) => /\.(?:xml|rels)$/i.test(path));
  if (![...parts.keys()].some((path) => MAIN.test(path))) throw damaged();
  onProgress(10);
  const html = await toHtml(parts);
  onProgress(60);
  const notes = html.search(/<ol><li id="(?:foot|end)note-/);
  for (const part of notes === -1 ? [html] : [html.slice(0, notes), html.slice(notes)]) {
    writeMarkup(parseHtmlDocument(part).body, builder, { pictures: true, skip: isBackLink });
    builder.clearHeadings();
  }
  for (const kind of ['header', 'footer']) writeEdges(parts, kind, builder);
  writeComments(parts, builder);
  const core = partText(parts, 'docProps/core.xml');
  const title = core === null ? null : descendant(parseXml(core), 'title');
  return builder.finish({ title: cleanTitle(title?.textContent) });
}

/** The arrow that leads from a footnote back to its mark. */
function isBackLink(node: MarkupNode): boolean {
  return /^#(?:foot|end)note-ref/.test(attribute(node, 'href') ?? '');
}

async function toHtml(parts: OfficeParts): Promise<string> {
  try {
    // Bodies are read without their pictures: only what these are said to show is text.
    const convertImage = mammoth.images.imgElement(() => Promise.resolve({ src: '' }));
    const buffer = Buffer.from(repack(parts));
    const options = { convertImage, styleMap: STYLES, includeEmbeddedStyleMap: false };
    const { value } = await mammoth.convertToHtml({ buffer }, options);
    return value;
  } catch (error) {
    throw damaged(error);
  }
}

/** Headers or footers; the same one on first, odd and even pages is written once. */
function writeEdges(parts: OfficeParts, kind: string, builder: TextBuilder): void {
  const seen = new Set<string>();
  for (const path of [...parts.keys()].sort()) {
    if (!new RegExp(`^word/${kind}\\d*\\.xml$`).test(path)) continue;
    const lines = descendants(parseXml(partText(parts, path) ?? ''), 'p').map(paragraphText);
    const text = lines.filter((line) => line !== '').join('\n');
    if (text === '' || seen.has(text)) continue;
    seen.add(text);
    builder.block('prose', text);
  }
}

function writeComments(parts: OfficeParts, builder: TextBuilder): void {
  const source = partText(parts, 'word/comments.xml');
  if (source === null) return;
  const comments = descendants(parseXml(source), 'comment').map((comment) =>
    descendants(comment, 'p')
      .map(paragraphText)
      .filter((line) => line !== '')
      .join('\n'),
  );
  if (comments.every((comment) => comment === '')) return;
  builder.heading(1, 'Comments');
  for (const comment of comments) builder.block('prose', comment);
}

/** The text of a Word paragraph: its runs, with tabs and breaks, without fields' instructions. */
function paragraphText(paragraph: MarkupNode): string {
  let text = '';
  let reading = 0;
  walk(paragraph, {
    enter(node) {
      const name = localName(node);
      if (name === 't') reading += 1;
      if (name === 'tab' || name === 'br' || name === 'cr') text += ' ';
      return name !== 'del' && name !== 'p';
    },
    leave(node) {
      if (localName(node) === 't') reading -= 1;
    },
    text(data) {
      if (reading > 0) text += data;
    },
  });
  return text.replace(/\s+/gu, ' ').trim();
}
