import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  getArtifact,
  getArtifactText,
  getArtifactView,
  listArtifacts,
  saveWebPage,
  search,
} from '@engram/contract';
import { ApiError } from '@engram/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SignedInUser } from '../../../tests/app.test-setup.ts';
import { changed, exportOf, importOf } from '../../../tests/exports.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';
import { openAddress } from '../fetch-address.ts';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const PARAGRAPH =
  'The new ferry crosses the sound in forty minutes, and it carries two hundred cars. It was built in Gdansk, and the harbour was dredged for it last winter. ';

const article = (body: string): string => `<!doctype html><html lang="en"><head>
<title>The ferry | Harbour News</title>
<meta property="og:type" content="article"><meta property="og:title" content="The new ferry">
<meta name="author" content="Ida Berg"><meta property="og:site_name" content="Harbour News">
<meta property="article:published_time" content="2026-05-04">
<link rel="canonical" href="/ferry"></head><body>
<nav><a href="/a">Home</a> <a href="/b">Sport</a> <a href="/c">Weather</a></nav>
<article><p>${PARAGRAPH}</p><p>${body}</p><script>alert(1)</script>
<p>${PARAGRAPH}<a href="/timetable">The timetable</a></p><img src="/boat.png" alt="The boat"></article>
<aside><h3>Most read</h3><ul><li><a href="/1">Ten recipes for autumn</a></li></ul></aside></body></html>`;

const REFERENCE = `<html><head><title>sort</title></head><body><div id="menu"><ul>
${Array.from({ length: 12 }, (_, i) => `<li><a href="/f${i}">Function number ${i}</a></li>`).join('')}</ul></div>
<main><h1>sort(array)</h1><p>Sorts the array in place and returns it.</p>
<table><tr><th>Argument</th><th>Meaning</th></tr><tr><td>array</td><td>What is sorted.</td></tr></table>
<pre><code>sort([3, 1])</code></pre></main></body></html>`;

type Page = (response: ServerResponse) => void;

const html =
  (text: string, type = 'text/html; charset=utf-8'): Page =>
  (response) =>
    response.writeHead(200, { 'content-type': type }).end(text);

const redirect =
  (location: string): Page =>
  (response) =>
    response.writeHead(302, { location }).end();

const pages: Record<string, Page> = {
  '/ferry': html(article('A ticket costs 48 crowns.')),
  '/ferry?from=mail': html(article('A ticket costs 48 crowns.')),
  '/reference': html(REFERENCE),
  '/boat.png': (response) => response.writeHead(200, { 'content-type': 'image/png' }).end(PIXEL),
  '/latin': html(
    Buffer.from('<p>Die Fähre fährt täglich über den Sund.</p>', 'latin1').toString('latin1'),
    'text/html; charset=iso-8859-1',
  ),
  '/files/prices.csv': (response) =>
    response.writeHead(200, { 'content-type': 'text/csv' }).end('Ticket,Price\nCar,480\n'),
  '/program': (response) =>
    response
      .writeHead(200, { 'content-type': 'application/octet-stream' })
      .end(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0])),
  '/moved': redirect('/ferry'),
  '/circle': redirect('/circle'),
  '/to-metadata': redirect('http://169.254.169.254/latest/meta-data/'),
  '/to-ipv6': redirect('http://[::ffff:10.0.0.1]/'),
  '/to-file': redirect('file:///etc/passwd'),
  '/gone': (response) => response.writeHead(404, 'Not Found').end('no'),
  '/scripts-only': html('<html><body><div id="root"></div><script>render()</script></body></html>'),
  '/bomb': html(`<html><body>${'<div>'.repeat(200_000)}deep`),
  '/endless': (response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    const part = `<p>${'x'.repeat(65_536)}`;
    const more = (): void => {
      while (!response.destroyed && response.write(part));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  },
  '/slow': (response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.write('<p>half');
  },
  '/broken-off': (response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': '1000' });
    response.write('<p>half', () => response.destroy());
  },
};

