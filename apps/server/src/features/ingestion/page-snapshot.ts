import { readWebPage } from '@engram/extraction';
import { sanitizeSnapshot } from './sanitize-view.ts';

/** A web page as a self-contained file, without scripts, styles and external resources. */
export interface PageSnapshot {
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

const escape = (text: string): string =>
  text.replace(/[&<>"]/gu, (sign) => `&#${sign.charCodeAt(0)};`);

const tag = (name: string, attributes: Record<string, string>): string =>
  `<${name} ${Object.entries(attributes)
    .map(([key, value]) => `${key}="${escape(value)}"`)
    .join(' ')}>`;

/**
 * Creates the snapshot of a web page: its main content, with its title, author, site, date, language
 * and address in the head. The same page gives the same snapshot.
 */
export function snapshotOf(bytes: Uint8Array, from: PageOrigin): PageSnapshot {
  const page = readWebPage(bytes, from);
  const { html, pictures } = sanitizeSnapshot(page.html);
  const { title, author, site, published, language, canonical } = page;
  const head = [
    '<meta charset="utf-8">',
    title && `<title>${escape(title)}</title>`,
    author && tag('meta', { name: 'author', content: author }),
    site && tag('meta', { property: 'og:site_name', content: site }),
    published && tag('meta', { property: 'article:published_time', content: published }),
    tag('link', { rel: 'canonical', href: canonical ?? from.address }),
  ];
  const heading = page.needsHeading && title ? `<h1>${escape(title)}</h1>\n` : '';
  const root = language ? tag('html', { lang: language }) : '<html>';
  const lines = ['<!doctype html>', root, '<head>', ...head, '</head>', '<body>'];
  return {
    html: `${lines.filter(Boolean).join('\n')}\n${heading}${html}\n</body>\n</html>\n`,
    title,
    isEmpty: html.replace(/<[^<>]+>/gu, '').trim() === '',
    pictures,
  };
}
