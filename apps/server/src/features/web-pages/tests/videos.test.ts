import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import {
  getArtifact,
  getArtifactSegments,
  getArtifactText,
  getArtifactView,
  listArtifacts,
  saveWebContent,
  saveWebPage,
  search,
} from '@engram/contract';
import { ApiError } from '@engram/client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SignedInUser } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';
import {
  type Details,
  json3,
  playerData,
  redirect,
  send,
  startYouTube,
  type Track,
  watchPage,
  YOUTUBE,
} from './youtube.test-setup.ts';

const ID = 'dQw4w9WgXcQ';
const ADDRESS = `${YOUTUBE}/watch?v=${ID}`;
const WATCH = `www.youtube.com/watch?v=${ID}`;
const PLAYER = 'www.youtube.com/youtubei/v1/player?prettyPrint=false';

const youtube = await startYouTube();
const engram = useTestApp({ fetchOutside: youtube.fetch });
let ann: SignedInUser;

beforeAll(async () => {
  ann = await engram.signIn('ann@example.org');
});
afterAll(() => youtube.close());

beforeEach(() => {
  for (const path of Object.keys(youtube.handlers)) delete youtube.handlers[path];
  youtube.requests.length = 0;
});

async function save(url = ADDRESS, keywords: string[] = [], user = ann) {
  const { data } = await user.client.call(saveWebPage, { body: { url, keywords } });
  await engram.settled();
  return data;
}

const fileOf = async (artifactId: string, user = ann) =>
  (await user.client.call(getArtifact, { params: { artifactId } })).data;
const textOf = (artifactId: string, user = ann) =>
  user.client.text(getArtifactText, { params: { artifactId } });

async function refusalOf(url = ADDRESS): Promise<ApiError> {
  const before = (await ann.client.call(listArtifacts, {})).data.length;
  const error = await save(url).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ApiError);
  expect((await ann.client.call(listArtifacts, {})).data).toHaveLength(before);
  return error as ApiError;
}

const track = (languageCode: string, kind?: 'asr', more = ''): Track => ({
  languageCode,
  ...(kind ? { kind } : {}),
  baseUrl: `${YOUTUBE}/api/timedtext?v=${ID}&lang=${languageCode}${kind ? '&kind=asr' : ''}${more}`,
});

/** Serves a track's captions, each text in its language. */
function serveCaptions({ baseUrl, languageCode }: Track, body?: string) {
  const path = `${baseUrl.replace('https://', '')}&fmt=json3`;
  const captions = json3(
    [1500, 4000, `The hull is welded in Gdansk. (${languageCode})`],
    [5000, 6000, '[Music]'],
    [32_000, 5000, 'It weighs nine thousand tonnes.'],
    [37_000, 5000, 'Then the engines are lifted in.'],
  );
  youtube.handlers[path] = send(body ?? captions, 'application/json');
}

/** Serves a video: its page, and the data for the app. */
function serveVideo(page: Details, app: Details | null = page, lang?: string) {
  youtube.handlers[WATCH] = send(watchPage(playerData(ID, page), lang));
  if (app) youtube.handlers[PLAYER] = send(JSON.stringify(playerData(ID, app)), 'application/json');
}

