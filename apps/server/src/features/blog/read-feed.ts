import { createHash } from 'node:crypto';
import type { BlogPost } from '@engram/contract';
import { parseFeed } from 'feedsmith';
import sanitizeHtml from 'sanitize-html';

export interface Post extends BlogPost {
  content: string;
}

const POST_LIMIT = 10;
const EXCERPT_LIMIT = 280;
const CONTENT_LIMIT = 500_000;

interface Entry {
  title: string;
  link: string | undefined;
  date: string | undefined;
  author: string | undefined;
  description: string | undefined;
  content: string | undefined;
}

function entriesOf(text: string): Entry[] {
  const { format, feed } = parseFeed(text);
  switch (format) {
    case 'rss':
      return (feed.items ?? []).map((item) => ({
        title: item.title ?? '',
        link: item.link ?? item.guid?.value,
        date: item.pubDate ?? item.dc?.dates?.[0],
        author: item.dc?.creators?.[0] ?? item.authors?.[0]?.name,
        description: item.description,
        content: item.content?.encoded ?? item.description,
      }));
    case 'atom':
      return (feed.entries ?? []).map((entry) => ({
        title: entry.title?.value ?? '',
        link: entry.links?.find(({ rel }) => rel === undefined || rel === 'alternate')?.href,
        date: entry.published ?? entry.updated,
        author: entry.authors?.[0]?.name,
        description: entry.summary?.value,
        content: entry.content?.value ?? entry.summary?.value,
      }));
    case 'json':
      return (feed.items ?? []).map((item) => ({
        title: item.title ?? '',
        link: item.url,
        date: item.date_published,
        author: item.authors?.[0]?.name,
        description: item.summary,
        content: item.content_html ?? item.content_text,
      }));
    default:
      throw new Error(`Feeds in the format ${format} are not supported.`);
  }
}

function textOf(html: string): string {
  const spaced = html
    .slice(0, CONTENT_LIMIT)
    .replaceAll(/<\/(?:p|h\d|li|div|blockquote)>|<br\s*\/?>/giu, '$& ');
  const escaped = sanitizeHtml(spaced, {
    allowedTags: [],
    allowedAttributes: {},
    nonTextTags: ['script', 'style', 'textarea', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
  });
  const text = escaped
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
}

function excerptOf(text: string): string {
  const characters = [...text];
  if (characters.length <= EXCERPT_LIMIT) return text;
  const cut = characters.slice(0, EXCERPT_LIMIT - 1).join('');
  return `${cut.slice(0, cut.lastIndexOf(' ') > 200 ? cut.lastIndexOf(' ') : undefined).trimEnd()}…`;
}

const ALLOWED_TAGS =
  'h2 h3 h4 h5 h6 p br hr blockquote pre code ul ol li a b strong i em u s sub sup figure figcaption table thead tbody tr th td';

/** An absolute address; undefined unless it is a web or mail address. */
function webAddress(href: string | undefined, base: string | undefined): string | undefined {
  const url = href === undefined ? null : URL.parse(href, base);
  return url && /^(?:https?|mailto):$/u.test(url.protocol) ? url.href : undefined;
}

/** A link without referrer, or only its text if it has no address. */
const externalLink = (href: string | undefined, text?: string): sanitizeHtml.Tag =>
  href
    ? {
        tagName: 'a',
        attribs: { href, rel: 'noopener noreferrer nofollow', target: '_blank' },
        ...(text ? { text } : {}),
      }
    : { tagName: 'span', attribs: {} };

/** @param base the address that relative links are resolved against */
const sanitize = (html: string, base: string | undefined): string =>
  sanitizeHtml(html.slice(0, CONTENT_LIMIT), {
    allowedTags: ALLOWED_TAGS.split(' '),
    allowedAttributes: { a: ['href', 'rel', 'target'] },
    allowedSchemes: ['http', 'https', 'mailto'],
    transformTags: {
      // The post's title is the only h1 of the page.
      h1: 'h2',
      a: (_, { href }) => externalLink(webAddress(href, base)),
      // Pictures become links, so that no remote content is loaded.
      img: (_, { src, alt }) =>
        externalLink(webAddress(src, base), alt ? `Picture: ${alt}` : 'Picture'),
    },
  });

const slugOf = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/gu, '')
    .slice(0, 120);

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

function addressOf({ link, author, title }: Entry): { username: string; slug: string } {
  const url = link ? URL.parse(link) : null;
  const segments = (url?.pathname ?? '').split('/').filter(Boolean).map(decoded);
  const handle = segments.find((part) => part.startsWith('@'));
  const hash = createHash('sha256').update(`${link}\n${title}`).digest('hex').slice(0, 10);
  return {
    username: slugOf(handle ?? author ?? '') || slugOf(url?.hostname ?? '') || 'blog',
    slug: slugOf(segments.at(-1)?.replace(/\.\w{2,5}$/u, '') ?? '') || slugOf(title) || hash,
  };
}

function postOf(entry: Entry, date: Date): Post {
  const link = /^https?:/iu.test(entry.link ?? '') ? entry.link : undefined;
  const description = excerptOf(textOf(entry.description ?? '') || textOf(entry.content ?? ''));
  const title = excerptOf(textOf(entry.title)) || description || 'Untitled';
  return {
    title,
    ...addressOf({ ...entry, title }),
    link: webAddress(link, undefined) ?? null,
    pubDate: date.toISOString(),
    description,
    content: sanitize(entry.content ?? '', link),
  };
}

function withUniqueSlugs(posts: readonly Post[]): Post[] {
  const counts = new Map<string, number>();
  return posts.map((post) => {
    const address = `${post.username}/${post.slug}`;
    const count = (counts.get(address) ?? 0) + 1;
    counts.set(address, count);
    return count === 1 ? post : { ...post, slug: `${post.slug}-${count}` };
  });
}

/**
 * The latest posts of an RSS, Atom or JSON feed, newest first. Posts without a date get the current one.
 * @throws Error if the text is not a feed
 */
export function readFeed(text: string, now: Date): Post[] {
  const dated = entriesOf(text).map((entry) => {
    const date = new Date(entry.date ?? '');
    return { entry, date: Number.isNaN(date.getTime()) ? now : date };
  });
  const latest = dated
    .toSorted((a, b) => b.date.getTime() - a.date.getTime())
    .slice(0, POST_LIMIT)
    .map(({ entry, date }) => postOf(entry, date));
  return withUniqueSlugs(latest);
}
