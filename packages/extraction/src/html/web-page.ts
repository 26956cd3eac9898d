import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { decode } from '../text/charset.ts';
import { cleanTitle } from '../text-builder.ts';
import { findBoilerplate } from './boilerplate.ts';
import { htmlCharset } from './html.ts';
import { boundDepth } from './markup-depth.ts';
import type { MarkupNode } from './markup.ts';

/** A web page without its menus and banners. Its addresses are absolute. */
export interface WebPage {
  title: string | null;
  author: string | null;
  site: string | null;
  /** As YYYY-MM-DD if the page has this format, otherwise as written. */
  published: string | null;
  /** A language tag (BCP 47). */
  language: string | null;
  /** The page's own canonical address. */
  canonical: string | null;
  /** Whether the content lacks the title as its heading. */
  needsHeading: boolean;
  /** Its main content, which is not sanitized. */
  html: string;
}

/** The part of linkedom's document that is used. */
interface PageElement extends MarkupNode {
  innerHTML: string;
  readonly parentElement: PageElement | null;
  closest(selector: string): PageElement | null;
  readonly nextElementSibling: PageElement | null;
  append(child: PageElement): void;
  remove(): void;
  setAttribute(name: string, value: string): void;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
}

interface PageDocument extends PageElement {
  head: PageElement;
  body: PageElement;
}

/** Maximum source of a page, in UTF-16 units. */
const MAX_SOURCE = 8_000_000;
/** With fewer letters the article was not recognized. */
const MIN_LETTERS = 200;

function parse(source: string): PageDocument {
  // linkedom ignores everything after a document type.
  const page = source.replace(/<!doctype[^<>]*>/gi, '');
  const hasBody = /<body[\s>]/i.test(page);
  const isWhole = hasBody && /<html[\s>]/i.test(page);
  const full = isWhole ? page : `<html>${hasBody ? page : `<body>${page}</body>`}</html>`;
  const document = parseHTML(boundDepth(full, { xml: false })).document as unknown as PageDocument;
  // linkedom uses an empty element as the body unless the body follows the head.
  const { head } = document;
  while (head.nextElementSibling && head.nextElementSibling.nodeName !== 'BODY') {
    head.append(head.nextElementSibling);
  }
  return document;
}

const metaOf = (document: PageDocument, ...names: string[]): string | null => {
  for (const name of names) {
    const element =
      document.querySelector(`meta[property="${name}"]`) ??
      document.querySelector(`meta[name="${name}"]`);
    const content = element?.getAttribute?.('content')?.trim();
    if (content) return content;
  }
  return null;
};

/** Matching elements that are not inside another one. */
function outermost(document: PageDocument, selector: string): PageElement[] {
  const elements = [...document.querySelectorAll(selector)];
  return elements.filter(({ parentElement }) => !parentElement?.closest(selector));
}

const SCHEMA_ARTICLE = /(?:Article|BlogPosting)$/;
const JSON_ARTICLE = /"@type"\s*:\s*(?:\[\s*)?"\w*(?:Article|BlogPosting)"/;

/** Whether a page declares that it is an article, by Open Graph, schema.org or its only `article`. */
function isArticle(document: PageDocument): boolean {
  if (/^article\b/i.test(metaOf(document, 'og:type') ?? '')) return true;
  for (const node of document.querySelectorAll('[itemtype]')) {
    if (SCHEMA_ARTICLE.test(node.getAttribute?.('itemtype') ?? '')) return true;
  }
  for (const node of document.querySelectorAll('script[type="application/ld+json"]')) {
    if (JSON_ARTICLE.test(node.textContent ?? '')) return true;
  }
  return outermost(document, 'article').length === 1;
}

/** Makes addresses absolute, and removes broken ones. */
function resolveAddresses(root: PageElement, base: string): void {
  for (const [selector, name] of [
    ['a[href]', 'href'],
    ['img[src]', 'src'],
  ] as const) {
    for (const node of root.querySelectorAll(selector)) {
      const address = node.getAttribute?.(name) ?? '';
      // Addresses within the page stay unchanged.
      if (address.startsWith('#') || address.startsWith('data:')) continue;
      node.setAttribute(name, URL.parse(address, base)?.href ?? '');
    }
  }
}

/** The source of a picture that a script would load. */
function showLazyPictures(root: PageElement): void {
  for (const node of root.querySelectorAll('img')) {
    const source = node.getAttribute?.('src') ?? '';
    if (source !== '' && !source.startsWith('data:')) continue;
    const lazy =
      node.getAttribute?.('data-src') ?? node.getAttribute?.('srcset')?.trim().split(/\s/)[0];
    if (lazy) node.setAttribute('src', lazy);
  }
}

interface Content {
  html: string;
  /** The result of Readability, which also reads JSON-LD. Null if it was not used. */
  article: {
    byline?: string | null;
    siteName?: string | null;
    publishedTime?: string | null;
  } | null;
}

function mainContent(source: string): Content {
  const document = parse(source);
  if (isArticle(document)) {
    const options = { charThreshold: MIN_LETTERS };
    const article = new Readability(parse(source) as never, options).parse();
    if (article?.content && (article.textContent ?? '').trim().length >= MIN_LETTERS) {
      return { html: article.content, article };
    }
  }
  const boilerplate = findBoilerplate(document);
  const [main, ...others] = outermost(document, 'main, [role=main]');
  const root = main !== undefined && others.length === 0 ? main : document.body;
  for (const node of root.querySelectorAll('*')) if (boilerplate.has(node)) node.remove();
  return { html: root.innerHTML, article: null };
}

/**
 * Reads the main content of a web page. Readability finds the content of pages that declare themselves
 * articles. Others lose only boilerplate, because Readability drops parts of lists and references.
 * @param address the address that the page came from
 * @param charset the charset from the server, if any
 */
export function readWebPage(
  bytes: Uint8Array,
  { address, charset }: { address: string; charset?: string | undefined },
): WebPage {
  const source = decode(bytes, htmlCharset(bytes, charset)).slice(0, MAX_SOURCE);
  const document = parse(source);
  const attributeOf = (selector: string, name: string): string | null =>
    document.querySelector(selector)?.getAttribute?.(name)?.trim() || null;
  const base = URL.parse(attributeOf('base[href]', 'href') ?? '', address)?.href ?? address;
  const canonical = attributeOf('link[rel="canonical"]', 'href');
  const documentTitle = document.querySelector('title')?.textContent ?? null;
  const title = cleanTitle(metaOf(document, 'og:title') ?? documentTitle);
  const { html, article } = mainContent(source);
  const page = parse(html);
  showLazyPictures(page);
  resolveAddresses(page, base);
  const published =
    metaOf(document, 'article:published_time', 'date') ?? article?.publishedTime ?? null;
  const needsHeading = article !== null && title !== null && page.querySelector('h1') === null;
  return {
    title,
    author: metaOf(document, 'author', 'dc.creator') ?? article?.byline ?? null,
    site: metaOf(document, 'og:site_name') ?? article?.siteName ?? null,
    published: published?.replace(/^(\d{4}-\d\d-\d\d)T.*$/, '$1') ?? null,
    language: attributeOf('html', 'lang'),
    canonical: canonical === null ? null : (URL.parse(canonical, base)?.href ?? null),
    needsHeading,
    html: page.body.innerHTML,
  };
}
