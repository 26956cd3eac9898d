import { readFile } from 'node:fs/promises';
import { type BlogPost, getBlogPost, listBlogPosts } from '@engram/contract';
import type { Core } from '../../composition/core.ts';
import { fetchBounded } from '../../platform/http/bounded-fetch.ts';
import { HttpError } from '../../platform/http/errors.ts';
import type { Mount } from '../../platform/http/mount.ts';
import { createThreads } from '../../platform/threads/threads.ts';
import type { Post } from './read-feed.ts';

const BOUNDS = { timeoutMs: 8000, maxBytes: 4_194_304 };

const CACHE_MS = 900_000;
const RETRY_MS = 60_000;

const BUNDLED_FEED = new URL('./posts.xml', import.meta.url);

const WORKER = new URL('./feed-worker.ts', import.meta.url);
const PARSING_LIMIT_MS = 20_000;
const HEAP_MB = 256;

/** Parses a feed in a worker thread, because untrusted input may take much time or memory. */
async function parseFeedInThread(text: string, now: Date): Promise<Post[]> {
  const threads = createThreads({ script: WORKER, max: 1, idleMs: 0, heapMb: HEAP_MB });
  try {
    return (await threads.run({ text, now }, { leftMs: PARSING_LIMIT_MS })) as Post[];
  } finally {
    await threads.close();
  }
}

const unavailable = (): HttpError =>
  new HttpError(503, 'blog_unavailable', 'The blog is unavailable. Please try again later.');

/** The blog: the latest posts of a feed, or the bundled ones. */
export function createBlogService({ config, providers, userAgent, log, now }: Core) {
  const { blogFeed: feed } = config;
  const bounds = { ...providers.outside(feed), ...BOUNDS };
  let cached: Post[] | null = null;
  let nextReadAt = Number.NEGATIVE_INFINITY;
  let running: Promise<Post[]> | null = null;

  async function fetchFeed(address: string): Promise<string> {
    const headers = {
      accept: 'application/rss+xml, application/atom+xml, application/feed+json, text/xml;q=0.9',
      'user-agent': userAgent,
    };
    const { status, body } = await fetchBounded(address, { headers }, bounds);
    if (status !== 200) throw new Error(`The feed answered with status ${status}.`);
    return body.toString('utf8');
  }

  async function read(): Promise<Post[]> {
    try {
      const text = feed ? await fetchFeed(feed) : await readFile(BUNDLED_FEED, 'utf8');
      cached = await parseFeedInThread(text, now());
      nextReadAt = feed ? now().getTime() + CACHE_MS : Number.POSITIVE_INFINITY;
      return cached;
    } catch (error) {
      log.warn({ err: error }, 'the blog feed could not be read');
      nextReadAt = now().getTime() + RETRY_MS;
      if (cached) return cached;
      throw unavailable();
    } finally {
      running = null;
    }
  }

  /** Returns cached posts immediately, and refreshes them in the background. */
  async function posts(): Promise<Post[]> {
    if (now().getTime() >= nextReadAt) running ??= read();
    if (cached) {
      running?.catch(() => undefined);
      return cached;
    }
    if (!running) throw unavailable();
    return running;
  }

  return {
    routes(mount: Mount): void {
      mount(listBlogPosts, async () => ({
        data: (await posts()).map((post): BlogPost => {
          const { content: _, ...listed } = post;
          return listed;
        }),
      }));
      mount(getBlogPost, async ({ params: { username, slug } }) => {
        const isRequested = (post: Post) => post.username === username && post.slug === slug;
        const post = (await posts()).find(isRequested);
        if (!post) throw new HttpError(404, 'post_not_found', 'Post not found.');
        return { data: post };
      });
    },
    describe: (): { on: boolean; detail: string } =>
      feed
        ? { on: true, detail: `The blog shows the feed of ${new URL(feed).host}.` }
        : { on: false, detail: 'ENGRAM_BLOG_FEED is not set: bundled posts are shown.' },

    drain: async (): Promise<void> => {
      await running?.catch(() => undefined);
    },
  };
}