const web = createServer((request, response) => {
  const page = pages[request.url ?? ''];
  if (page) page(response);
  else response.writeHead(404, 'Not Found').end();
});
const engram = useTestApp({ env: { ENGRAM_FETCH_ALLOW: '127.0.0.1' } });
let site: string;
let ann: SignedInUser;

beforeAll(async () => {
  web.listen(0, '127.0.0.1');
  await once(web, 'listening');
  site = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  ann = await engram.signIn('ann@example.org');
});
afterAll(() => {
  web.closeAllConnections();
  web.close();
});

async function save(path: string, keywords: string[] = [], user = ann) {
  const url = path.startsWith('/') ? site + path : path;
  const { data } = await user.client.call(saveWebPage, { body: { url, keywords } });
  await engram.settled();
  return data;
}

const fileOf = async (artifactId: string) =>
  (await ann.client.call(getArtifact, { params: { artifactId } })).data;
const textOf = (artifactId: string) => ann.client.text(getArtifactText, { params: { artifactId } });

async function refusalOf(path: string): Promise<ApiError> {
  const error = await save(path).then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
}

describe('saving a web page', () => {
  test('stores only the article with its title, author, date and picture', async () => {
    const saved = await save('/ferry', ['Travel']);
    expect(saved).toMatchObject({ fileName: 'The new ferry.html', duplicate: false });
    const file = await fileOf(saved.artifactId);
    expect(file).toMatchObject({
      webAddress: `${site}/ferry`,
      uploadStatus: 'SUCCESS',
      keywords: ['Travel'],
    });
    const text = await textOf(saved.artifactId);
    expect(text).toContain('A ticket costs 48 crowns.');
    expect(text).toContain('Ida Berg');
    expect(text).toContain('2026-05-04');
    expect(text).not.toMatch(/Weather|Ten recipes|alert/u);
    const view = await ann.client.call(getArtifactView, {
      params: { artifactId: saved.artifactId },
      query: {},
    });
    expect(view.data.html).toContain('<h1');
    expect(view.data.html).toMatch(/<img[^>]+src="data:image\/webp;base64,/u);
    expect(view.data.html).toContain(`href="${site}/timetable"`);
  });

  test('answers questions from it', async () => {
    const { data } = await ann.client.call(search, {
      body: { text: 'What does a ticket cost?', audio: false },
    });
    expect(data.citations[0]?.fileName).toBe('The new ferry.html');
  });

  test('stores a page once, even if several addresses redirect to it', async () => {
    const savedAgain = await save('/ferry?from=mail');
    expect(savedAgain.duplicate).toBe(true);
    expect(await save('/moved')).toMatchObject({
      artifactId: savedAgain.artifactId,
      duplicate: true,
    });
  });

  test('replaces the page when it has changed, and keeps its keywords', async () => {
    const before = await save('/ferry');
    pages['/ferry'] = html(article('A ticket costs 52 crowns.'));
    const after = await save('/ferry', ['Prices']);
    expect(after).toMatchObject({ duplicate: false });
    const { data } = await ann.client.call(listArtifacts, { query: { q: 'ferry' } });
    expect(data.map((file) => file.artifactId)).toEqual([after.artifactId]);
    expect(data[0]?.keywords.toSorted()).toEqual(['Prices', 'Travel']);
    expect(after.artifactId).not.toBe(before.artifactId);
    expect(await textOf(after.artifactId)).toContain('52 crowns');
  });

  test('stores the whole page without its menu if it is not an article', async () => {
    const { artifactId } = await save('/reference');
    const text = await textOf(artifactId);
    for (const part of ['sort(array)', 'Sorts the array', 'What is sorted.', 'sort([3, 1])']) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain('Function number 5');
  });

  test('reads the charset that the server declares', async () => {
    const { artifactId } = await save('/latin');
    expect(await textOf(artifactId)).toContain('Die Fähre fährt täglich über den Sund.');
  });

  test('stores a file of another type as that file', async () => {
    const saved = await save('/files/prices.csv');
    expect(saved.fileName).toBe('prices.csv');
    expect(await fileOf(saved.artifactId)).toMatchObject({
      artifactFileType: 'text/csv',
      webAddress: `${site}/files/prices.csv`,
    });
  });

  test("does not replace another user's page of the same address", async () => {
    const bob = await engram.signIn('bob@example.org');
    const bobs = await save('/reference', [], bob);
    expect(bobs.duplicate).toBe(false);
    const { data } = await ann.client.call(listArtifacts, { query: { q: 'sort' } });
    expect(data).toHaveLength(1);
    expect(data[0]?.artifactId).not.toBe(bobs.artifactId);
  });
});

test('an export contains the address of a page, and an import accepts only web addresses', async () => {
  const [cat, dan] = [
    await engram.signIn('cat@example.org'),
    await engram.signIn('dan@example.org'),
  ];
  await save('/ferry', [], cat);
  await save('/reference', [], cat);
  const edited = await changed(await exportOf(cat), (json) => ({
    'files.json': json<{ webAddress: string }[]>('files.json').map((file) =>
      file.webAddress.endsWith('/ferry') ? file : { ...file, webAddress: 'javascript:alert(1)' },
    ),
  }));
  await importOf(dan, edited);
  const { data } = await dan.client.call(listArtifacts, {});
  const addresses = data.map(({ webAddress }) => webAddress);
  expect(new Set(addresses)).toEqual(new Set([`${site}/ferry`, null]));
});

describe('an address that cannot be saved', () => {
  test.each<[string, string, number, RegExp]>([
    ['that is not an address', 'ferry', 400, /must begin with https/u],
    ['of another protocol', 'ftp://example.org/a', 400, /must begin with https/u],
    ['with a password', 'https://ann:secret@example.org/', 400, /Please remove the user name/u],
    ['of this network', 'http://127.0.0.2:1/', 400, /not on the open internet/u],
    ['of this network as a number', 'http://2130706434/', 400, /not on the open internet/u],
    ['of this network in IPv6', 'http://[::1]:1/', 400, /not on the open internet/u],
    ['that redirects to metadata of a cloud', '/to-metadata', 400, /not on the open internet/u],
    ['that redirects to a mapped address', '/to-ipv6', 400, /not on the open internet/u],
    ['that redirects to a file', '/to-file', 400, /must begin with https/u],
    ['that redirects to itself', '/circle', 422, /redirects in a loop/u],
    ['that does not exist', '/gone', 422, /responds with '404 Not Found'/u],
    ['whose connection breaks', '/broken-off', 422, /cannot be reached/u],
    ['without text', '/scripts-only', 422, /no text until its scripts run/u],
    ['without an end', '/endless', 413, /more than 10 MB/u],
    ['of a program', '/program', 415, /not supported/u],
  ])('is refused with the reason: %s', async (_, path, status, message) => {
    const error = await refusalOf(path);
    expect([error.status, error.message]).toEqual([status, expect.stringMatching(message)]);
  });

  test('is refused if the page stops in the middle', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const opened = await openAddress(`${site}/slow`, { fetch, userAgent: 'Engram', signal });
    const read = async () => {
      for await (const part of opened.body) if (part.length > 0) controller.abort();
    };
    await expect(read()).rejects.toMatchObject({ status: 422, code: 'page_too_slow' });
  });

  test('does not block the server if its elements are nested endlessly', async () => {
    const outcome = await save('/bomb').then(
      () => 'saved',
      ({ status }: ApiError) => status,
    );
    expect(['saved', 422]).toContain(outcome);
    expect((await save('/reference')).duplicate).toBe(true);
  });
});
