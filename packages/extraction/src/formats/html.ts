import { Readability } from '@mozilla/readability';
import iconv from 'iconv-lite';
import { decode, detectCharset } from '../charset.ts';
import { ExtractionError } from '../errors.ts';
import type { Format, FormatInput } from '../format.ts';
import { writeMarkup } from '../markup-blocks.ts';
import { attribute, descendants, localName, parseHtmlDocument, walk } from '../markup.ts';
import type { MarkupNode } from '../markup.ts';
import { cleanTitle, truncationNote } from '../text-builder.ts';
import type { Extraction } from '../types.ts';

/** Above this many characters the search for the main content costs more than it gives. */
const MAX_ARTICLE_LENGTH = 1_000_000;
/** The share of a page's text that its main content must hold to be read in the page's stead. */
const ARTICLE_SHARE = 0.7;
const FURNITURE = new Set(['nav', 'menu']);
const FURNITURE_ROLES = new Set([
  'navigation',
  'search',
  'banner',
  'contentinfo',
  'menu',
  'menubar',
]);

/** HTML pages: the main content with its headings, lists and tables; never scripts or styles. */
export const html: Format = { type: 'html', read: readHtml };

function readHtml({ bytes, limits, builder }: FormatInput): Extraction {
  const charset = htmlCharset(bytes);
  let source = decode(bytes, charset);
  // Markup outweighs text, so four times the text's bound leaves nothing out that would be kept.
  if (source.length > limits.maxLength * 4) {
    source = source.slice(0, limits.maxLength * 4);
    builder.note(truncationNote(limits, 'length'));
  }
  const page = parseHtmlDocument(source);
  const article = source.length <= MAX_ARTICLE_LENGTH ? mainContent(source, page.root) : null;
  if (article !== null) {
    if (article.title !== '') builder.heading(1, article.title);
    builder.block('prose', article.byline);
  }
  writeMarkup(article?.content ?? page.root, builder, { document: false, skip: isFurniture });
  return builder.finish({ title: cleanTitle(page.title) });
}

/** A byte order mark, then UTF-8 that holds, then what the page declares, then a guess. */
function htmlCharset(bytes: Uint8Array): string {
  const detected = detectCharset(bytes);
  if (detected === null) {
    throw new ExtractionError('damaged', 'This file is not a web page: it could not be read.');
  }
  if (detected.startsWith('utf-')) return detected;
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 4096));
  const declared = /<meta[^<>]+charset\s*=\s*(?:["']\s*)?([\w-]+)/i.exec(start)?.[1];
  const known = declared !== undefined && iconv.encodingExists(declared) && !/^utf/i.test(declared);
  return known ? declared : detected;
}

interface Article {
  content: MarkupNode;
  /** The article's own heading where its content lacks it, else ''. */
  title: string;
  /** Who wrote it and when, as far as the page says. */
  byline: string;
}

/** The page's article, when it is one and holds most of what the page says. */
function mainContent(source: string, root: MarkupNode): Article | null {
  const whole = readableLength(root);
  if (whole < 1000) return null;
  try {
    // Readability takes the document apart while it looks: it gets one of its own.
    const copy = parseHtmlDocument(source).root;
    const reader = new Readability(
      copy as unknown as ConstructorParameters<typeof Readability>[0],
      {
        serializer: (node) => node as unknown as MarkupNode,
        keepClasses: true,
        charThreshold: 200,
      },
    );
    const { content, title, byline, publishedTime } = reader.parse() ?? {};
    if (!content || readableLength(content) < whole * ARTICLE_SHARE) return null;
    const repeated = descendants(content, 'h1').some(
      (heading) => heading.textContent?.trim() === title,
    );
    const about = [byline, publishedTime].filter((part) => part).join(' · ');
    return { content, title: repeated ? '' : (title ?? ''), byline: about };
  } catch {
    return null;
  }
}

function readableLength(root: MarkupNode): number {
  let length = 0;
  walk(root, {
    enter: (node) =>
      !isFurniture(node) && !/^(?:script|style|noscript|template|svg|title)$/.test(localName(node)),
    leave() {},
    text(text) {
      length += text.trim().length;
    },
  });
  return length;
}

function isFurniture(node: MarkupNode): boolean {
  return FURNITURE.has(localName(node)) || FURNITURE_ROLES.has(attribute(node, 'role') ?? '');
}