describe('saving a video', () => {
  test('stores its title, channel, date, description and captions with the times of the sentences', async () => {
    serveVideo({ tracks: [track('en', undefined, '&exp=xpe')] }, { tracks: [track('en')] });
    serveCaptions(track('en'));
    serveCaptions(track('en', undefined, '&exp=xpe'), '');
    const saved = await save(ADDRESS, ['Ships']);
    expect(saved.fileName).toBe('How the ferry is built.html');
    const file = await fileOf(saved.artifactId);
    expect(file).toMatchObject({
      webAddress: ADDRESS,
      keywords: ['Ships'],
      uploadStatus: 'SUCCESS',
      statusReason: null,
    });
    const text = await textOf(saved.artifactId);
    expect(text).toContain('Harbour Channel · 2026-05-04');
    expect(text).toContain('A tour of the yard.\nWith the builder.\n\nhttps://yard.example');
    expect(text).toMatch(/Captions\n\nThe hull is welded in Gdansk\. \(en\)\n\nIt weighs nine/u);
    expect(text).not.toMatch(/0:01|Music|render/u);
    const { data: segments } = await ann.client.call(getArtifactSegments, {
      params: { artifactId: saved.artifactId },
      query: {},
    });
    const timed = segments.filter(({ location }) => 'startMs' in location);
    expect(timed.map(({ start, end, location }) => [text.slice(start, end), location])).toEqual([
      ['The hull is welded in Gdansk. (en)', { startMs: 1500, endMs: 5000 }],
      ['It weighs nine thousand tonnes.', { startMs: 32_000, endMs: 37_000 }],
      ['Then the engines are lifted in.', { startMs: 37_000, endMs: 42_000 }],
    ]);
  });

  test('shows each paragraph with a link to its second', async () => {
    const [file] = (await ann.client.call(listArtifacts, { query: { webAddress: ADDRESS } })).data;
    const params = { artifactId: file?.artifactId ?? '' };
    const { html } = (await ann.client.call(getArtifactView, { params, query: {} })).data;
    const link = (seconds: number, label: string) =>
      `<a href="${ADDRESS}&amp;t=${seconds}s" rel="noopener noreferrer" target="_blank">${label}</a>`;
    expect(html).toContain(`<p>${link(1, '0:01')} The hull is welded in Gdansk. (en)</p>`);
    expect(html).toContain(
      `<p>${link(32, '0:32')} It weighs nine thousand tonnes. Then the engines are lifted in.</p>`,
    );
  });

  test('makes it citable by the second', async () => {
    const { data } = await ann.client.call(search, {
      body: { text: 'When are the engines lifted in?', audio: false },
    });
    expect(data.citations[0]).toMatchObject({
      fileName: 'How the ferry is built.html',
      location: { startMs: 37_000 },
    });
  });

  test.each([
    `https://youtu.be/${ID}?si=abc&t=30`,
    `https://m.youtube.com/watch?app=desktop&v=${ID}&list=PL1`,
    `http://music.youtube.com/watch?v=${ID}`,
    `https://www.youtube.com/shorts/${ID}`,
    `https://youtube.com/live/${ID}?feature=share`,
    `https://www.youtube-nocookie.com/embed/${ID}`,
  ])('stores it once, even for the address %s and a redirect to it', async (address) => {
    serveVideo({ tracks: [track('en')] });
    serveCaptions(track('en'));
    youtube.handlers['short.example/ferry'] = redirect(address);
    const saved = await save(address);
    expect(saved.duplicate).toBe(true);
    const query = { webAddress: address };
    const listed = (await ann.client.call(listArtifacts, { query })).data;
    expect(listed[0]?.artifactId).toBe(saved.artifactId);
    expect((await save('https://short.example/ferry')).artifactId).toBe(saved.artifactId);
  });

  test('replaces it when it has changed, and keeps its keywords, even if the browser sends it', async () => {
    serveVideo({ title: 'How the ferry was built', tracks: [track('en')] });
    serveCaptions(track('en'));
    const file = { name: 'page.html', content: new Blob(['<p>x'], { type: 'text/html' }) };
    const fields = { url: `${ADDRESS}&t=10s` };
    const { data: saved } = await ann.client.upload(saveWebContent, [file], fields);
    await engram.settled();
    expect(saved).toMatchObject({ fileName: 'How the ferry was built.html', duplicate: false });
    const query = { webAddress: ADDRESS };
    const listed = (await ann.client.call(listArtifacts, { query })).data;
    expect(listed).toMatchObject([{ artifactId: saved.artifactId, keywords: ['Ships'] }]);
  });

  test('stores a selection of its page as it was sent', async () => {
    const url = `${ADDRESS}#:~:text=first%20comment`;
    const file = { name: 'page.html', content: new Blob(['<p>The first comment.']) };
    const { data } = await ann.client.upload(saveWebContent, [file], { url });
    await engram.settled();
    expect(await textOf(data.artifactId)).toContain('The first comment.');
    expect(youtube.requests).toEqual([]);
  });
});

