import { readFileSync } from 'node:fs';
import { deleteArtifact, getArtifactView, signArtifact, uploadArtifacts } from '@engram/contract';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import type { SignedInUser } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const FIXTURES = new URL('../../../../../../packages/extraction/fixtures/', import.meta.url);

describe('a file as HTML', () => {
  const engram = useTestApp();
  let ann: SignedInUser;

  beforeAll(async () => {
    ann = await engram.signIn('ann@example.org');
  });

  async function upload(
    fileName: string,
    content: string | Uint8Array<ArrayBuffer>,
  ): Promise<string> {
    const file = { name: fileName, content: new Blob([content]) };
    const { data } = await ann.client.upload(uploadArtifacts, [file], {});
    return data.artifacts[0]!.artifactId;
  }

  const viewOf = async (
    artifactId: string,
    query: { from?: number; to?: number; path?: string } = {},
  ) => (await ann.client.call(getArtifactView, { params: { artifactId }, query })).data;

  const viewOfFixture = async (path: string, query: { path?: string } = {}) => {
    const id = await upload(path.replace(/^.*\//u, ''), readFileSync(new URL(path, FIXTURES)));
    return (await viewOf(id, query)).html.replaceAll(/\s+/gu, ' ');
  };

  test.each([
    [
      '019-docx/lease.docx',
      ['<h1>Lease of the mill</h1>', '<li>Oil the wheel</li>', '<th><p>Month</p></th>'],
    ],
    [
      '182-odt/well.odt',
      [
        '<a href="https://example.org/" rel="noopener noreferrer" target="_blank">the manual</a>',
        '<ol start="3"><li><p>Close it.</p></li></ol>',
        '<td colspan="1" rowspan="2"><p>2 May</p></td>',
      ],
    ],
    ['190-epub/knots.epub', ['<h1>The Bowline</h1>', '<th>Rope</th>', '<pre>loop turn</pre>']],
    ['002-markdown/bread.md', ['<em>flour</em>', '<td>rise</td>', '<li>use rye</li>']],
    ['007-html-page/page.html', ['<b>cold</b>', '<caption>Depths</caption>']],
    ['151-eml-html-only/ticket.eml', ['<dt>From:</dt>', 'Deck <b>C</b>', '<td>09:10</td>']],
    ['155-mbox/club.mbox', ['<dt>From:</dt>']],
    ['089-doc/minutes.doc', ['<h2>Decisions</h2>', '<th>Task</th>', '<td>Call the builder</td>']],
    ['180-rtf/boat-shed.rtf', ['<li>Dogs stay outside.</li>', '<td>Havfruen</td>']],
    ['162-vcf/people.vcf', ['<dt>Birthday:</dt><dd>17 September</dd>']],
  ])('%s has its headings, lists, tables and links', async (path, parts) => {
    const html = await viewOfFixture(path);
    for (const part of parts) expect(html).toContain(part);
  });

  test('a page keeps its text and loses scripts, styles, forms and remote content', async () => {
    const depth = 3000;
    const id = await upload(
      'hostile.html',
      `<!doctype html><meta http-equiv="refresh" content="0;url=https://evil.example/">
       <link rel="stylesheet" href="https://evil.example/a.css"><base href="https://evil.example/">
       <style>body { background: url(https://evil.example/b.png) }</style>
       <h1 onclick="alert(1)" style="background:url(https://evil.example/c.png)">Moorings</h1>
       <p>The <b onmouseover=alert(1)>bell buoy</b> is green.<script>alert(1)</script></p>
       <a href="javascript:alert(1)">one</a> <a href="JaVaScript&#58;alert(1)">two</a>
       <a href="data:text/html,<script>alert(1)</script>">three</a> <a href="//evil.example/">four</a>
       <a href="https://harbour.example/?a=1&amp;b=2" target="_top">five</a>
       <img src="https://evil.example/pixel.gif" onerror="alert(1)">
       <img src="data:image/svg+xml;base64,${Buffer.from('<svg onload="alert(1)"/>').toString('base64')}">
       <svg onload="alert(1)"><script>alert(1)</script><foreignObject><b>drawn</b></foreignObject></svg>
       <math><mi xlink:href="javascript:alert(1)">x</mi></math>
       <iframe src="https://evil.example/"></iframe><object data="https://evil.example/"></object>
       <form action="https://evil.example/"><input name="code"><button>Send</button>Depth in fathoms</form>
       <template><img src=x onerror=alert(1)></template><noscript><img src=x onerror=alert(1)></noscript>
       <p>&lt;script&gt;alert(2)&lt;/script&gt;</p>
       ${'<div>'.repeat(depth)}<p>At the bottom.</p>${'</div>'.repeat(depth)}`,
    );
    const { html } = await viewOf(id);
    const tags = new Set([...html.matchAll(/<\/?([^\s>/]+)/gu)].map(([, name]) => name));
    expect([...tags].toSorted()).toEqual(['a', 'b', 'div', 'h1', 'p']);
    const attributes = [...html.matchAll(/\s([a-z-]+)="/gu)].map(([, name]) => name);
    expect(attributes).toEqual(['href', 'rel', 'target']);
    expect(html).not.toContain('evil.example');
    expect(html).toContain('href="https://harbour.example/?a=1&amp;b=2"');
    expect(html).toContain('The <b>bell buoy</b> is green.');
    expect(html).toContain('&lt;script&gt;alert(2)&lt;/script&gt;');
    expect(html).toContain('Depth in fathoms');
    expect(html).toContain('At the bottom.');
    expect(html.match(/<div>/gu)?.length).toBeLessThan(100);
  });

  test('HTML in Markdown and mail is sanitized too', async () => {
    const hostile = '<img src=x onerror=alert(1)><b onclick="alert(1)">Rope</b><script>x</script>';
    const markdown = await viewOf(
      await upload('a.md', `# Ropes\n\n${hostile}\n\n[go](javascript:x)`),
    );
    expect(markdown.html).toContain('<h1>Ropes</h1>');
    expect(markdown.html).toContain('<b>Rope</b>');
    const mail = await viewOf(
      await upload(
        'a.eml',
        `From: a@b.example\r\nSubject: Ropes\r\nMIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n<p>${hostile}</p>`,
      ),
    );
    expect(mail.html).toContain('<b>Rope</b>');
    for (const { html } of [markdown, mail]) {
      expect(html).not.toMatch(/alert|<script|href|<img/iu);
    }
  });

  test('an embedded picture is shown after it is encoded again', async () => {
    const png = readFileSync(new URL('041-png-blank/blank.png', FIXTURES));
    const id = await upload(
      'photo.html',
      `<h1>Quay</h1><p>The quay at noon.</p><img src="data:image/png;base64,${png.toString('base64')}">`,
    );
    expect((await viewOf(id)).html).toMatch(
      /<img src="data:image\/webp;base64,[\w+/=]+" width="\d+" height="\d+" alt="" \/>/u,
    );
  });

  test('only the requested part of a long file is rendered', async () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => `<p>Buoy ${i} lies <i>west</i>.</p>`);
    const id = await upload('long.html', `<article>${lines.join('\n')}</article>`);
    const start = await viewOf(id, { from: 0, to: 100_000 });
    expect(start.complete).toBe(false);
    expect(start.html.slice(0, 40)).toContain('<div><p>Buoy 0 lies <i>west</i>');
    expect(start.html.slice(-40)).toMatch(/<\/p>\s*<\/div>$/u);
    expect(start.html.includes('Buoy 19999 ')).toBe(false);
    const end = await viewOf(id, { from: 250_000 });
    expect(end.complete).toBe(false);
    expect(end.html.slice(-60)).toContain('Buoy 19999 ');
    expect(end.html.slice(0, 60)).toMatch(/^<div><p><\/p>\s*<p>Buoy \d+ lies <i>/u);
  });

  test('a member of an archive can be shown', async () => {
    const html = await viewOfFixture('082-zip/club.zip', { path: 'minutes/may.md' });
    expect(html).toContain('<h1>');
  });

  test('a damaged file is reported, and a deleted one is not found', async () => {
    const id = await upload('cut.docx', readFileSync(new URL('021-docx-cut/cut.docx', FIXTURES)));
    await expect(viewOf(id)).rejects.toMatchObject({ status: 422, code: 'not_rendered' });
    await ann.client.call(deleteArtifact, { params: { artifactId: id } });
    await expect(viewOf(id)).rejects.toMatchObject({ status: 404 });
  });

  const pictureOf = async (id: string, query: string): Promise<Response> => {
    const { data } = await ann.client.call(signArtifact, { params: { artifactId: id } });
    return fetch(`${engram.origin}${data.presignedUrl}?${query}`);
  };

  test.each([
    ['260-heic/sign.heic', 1, 'image/jpeg', { format: 'jpeg', width: 600, height: 200 }],
    ['170-tiff-pages/fax.tif', 2, 'image/png', { format: 'png' }],
    ['045-bmp/red.bmp', 1, 'image/png', { format: 'png' }],
  ])('%s page %i is rendered as %s', async (path, page, type, expected) => {
    const id = await upload(path.replace(/^.*\//u, ''), readFileSync(new URL(path, FIXTURES)));
    const response = await pictureOf(id, `picture=${page}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(type);
    expect(await sharp(await response.arrayBuffer()).metadata()).toMatchObject(expected);
  });

  test('a damaged picture, a missing page and a file without pictures are not rendered', async () => {
    const fax = await upload('2.tif', readFileSync(new URL('170-tiff-pages/fax.tif', FIXTURES)));
    const cut = await upload('cut.heic', readFileSync(new URL('261-heic-cut/cut.heic', FIXTURES)));
    const note = await upload('note.txt', 'The quay is closed.');
    for (const [id, page] of [
      [cut, 1],
      [fax, 3],
      [note, 1],
    ] as const) {
      expect((await pictureOf(id, `picture=${page}`)).status).toBe(422);
    }
    expect((await pictureOf(fax, 'picture=0')).status).toBe(400);
  });
});
