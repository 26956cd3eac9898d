import {
  appSettings,
  type BlogPost,
  getBlogPost,
  listBlogPosts,
  refreshSession,
} from '@engram/contract';
import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { someSettings } from '../../tests/factories.test-setup.ts';
import { type FakeServer, Refusal, startFakeServer } from '../../tests/fake-server.test-setup.ts';
import { renderApp } from '../../tests/render-app.test-setup.tsx';

const post: BlogPost = {
  title: 'Every answer shows its place',
  username: 'engram',
  slug: 'every-answer',
  link: null,
  pubDate: '2026-11-17T20:00:00Z',
  description: 'An answer that you cannot check is a rumour.',
};

let server: FakeServer;
beforeEach(() => {
  server = startFakeServer()
    .on(appSettings, () => someSettings())
    .on(refreshSession, () => new Refusal(401, 'Please sign in.'))
    .on(listBlogPosts, () => [post])
    .on(getBlogPost, () => ({ ...post, content: '<p>It has <b>one</b> rule.</p>' }));
});

test.each(['/blog', '/blog/engram'])(
  '%s lists posts with date, title, description and Read More, and opens one',
  async (path) => {
    const { user } = renderApp(path);
    const more = await screen.findByRole('link', { name: `Read More: ${post.title}` });
    const item = more.closest('li')!;
    expect(within(item).getByText('17 November 2026')).toBeTruthy();
    expect(within(item).getByText(post.description)).toBeTruthy();
    await user.click(more);
    expect(await screen.findByRole('heading', { level: 1, name: post.title })).toBeTruthy();
    expect(screen.getByText('one').tagName).toBe('B');
  },
);

test('a post with a date but no time keeps that date west of Greenwich', async () => {
  server.on(listBlogPosts, () => [{ ...post, pubDate: '2026-11-17T00:00:00.000Z' }]);
  server.on(getBlogPost, () => ({ ...post, pubDate: '2026-11-17T00:00:00.000Z', content: '' }));
  const { user } = renderApp('/blog');
  expect(await screen.findByText('17 November 2026')).toBeTruthy();
  await user.click(screen.getByRole('link', { name: `Read More: ${post.title}` }));
  await screen.findByRole('heading', { level: 1, name: post.title });
  expect(screen.getByText('17 November 2026')).toBeTruthy();
});

test('a missing post is reported, with a link to the list', async () => {
  server.on(getBlogPost, () => new Refusal(404, 'Post not found.'));
  renderApp('/blog/engram/nothing');
  expect(await screen.findByText('Post not found.')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'See the latest posts' }).getAttribute('href')).toBe(
    '/blog',
  );
});

test('a post that fails to render is reported, and can be retried', async () => {
  server.on(getBlogPost, () => new Refusal(503, 'The blog is unavailable.'));
  const { user } = renderApp('/blog/engram/every-answer');
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Failed to render post.');
  expect(alert.textContent).toContain('The blog is unavailable.');
  server.on(getBlogPost, () => ({ ...post, content: '<p>Here.</p>' }));
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Here.')).toBeTruthy();
});

test('an empty blog is reported', async () => {
  server.on(listBlogPosts, () => []);
  renderApp('/blog');
  expect(await screen.findByText('No posts yet')).toBeTruthy();
});

test('a list that cannot be loaded is reported', async () => {
  server.on(listBlogPosts, () => new Refusal(503, 'The blog is unavailable.'));
  renderApp('/blog');
  expect((await screen.findByRole('alert')).textContent).toContain('The blog could not be loaded');
});
