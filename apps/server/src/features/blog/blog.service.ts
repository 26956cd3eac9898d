import { readFile } from 'node:fs/promises';
import type { BlogPost } from '@engram/contract';
import type { FastifyBaseLogger } from 'fastify';
import { type FetchBounds, fetchBounded } from '../../platform/http/bounded-fetch.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { readFeedInThread } from './feed-thread.ts';
import type { Post } from './read-feed.ts';

export interface BlogDependencies {
  /** Address of the feed; without one the posts that ship with Engram are shown. */
  feed: string | undefined;
  userAgent: string;
  outside: Pick<FetchBounds, 'fetch' | 'clock'>;
  log: Pick<FastifyBaseLogger, 'warn'>;
  now: () => Date;
}

const BOUNDS = { timeoutMs: 8000, mostBytes: 4_194_304 };

/** How long posts count as the latest, in milliseconds. */
const FRESH_MS = 900_000;

/** How long a feed that failed is left alone, in milliseconds. */
const REST_MS = 60_000;

const SHIPPED = new URL('./posts.xml', import.meta.url);

const unavailable = (): HttpError =>
  new HttpError(
    503,
    'blog_unavailable',
    'The blog cannot be read right now. Please try again later.',
  );

/** What the list shows of a post. */
const listed = ({ title, username, slug, link, pubDate, description }: Post): BlogPost => ({
  title,
  username,
  slug,
  link,
  pubDate,
  description,
});

/** The blog: the latest posts of a feed, read by the server, kept for a while. */
export function createBlogService({ feed, userAgent, outside, log, now }: BlogDependencies) {
  let kept: Post[] | null = null;
  let nextReading = Number.NEGATIVE_INFINITY;
  let underWay: Promise<Post[]> | null = null;

  async function fetchFeed(address: string): Promise<string> {
    const headers = {
      accept: 'application/rss+xml, application/atom+xml, application/feed+json, text/xml;q=0.9',
      'user-agent': userAgent,
    };
    const { status, body } = await fetchBounded(address, { headers }, { ...outside, ...BOUNDS });
    if (status !== 200) throw new Error(`The feed answers ${status}.`);
    return body.toString('utf8');
  }

  async function read(): Promise<Post[]> {
    try {
      const text = feed ? await fetchFeed(feed) : await readFile(SHIPPED, 'utf8');
      kept = await readFeedInThread(text, now());
      nextReading = feed ? now().getTime() + FRESH_MS : Number.POSITIVE_INFINITY;
      return kept;
    } catch (error) {
      log.warn({ err: error }, 'the feed of the blog could not be read');
      nextReading = now().getTime() + REST_MS;
      if (kept) return kept;
      throw unavailable();
    } finally {
      underWay = null;
    }
  }

  /** What is kept is answered at once, also while it is read anew. */
  async function posts(): Promise<Post[]> {
    if (now().getTime() >= nextReading) underWay ??= read();
    if (kept) {
      underWay?.catch(() => undefined);
      return kept;
    }
    if (!underWay) throw unavailable();
    return underWay;
  }

  return {
    /**
     * The latest posts, newest first.
     * @throws HttpError 503 when the feed cannot be read and never was.
     */
    list: async (): Promise<BlogPost[]> => (await posts()).map(listed),

    /**
     * One post with its sanitised HTML.
     * @throws HttpError 404 when there is none, 503 as above.
     */
    async get({ username, slug }: Pick<BlogPost, 'username' | 'slug'>): Promise<Post> {
      const found = (await posts()).find(
        (post) => post.username === username && post.slug === slug,
      );
      if (!found) throw new HttpError(404, 'post_not_found', 'Post not found.');
      return found;
    },

    /** Where the posts come from. */
    describe: (): { on: boolean; detail: string } =>
      feed
        ? { on: true, detail: `The blog shows the feed of ${new URL(feed).host}.` }
        : {
            on: false,
            detail: 'No feed is set (ENGRAM_BLOG_FEED): the posts that ship with Engram are shown.',
          },

    /** Waits for the reading that is under way. */
    drain: async (): Promise<void> => {
      await underWay?.catch(() => undefined);
    },
  };
}

export type BlogService = ReturnType<typeof createBlogService>;
