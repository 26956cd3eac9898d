import {
  getArtifact,
  getArtifactText,
  getArtifactView,
  listArtifacts,
  openArtifact,
  saveWebContent,
} from '@engram/contract';
import { ApiError } from '@engram/client';
import { beforeAll, describe, expect, test } from 'vitest';
import type { SignedInUser } from '../../../tests/app.test-setup.ts';
import { changed, exportOf, importOf } from '../../../tests/exports.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const ADDRESS = 'https://bank.example.org/statement';
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const page = (text: string): string => `<!doctype html><html lang="en"><head>
<meta charset="iso-8859-1"><title>Statement of May | Bank</title>
<meta property="article:published_time" content="2026-05-31T08:00:00Z">
<script>steal()</script></head><body onload="steal()">
<nav><a href="/a">Home</a> <a href="/b">Cards</a> <a href="/c">Loans</a></nav>
<main><h1>Statement</h1><p onclick="steal()">${text} für Müller</p>
<a href="javascript:steal()">A trap</a><a href="/details">Details</a>
<iframe src="https://evil.example.org"></iframe><form action="/pay"><input name="pin" value="1234"></form>
<img src="data:image/png;base64,${PIXEL}" alt="Chart" onerror="steal()"></main></body></html>`;

const engram = useTestApp();
let ann: SignedInUser;

beforeAll(async () => {
  ann = await engram.signIn('ann@example.org');
});

interface Content {
  url?: string;
  content?: string | Buffer;
  name?: string;
  type?: string;
  keywords?: string;
}

async function save(
  {
    url = ADDRESS,
    content = page('You have 48 crowns.'),
    name = 'page.html',
    type = 'text/html',
    keywords,
  }: Content,
  user = ann,
) {
  const file = { name, content: new Blob([content as string], { type }) };
  const fields = { url, ...(keywords === undefined ? {} : { keywords }) };
  const { data } = await user.client.upload(saveWebContent, [file], fields);
  await engram.settled();
  return data;
}

const textOf = (artifactId: string) => ann.client.text(getArtifactText, { params: { artifactId } });
const filesFrom = async (webAddress: string, user = ann) =>
  (await user.client.call(listArtifacts, { query: { webAddress } })).data;

describe('content that a client sends with its address', () => {
  test('is stored as a page with its title, date and picture, without scripts and forms', async () => {
    const saved = await save({ keywords: '["Money"]' });
    expect(saved).toMatchObject({ fileName: 'Statement of May | Bank.html', duplicate: false });
    const params = { artifactId: saved.artifactId };
    expect((await ann.client.call(getArtifact, { params })).data).toMatchObject({
      webAddress: ADDRESS,
      keywords: ['Money'],
      source: 'Web',
      uploadStatus: 'SUCCESS',
    });
    const text = await textOf(saved.artifactId);
    expect(text).toContain('You have 48 crowns. für Müller');
    expect(text).toContain('2026-05-31');
    const stored = await ann.client.file(openArtifact, {
      params: { ...params, userId: ann.userId, fileName: saved.fileName },
    });
    const html = await stored.text();
    expect(html).not.toMatch(/steal|iframe|1234|<form|Loans/u);
    expect(html).toContain(`src="data:image/png;base64,${PIXEL}"`);
    const view = await ann.client.call(getArtifactView, { params, query: {} });
    expect(view.data.html).toContain('href="https://bank.example.org/details"');
  });

  test('replaces the page that was saved from the address, and keeps its keywords', async () => {
    const before = await filesFrom(ADDRESS);
    const { artifactId } = await save({ content: page('You have 52 crowns.') });
    const after = await filesFrom(`${ADDRESS}#top`);
    expect(after.map((file) => file.artifactId)).toEqual([artifactId]);
    expect(after[0]?.keywords).toEqual(['Money']);
    expect(before[0]?.artifactId).not.toBe(artifactId);
    expect((await save({ content: page('You have 52 crowns.') })).duplicate).toBe(true);
  });

  test('is a separate file if it is a part of a page, even after an import', async () => {
    const url = `${ADDRESS}#:~:text=You%20have,crowns`;
    const part = await save({ url, content: '<title>Part</title><p>You have 52 crowns.' });
    expect((await filesFrom(url)).map((file) => file.artifactId)).toEqual([part.artifactId]);
    expect((await filesFrom(ADDRESS)).map((file) => file.artifactFileName)).toEqual([
      'Statement of May | Bank.html',
    ]);
    const bob = await engram.signIn('bob@example.org');
    await importOf(bob, await changed(await exportOf(ann), () => ({})));
    expect(await filesFrom(url, bob)).toHaveLength(1);
    expect(await filesFrom(ADDRESS, bob)).toHaveLength(1);
  });

  test('is stored as a file if it is not a page', async () => {
    const url = 'https://bank.example.org/prices.csv';
    const saved = await save({
      url,
      content: 'Ticket,Price\nCar,480\n',
      name: 'prices.csv',
      type: 'text/csv',
    });
    expect(saved.fileName).toBe('prices.csv');
    expect(await filesFrom(url)).toMatchObject([{ artifactFileType: 'text/csv', webAddress: url }]);
  });

  test("does not change another user's page of the same address", async () => {
    const cat = await engram.signIn('cat@example.org');
    const before = await filesFrom(ADDRESS);
    expect(await filesFrom(ADDRESS, cat)).toEqual([]);
    expect((await save({ content: page('You have 52 crowns.') }, cat)).duplicate).toBe(false);
    expect(await filesFrom(ADDRESS)).toEqual(before);
    expect(await filesFrom(ADDRESS, cat)).toHaveLength(1);
  });
});

