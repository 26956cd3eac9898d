import { decode, detectCharset } from '../text/charset.ts';
import { type EmbeddedPictures, openEmbeddedPictures } from '../pictures/embedded-pictures.ts';
import { ExtractionError } from '../errors.ts';
import type { FormatInput } from '../format.ts';
import { writeMarkup } from './markup-blocks.ts';
import {
  attribute,
  descendant,
  descendants,
  localName,
  type MarkupNode,
  parseHtmlDocument,
  walk,
} from './markup.ts';
import {
  damaged,
  decodePath,
  type OfficeParts,
  partXml,
  readOfficeParts,
} from '../office/zip-package.ts';
import { cleanTitle, type TextBuilder, truncationNote } from '../text-builder.ts';
import type { Extraction } from '../types.ts';

const TEXT_PARTS = /\.(?:x?html?|xml|opf|ncx)$|^META-INF\//i;
/** Fonts may be obfuscated (EPUB 3.3, 4.4). The text of such a book is readable. */
const FONTS_ONLY = /(?:idpf\.org\/2008\/embedding|adobe\.com\/pdf\/enc#RC)$/;

interface Book {
  title: string | null;
  byline: string;
  chapters: string[];
  titles: Map<string, string>;
}

/** Books: the chapters in the order of the spine, under the titles of the table of contents. */
export async function read(input: FormatInput): Promise<Extraction> {
  const { bytes, limits, builder, onProgress } = input;
  const parts = readOfficeParts(bytes, (path) => TEXT_PARTS.test(path));
  refuseProtected(parts);
  const book = openBook(parts);
  builder.heading(0, book.title ?? '');
  builder.block('prose', book.byline);
  builder.clearHeadings();
  const pictures = await openEmbeddedPictures(input);
  let missing = 0;
  /** Markup may be four times as long as its text. */
  let remaining = limits.maxLength * 4;
  for (const [index, path] of book.chapters.entries()) {
    const part = parts.get(path);
    if (builder.full) break;
    if (part === undefined) missing += 1;
    else {
      const source = decode(part, detectCharset(part) ?? 'utf-8');
      if (source.length > remaining) builder.note(truncationNote(limits, 'length'));
      const chapter = { path, source: source.slice(0, remaining), title: book.titles.get(path) };
      writeChapter(chapter, { builder, pictures });
      remaining -= Math.min(remaining, source.length);
    }
    onProgress(Math.round(((index + 1) / book.chapters.length) * 100));
  }
  if (missing > 0) {
    builder.note(`${missing} of ${book.chapters.length} chapters could not be read.`);
  }
  pictures.end();
  return builder.finish({ title: book.title });
}

/** A chapter without a title continues under the headings of the one before. */
function writeChapter(
  { path, source, title }: { path: string; source: string; title: string | undefined },
  { builder, pictures }: { builder: TextBuilder; pictures: EmbeddedPictures },
): void {
  const { root } = parseHtmlDocument(source);
  if (title !== undefined) {
    builder.clearHeadings();
    if (!headings(root).some((heading) => sameTitle(heading, title))) builder.heading(1, title);
  }
  writeMarkup(root, builder, {
    document: true,
    picture: (target) => pictures.write(resolved(path, target) ?? ''),
  });
}

function headings(root: MarkupNode): string[] {
  const texts: string[] = [];
  walk(root, {
    enter(node) {
      if (/^h[1-6]$/.test(localName(node))) texts.push(node.textContent ?? '');
      return texts.length < 3;
    },
  });
  return [...texts, texts.slice(0, 2).join(' ')];
}

function sameTitle(heading: string, title: string): boolean {
  const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  return letters(heading) === letters(title);
}

/** Copy-protected books list their encrypted parts. Only fonts may be encrypted. */
function refuseProtected(parts: OfficeParts): void {
  const root = partXml(parts, 'META-INF/encryption.xml');
  if (root === null) return;
  const methods = descendants(root, 'encrypteddata').map((data) => {
    const method = descendant(data, 'encryptionmethod');
    return method === null ? '' : (attribute(method, 'Algorithm') ?? '');
  });
  if (methods.every((method) => FONTS_ONLY.test(method))) return;
  throw new ExtractionError('encrypted', 'This book is copy-protected and cannot be read.');
}

function openBook(parts: OfficeParts): Book {
  const path = packagePath(parts);
  const root = path === null ? null : partXml(parts, path);
  if (path === null || root === null) return looseBook(parts);
  const text = (name: string): string => descendant(root, name)?.textContent?.trim() ?? '';
  const items = new Map(
    descendants(root, 'item').map((item) => [attribute(item, 'id') ?? '', item] as const),
  );
  const pathOf = (item: MarkupNode | undefined): string | null =>
    item === undefined ? null : resolved(path, attribute(item, 'href') ?? '');
  const nav = [...items.values()].find((item) =>
    /(?:^|\s)nav(?:\s|$)/.test(attribute(item, 'properties') ?? ''),
  );
  const ncx = items.get(attribute(descendant(root, 'spine') ?? root, 'toc') ?? 'ncx');
  const contents = pathOf(nav);
  const spine = descendants(root, 'itemref').map((item) =>
    pathOf(items.get(attribute(item, 'idref') ?? '')),
  );
  const chapters = [...new Set(spine)].filter((path) => path !== null && path !== contents);
  if (chapters.length === 0) return looseBook(parts);
  const titles = titlesIn(parts, contents);
  const year = /^\d{4}/.exec(text('date'))?.[0] ?? '';
  const authors = descendants(root, 'creator').map((node) => node.textContent?.trim() ?? '');
  return {
    title: cleanTitle(text('title')),
    byline: [authors.filter(Boolean).join(', '), year].filter(Boolean).join(' · '),
    chapters: chapters as string[],
    titles: titles.size > 0 ? titles : titlesIn(parts, pathOf(ncx)),
  };
}

function packagePath(parts: OfficeParts): string | null {
  const container = partXml(parts, 'META-INF/container.xml');
  const file = container && descendant(container, 'rootfile');
  const path = file && resolved('', attribute(file, 'full-path') ?? '');
  if (path !== null && parts.has(path)) return path;
  return [...parts.keys()].find((part) => part.endsWith('.opf')) ?? null;
}

function looseBook(parts: OfficeParts): Book {
  const chapters = [...parts.keys()].filter((path) => /\.x?html?$/i.test(path)).sort();
  if (chapters.length === 0) throw damaged();
  return { title: null, byline: '', chapters, titles: new Map() };
}

/** Chapter titles by the table of contents. Only the first link to a chapter has its title. */
function titlesIn(parts: OfficeParts, contents: string | null): Map<string, string> {
  const titles = new Map<string, string>();
  const root = contents === null ? null : partXml(parts, contents);
  if (contents === null || root === null) return titles;
  const lists = descendants(root, 'nav');
  const list = lists.find((candidate) => attribute(candidate, 'epub:type') === 'toc') ?? lists[0];
  const links = list === undefined ? [] : descendants(list, 'a');
  const points = descendants(root, 'navpoint');
  const entries = [
    ...links.map((link) => [attribute(link, 'href'), link.textContent] as const),
    ...points.map((point) => {
      const content = descendant(point, 'content');
      const text = descendant(point, 'text')?.textContent;
      return [content && attribute(content, 'src'), text] as const;
    }),
  ];
  for (const [target, text] of entries) {
    const path = resolved(contents, target ?? '');
    const title = cleanTitle(text);
    if (path !== null && title !== null && !titles.has(path)) titles.set(path, title);
  }
  return titles;
}

/** The path of a link's target within the book. Nothing is ever fetched. */
function resolved(from: string, target: string): string | null {
  const base = new URL('file:///');
  base.pathname = from;
  const url = target === '' ? null : URL.parse(target, base.href);
  return url && decodePath(url.pathname).slice(1);
}