describe('the captions of a video', () => {
  test.each<[string, Track[], string | undefined, string]>(
    [
      ['written by people in the spoken language', ['de', 'en', 'en asr'], 'de-DE', 'en'],
      [
        'written by people in a regional variant of it',
        ['de', 'en-GB', 'en asr'],
        'de-DE',
        'en-GB',
      ],
      [
        'generated automatically, rather than translated by people',
        ['de', 'fr', 'en asr'],
        'de-DE',
        'en asr',
      ],
      [
        'generated automatically in the language of the page',
        ['en asr', 'de asr'],
        'de-DE',
        'de asr',
      ],
      ['written by people in the language of the page', ['fr', 'de'], 'de-DE', 'de'],
      ['written by people and listed first', ['fr', 'it'], 'de-DE', 'fr'],
    ].map(
      ([title, tracks, lang, expected]) =>
        [title, (tracks as string[]).map(parse), lang, expected] as never,
    ),
  )('are those %s', async (_, tracks, lang, expected) => {
    serveVideo({ tracks }, { tracks }, lang);
    for (const captions of tracks) serveCaptions(captions);
    const { artifactId } = await save();
    const heading = expected.endsWith('asr') ? 'Automatic captions' : 'Captions';
    expect(await textOf(artifactId)).toContain(
      `${heading}\n\nThe hull is welded in Gdansk. (${expected.split(' ')[0]})`,
    );
  });

  test('are those of the page if the data for the app is missing', async () => {
    serveVideo({ title: 'Without the app', tracks: [track('en')] }, null);
    serveCaptions(track('en'));
    expect(await textOf((await save()).artifactId)).toContain('It weighs nine thousand tonnes.');
  });

  test('may be missing, which the file reports in a note', async () => {
    serveVideo({ title: 'Silent', description: 'Only waves.' });
    const { artifactId } = await save();
    expect(await fileOf(artifactId)).toMatchObject({
      uploadStatus: 'SUCCESS',
      statusReason: expect.stringContaining('This video has no captions'),
    });
    expect(await textOf(artifactId)).toContain('Only waves.');
    expect(youtube.requests).toEqual([WATCH]);
  });

  test.each<[string, string]>([
    ['are empty', ''],
    ['are malformed', '{"events":[{"tStartMs":"soon"}]}'],
    ['are a web page', '<html>Sign in</html>'],
    ['are endless', `{"events":[${'{"segs":[]},'.repeat(1_000_000)}`],
  ])('that %s are left out with a note, and do not replace saved ones', async (title, body) => {
    serveVideo({ title, tracks: [track('en')] });
    serveCaptions(track('en'), body);
    expect(await refusalOf()).toMatchObject({ status: 422, code: 'captions_unavailable' });
    const bob = await engram.signIn(`${title.replaceAll(' ', '-')}@example.org`);
    const { artifactId } = await save(ADDRESS, [], bob);
    expect((await fileOf(artifactId, bob)).statusReason).toMatch(
      /captions .* could not be fetched/u,
    );
    expect(await textOf(artifactId, bob)).toContain('A tour of the yard.');
  });

  test('are not fetched from a private network', async () => {
    let requests = 0;
    const inside = createServer((_, response) => {
      requests += 1;
      response.end(json3([0, 1000, 'A secret of the network.']));
    });
    inside.listen(0, '127.0.0.1');
    await once(inside, 'listening');
    const { port } = inside.address() as AddressInfo;
    const baseUrl = `http://127.0.0.1:${port}/captions`;
    serveVideo({ title: 'Inside', tracks: [{ languageCode: 'en', baseUrl }] });
    const bob = await engram.signIn('bob@example.org');
    const { artifactId } = await save(ADDRESS, [], bob);
    inside.close();
    expect(requests).toBe(0);
    expect((await fileOf(artifactId, bob)).statusReason).toMatch(/could not be fetched/u);
  });
});

describe('a video that cannot be saved', () => {
  test('says that its page may ask for consent, unless the data for the app is available', async () => {
    youtube.handlers[WATCH] = redirect('https://consent.youtube.com/m?continue=x');
    youtube.handlers['consent.youtube.com/m?continue=x'] = send('<form>Before you continue</form>');
    expect(await refusalOf()).toMatchObject({
      status: 422,
      code: 'video_unreadable',
      message: expect.stringMatching(/^consent\.youtube\.com .* may ask for consent/u),
    });
    const data = JSON.stringify(playerData(ID, { title: 'With consent', tracks: [track('en')] }));
    youtube.handlers[PLAYER] = send(data, 'application/json');
    serveCaptions(track('en'));
    expect((await save()).fileName).toBe('With consent.html');
  });

  test.each<[string, Details, RegExp]>([
    ['is private', { status: 'LOGIN_REQUIRED', reason: 'Private video' }, /‘Private video’/u],
    ['is deleted', { status: 'ERROR', reason: 'Video unavailable' }, /‘Video unavailable’/u],
  ])('says so if it %s', async (_, details, message) => {
    serveVideo(details);
    expect(await refusalOf()).toMatchObject({
      status: 422,
      code: 'video_not_shown',
      message: expect.stringMatching(message),
    });
  });

  test.each<[string, string]>([
    ['no data', '<html><body>Nothing</body></html>'],
    ['truncated data', watchPage(playerData(ID)).slice(0, 600)],
    ['data of an unexpected shape', watchPage({ playabilityStatus: 'OK', videoDetails: [] })],
    [
      'endlessly nested data',
      watchPage(null).replace('= null;var', `= ${'{"a":'.repeat(500_000)};var`),
    ],
  ])('says so if its page has %s', async (_, page) => {
    youtube.handlers[WATCH] = send(page);
    expect(await refusalOf()).toMatchObject({
      status: 422,
      message: expect.stringMatching(/www\.youtube\.com did not send the data of this video/u),
    });
  });

  test('says so if YouTube refuses to answer', async () => {
    youtube.handlers[WATCH] = (response) => response.writeHead(429, 'Too Many Requests').end();
    expect(await refusalOf()).toMatchObject({ status: 422, code: 'page_refused' });
  });
});

function parse(name: string): Track {
  const [language = '', kind] = name.split(' ');
  return track(language, kind as 'asr' | undefined);
}
