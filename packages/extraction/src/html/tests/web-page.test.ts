import { describe, expect, test } from 'vitest';
import { readWebPage } from '../web-page.ts';

const read = (html: string, address = 'https://site.example/news/ferry') =>
  readWebPage(new TextEncoder().encode(html), { address });

const SENTENCE = 'The new ferry crosses the sound in forty minutes and carries two hundred cars. ';
const STORY = `<p>${SENTENCE.repeat(3)}</p><p>${SENTENCE.repeat(3)}</p>`;

describe('the main content of a web page', () => {
  test.each([
    ['a whole page', `<html><head><title>Ferry</title></head><body>${STORY}</body></html>`],
    ['a page without a head', `<HTML>\n<title>Ferry</title>\n<body>\n${STORY}</body></HTML>`],
    ['a page without html', `<title>Ferry</title><body>${STORY}</body>`],
    ['a page without a body', `<title>Ferry</title>${STORY}`],
    ['a page of one element', STORY],
  ])('is read from %s', (_, html) => {
    expect(read(html).html).toContain(SENTENCE.trim());
  });

  test('is the article that the page declares, with the metadata of the head', () => {
    const page = read(`<html lang="sv"><head><title>Ferry | News</title>
      <meta property="og:type" content="article"><meta property="og:title" content="The ferry">
      <meta property="og:site_name" content="Harbour News"><meta name="author" content="Ida Berg">
      <meta property="article:published_time" content="2026-05-04T08:30:00+02:00"><base href="/archive/">
      <link rel="canonical" href="ferry"></head><body><ul><li><a href="/">Home</a></li></ul>
      <div class="story">${STORY}<a href="map">A map</a></div>
      <div class="comments"><p>First!</p></div></body></html>`);
    expect(page).toMatchObject({
      title: 'The ferry',
      author: 'Ida Berg',
      site: 'Harbour News',
      published: '2026-05-04',
      language: 'sv',
      canonical: 'https://site.example/archive/ferry',
      needsHeading: true,
    });
    expect(page.html).toContain('href="https://site.example/archive/map"');
    expect(page.html).not.toMatch(/Home|First!/u);
  });

  test.each([
    ['in JSON-LD', '<script type="application/ld+json">{"@type": "NewsArticle"}</script>', ''],
    ['by schema.org', '', 'itemscope itemtype="https://schema.org/BlogPosting"'],
  ])('is an article that is declared %s', (_, head, attributes) => {
    const html = `<html><head>${head}</head><body><div ${attributes}>${STORY}</div>
      <div class="sidebar"><p>Subscribe to our letter</p></div></body></html>`;
    expect(read(html).html).not.toContain('Subscribe');
  });

  test('is the only main part of a page that is not an article', () => {
    const rows = '<tr><td>Monday</td><td>07:15</td></tr>'.repeat(4);
    const { html, needsHeading } = read(
      `<body><p>Welcome to our site.</p><main><h1>Times</h1><table>${rows}</table></main></body>`,
    );
    expect(html).toContain('07:15');
    expect(html).not.toContain('Welcome');
    expect(needsHeading).toBe(false);
  });

  test('has the pictures that a script would load', () => {
    const { html } = read(
      `<body>${STORY}<img src="data:image/gif;base64,R0" data-src="/boat.png"><img srcset="a.jpg 1x, b.jpg 2x"></body>`,
    );
    expect(html).toContain('src="https://site.example/boat.png"');
    expect(html).toContain('src="https://site.example/news/a.jpg"');
  });
});