describe('content that cannot be saved', () => {
  test.each<[string, Content, number, RegExp]>([
    ['without a web address', { url: 'statement' }, 400, /must begin with https/u],
    ['of another protocol', { url: 'file:///etc/passwd' }, 400, /must begin with https/u],
    ['with a script as its address', { url: 'javascript:alert(1)' }, 400, /must begin with https/u],
    [
      'with a password',
      { url: 'https://ann:secret@example.org/' },
      400,
      /Please remove the user name/u,
    ],
    ['with a long address', { url: `https://example.org/${'a'.repeat(2000)}` }, 400, /2000/u],
    ['with keywords that are not a list', { keywords: '{"a"' }, 400, /must be JSON/u],
    ['without text', { content: '<p><script>render()</script>' }, 422, /no text/u],
    ['above 10 MB', { content: '<p>x'.padEnd(10_000_001, 'x') }, 413, /more than 10 MB/u],
    [
      'of a program',
      {
        content: Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]),
        name: 'a',
        type: 'application/octet-stream',
      },
      415,
      /not supported/u,
    ],
  ])('is refused with the reason if it is a page %s', async (_, sent, status, message) => {
    const error = await save(sent).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(ApiError);
    const { status: actualStatus, message: actualMessage } = error as ApiError;
    expect([actualStatus, actualMessage]).toEqual([status, expect.stringMatching(message)]);
  });

  test('is refused if the form is malformed', async () => {
    const post = async (body: string | FormData, headers: Record<string, string> = {}) => {
      const response = await fetch(`${engram.origin}/v1/artifacts/from-browser`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ann.token}`, ...headers },
        body,
      });
      return [response.status, ((await response.json()) as { code: string }).code];
    };
    const form = (...parts: [string, string | Blob][]): FormData => {
      const data = new FormData();
      for (const [name, value] of parts) data.append(name, value);
      return data;
    };
    const file = new File(['<p>Text'], 'page.html', { type: 'text/html' });
    expect(await post('{}', { 'content-type': 'application/json' })).toEqual([
      415,
      'not_multipart',
    ]);
    expect(await post(form(['url', ADDRESS]))).toEqual([400, 'one_file_needed']);
    expect(await post(form(['files', file], ['url', ADDRESS]))).toEqual([400, 'invalid_request']);
    const long = 'x'.repeat(30_000);
    expect(await post(form(['url', long], ['files', file]))).toEqual([413, 'field_too_large']);
    const cut = '--x\r\nContent-Disposition: form-data; name="url"\r\n\r\nhttps://example.org/';
    const type = { 'content-type': 'multipart/form-data; boundary=x' };
    expect(await post(cut, type)).toEqual([400, 'broken_upload']);
    const cutFile = `${cut}\r\n--x\r\nContent-Disposition: form-data; name="files"; filename="a.csv"\r\n\r\na,b`;
    expect(await post(cutFile, type)).toEqual([400, 'broken_upload']);
    expect(await filesFrom('https://example.org/')).toEqual([]);
  });
});
