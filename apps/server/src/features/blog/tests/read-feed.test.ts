import { describe, expect, test } from 'vitest';
import { rssFeed } from '../../../tests/feed-server.test-setup.ts';
import { readFeed } from '../read-feed.ts';

const NOW = new Date('2026-03-04T10:00:00.000Z');
const LINK = 'https://medium.example.org/@ann.b/hello-world-123?source=rss';

const contentOf = (content: string) =>
  readFeed(rssFeed([{ title: 'Hello', link: LINK, content }]), NOW)[0]?.content;

describe('a post', () => {
  test('has its author and name as address, and text as title and description', () => {
    const [post] = readFeed(
      rssFeed([
        {
          title: 'Hello &amp; <b>bye</b>',
          link: LINK,
          date: 'Tue, 03 Mar 2026 10:00:00 GMT',
          content: '<h1>Hello</h1><p>One &lt;tag&gt; &amp;</p><p>two</p>',
        },
      ]),
      NOW,
    );
    expect(post).toEqual({
      title: 'Hello & bye',
      username: 'ann-b',
      slug: 'hello-world-123',
      link: LINK,
      pubDate: '2026-03-03T10:00:00.000Z',
      description: 'One <tag> & two',
      content: '<h2>Hello</h2><p>One &lt;tag&gt; &amp;</p><p>two</p>',
    });
  });

  test('has a description of up to 280 characters, cut between words', () => {
    const [post] = readFeed(rssFeed([{ title: 'Long', description: 'häufig '.repeat(80) }]), NOW);
    expect([...(post?.description ?? '')].length).toBeLessThanOrEqual(280);
    expect(post?.description).toMatch(/häufig…$/u);
  });

  test('may have no date, link or title', () => {
    const [post] = readFeed(rssFeed([{ title: '', description: 'Only this', date: 'soon' }]), NOW);
    expect(post).toMatchObject({
      title: 'Only this',
      username: 'blog',
      slug: 'only-this',
      link: null,
      pubDate: NOW.toISOString(),
    });
  });

  test('gets a unique address', () => {
    const posts = readFeed(rssFeed([{ title: 'A' }, { title: 'A' }, { title: '日本 語' }]), NOW);
    expect(posts.map(({ slug }) => slug)).toEqual(['a', 'a-2', '日本-語']);
  });
});

test('only the latest ten posts are listed, newest first', () => {
  const items = Array.from({ length: 14 }, (_, n) => ({
    title: `Post ${n}`,
    date: `2026-01-${String(n + 1).padStart(2, '0')}T00:00:00Z`,
  }));
  const titles = readFeed(rssFeed(items), NOW).map(({ title }) => title);
  expect(titles).toEqual([13, 12, 11, 10, 9, 8, 7, 6, 5, 4].map((n) => `Post ${n}`));
});

test.each([
  ['<p onclick="x()" style="color:red">a<script>b()</script><style>p{}</style></p>', '<p>a</p>'],
  ['<a href="javascript:x()">a</a><a href="data:text/html,x">b</a>', 'ab'],
  ['<iframe src="https://x.org"></iframe><svg onload="x()"></svg><form><input></form>', ''],
  ['<img src="javascript:x()" alt="b" onerror="x()"><img alt="c">', ''],
  [
    '<img src="https://x.org/cat.png" alt="A cat">',
    '<a href="https://x.org/cat.png" rel="noopener noreferrer nofollow" target="_blank">Picture: A cat</a>',
  ],
  [
    '<a href="/about" target="_top" ping="https://x.org">a</a>',
    '<a href="https://medium.example.org/about" rel="noopener noreferrer nofollow" target="_blank">a</a>',
  ],
  ['<p><b>open<p>', '<p><b>open<p></p></b></p>'],
  ['<math><mtext></mtext><style><img src=x onerror=x()></style></math>', ''],
])('%s runs nothing and loads nothing', (html, safe) => {
  expect(contentOf(html)).toBe(safe);
});

test('Atom and JSON feeds are supported too', () => {
  const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>x</title><entry>
    <title type="html">A &lt;i&gt;b&lt;/i&gt;</title><link rel="alternate" href="https://a.org/p/one.html"/>
    <published>2026-01-01T00:00:00Z</published><author><name>Bob</name></author>
    <content type="html">&lt;p&gt;x&lt;/p&gt;</content></entry></feed>`;
  expect(readFeed(atom, NOW)).toMatchObject([
    { title: 'A b', username: 'bob', slug: 'one', content: '<p>x</p>' },
  ]);
  const json = JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: 'x',
    items: [{ id: '1', url: 'https://a.org/two', title: 'Two', content_html: '<p>y</p>' }],
  });
  expect(readFeed(json, NOW)).toMatchObject([{ title: 'Two', slug: 'two', content: '<p>y</p>' }]);
});

test.each(['', '<html></html>', '{', '<rss version="2.0"></rss>'])('%j is not a feed', (text) => {
  expect(() => readFeed(text, NOW)).toThrow(/feed/u);
});
