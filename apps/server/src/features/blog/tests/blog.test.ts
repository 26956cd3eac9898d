import { getBlogPost, listBlogPosts } from '@engram/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type FeedServer,
  rssFeed,
  startFeedServer,
} from '../../../tests/feed-server.test-setup.ts';
import { buildTestApp, type TestApp } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const MINUTE_MS = 60_000;

describe('without a feed', () => {
  const engram = useTestApp();

  test('the bundled posts are public, with their whole text', async () => {
    const { data: posts } = await engram.anonymous.call(listBlogPosts, {});
    expect(posts.length).toBeGreaterThanOrEqual(4);
    for (const { username, slug, title, description } of posts) {
      expect(description).not.toBe('');
      const { data: post } = await engram.anonymous.call(getBlogPost, {
        params: { username, slug },
      });
      expect(post.title).toBe(title);
      expect(post.content.length).toBeGreaterThan(500);
    }
  });

  test('a missing post is not found', async () => {
    const params = { username: 'engram', slug: 'nothing' };
    await expect(engram.anonymous.call(getBlogPost, { params })).rejects.toMatchObject({
      status: 404,
      message: 'Post not found.',
    });
  });
});

describe('with a feed', () => {
  let feed: FeedServer;
  let engram: TestApp;
  const titles = async () =>
    (await engram.anonymous.call(listBlogPosts, {})).data.map(({ title }) => title);
  const publish = (...names: string[]) =>
    ({ kind: 'feed', text: rssFeed(names.map((title) => ({ title, content: title }))) }) as const;

  beforeAll(async () => {
    feed = await startFeedServer();
    engram = await buildTestApp({ env: { ENGRAM_BLOG_FEED: `${feed.url}/feed` } });
  });
  afterAll(async () => {
    await engram?.close();
    await feed?.close();
  });

  test('a failure is reported, and the feed is read again after a pause', async () => {
    feed.behave({ kind: 'status', status: 500 });
    const refusal = {
      status: 503,
      message: 'The blog is unavailable. Please try again later.',
    };
    await expect(titles()).rejects.toMatchObject(refusal);
    await expect(titles()).rejects.toMatchObject(refusal);
    expect(feed.requests).toHaveLength(1);
    feed.behave(publish('First'));
    engram.advance(MINUTE_MS);
    expect(await Promise.all([titles(), titles()])).toEqual([['First'], ['First']]);
    expect(feed.requests).toHaveLength(2);
    expect(feed.requests[1]).toMatchObject({
      path: '/feed',
      userAgent: expect.stringMatching(/^Engram\//u) as unknown,
    });
  });

  test('the feed is read again after a quarter of an hour, while the old posts are shown', async () => {
    feed.behave(publish('Second', 'First'));
    engram.advance(14 * MINUTE_MS);
    expect(await titles()).toEqual(['First']);
    expect(feed.requests).toHaveLength(2);
    engram.advance(MINUTE_MS);
    expect(await titles()).toEqual(['First']);
    await expect.poll(titles).toEqual(['Second', 'First']);
    expect(feed.requests).toHaveLength(3);
  });

  test.each([
    { kind: 'cut' } as const,
    { kind: 'feed', text: '<html>' } as const,
    { kind: 'feed', text: 'x'.repeat(5_000_000) } as const,
  ])('a failure does not remove the cached posts: %o', async (behavior) => {
    feed.behave(behavior);
    const before = feed.requests.length;
    engram.advance(15 * MINUTE_MS);
    expect(await titles()).toEqual(['Second', 'First']);
    await feed.received(before + 1);
    await engram.deps.services.blog.drain();
    expect(await titles()).toEqual(['Second', 'First']);
  });
});
