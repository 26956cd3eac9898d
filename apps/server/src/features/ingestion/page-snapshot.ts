import { readWebPage, type WebPage } from '@engram/extraction';
import { sanitizeSnapshot } from './sanitize-view.ts';

/** A web page as a self-contained file, without scripts, styles and external resources. */
interface PageSnapshot {
  /** Pictures have `src="picture:N"`, where N is an index of `pictures`. */
  html: string;
  title: string | null;
  /** Whether it has no text. */
  isEmpty: boolean;
  /** The addresses of its pictures. */
  pictures: string[];
}

export interface PageOrigin {
  address: string;
  /** As declared by the server. */
  charset: string | undefined;
}

export const escape = (text: string): string =>
  text.replace(/[&<>"]/gu, (sign) => `&#${sign.charCodeAt(0)};`);

const tag = (name: string, attributes: Record<string, string>): string =>
  `<${name} ${Object.entries(attributes)
    .map(([key, value]) => `${key}="${escape(value)}"`)
    .join(' ')}>`;

type PageFacts = Pick<WebPage, 'title' | 'author' | 'site' | 'published' | 'language'>;

/** A page with its title, author, site, date, language and address in the head. */
export function htmlPage(
  { title, author, site, published, language }: PageFacts,
  address: string,
  body: string,
): string {
  const head = [
    '<meta charset="utf-8">',
    title && `<title>${escape(title)}</title>`,
    author && tag('meta', { name: 'author', content: author }),
    site && tag('meta', { property: 'og:site_name', content: site }),
    published && tag('meta', { property: 'article:published_time', content: published }),
    tag('link', { rel: 'canonical', href: address }),
  ];
  const root = language ? tag('html', { lang: language }) : '<html>';
  const lines = ['<!doctype html>', root, '<head>', ...head, '</head>', '<body>'];
  return `${lines.filter(Boolean).join('\n')}\n${body}\n</body>\n</html>\n`;
}

/** Creates the snapshot of a web page: its main content. The same page gives the same snapshot. */
export function snapshotOf(bytes: Uint8Array, from: PageOrigin): PageSnapshot {
  const page = readWebPage(bytes, from);
  const { html, pictures } = sanitizeSnapshot(page.html);
  const { title, canonical } = page;
  const heading = page.needsHeading && title ? `<h1>${escape(title)}</h1>\n` : '';
  return {
    html: htmlPage(page, canonical ?? from.address, heading + html),
    title,
    isEmpty: html.replace(/<[^<>]+>/gu, '').trim() === '',
    pictures,
  };
}
