import {
  type BodyOf,
  changeArtifacts,
  getArtifact,
  getHistoryEntry,
  type InputOf,
  listArtifacts,
  renameArtifact,
  search,
  setArtifactKeywords,
  zipArtifacts,
} from '@engram/contract';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { unpack, upload } from '../../../tests/exports.test-setup.ts';
import { type SignedInUser, testDatabases } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';
import { createZips } from '../zips.ts';

type Query = NonNullable<InputOf<typeof listArtifacts>['query']>;
const MISSING = '00000000-0000-4000-8000-000000000000';

describe.each(testDatabases)('several files at once (%s)', (database) => {
  const engram = useTestApp({ database });
  let ann: SignedInUser;
  let bob: SignedInUser;
  const ids = new Map<string, string>();
  const idOf = (name: string): string => ids.get(name) ?? '';

  const listNames = async (query: Query = {}) => {
    const { data } = await ann.client.call(listArtifacts, { query: { sort: 'name', ...query } });
    return data.map(({ artifactFileName }) => artifactFileName);
  };
  const change = async (body: InputOf<typeof changeArtifacts>['body'], user = ann) =>
    (await user.client.call(changeArtifacts, { body })).data;
  const artifactNamed = async (name: string) =>
    (await ann.client.call(getArtifact, { params: { artifactId: idOf(name) } })).data;

  beforeAll(async () => {
    ann = await engram.signIn('ann@example.org');
    bob = await engram.signIn('bob@example.org');
    await upload(ann, {
      'boiler.txt': 'The boiler was serviced by Jansen in May.',
      'lease.txt': 'The lease ends with three months notice.',
      'rows.csv': 'month,rent\nMay,900',
      'broken.pdf': '%PDF-1.4 and nothing else',
    });
    await engram.settled();
    const { data } = await ann.client.call(listArtifacts, {});
    for (const { artifactFileName: name, artifactId } of data) ids.set(name, artifactId);
  });

  test('the list can be filtered by kind, state, source, time and content', async () => {
    expect(await listNames({ kind: 'spreadsheet' })).toEqual(['rows.csv']);
    expect(await listNames({ state: 'failed' })).toEqual(['broken.pdf']);
    expect(await listNames({ state: 'reading' })).toEqual([]);
    expect(await listNames({ source: 'Web', state: 'ready' })).toHaveLength(3);
    expect(await listNames({ source: 'Text' })).toEqual([]);
    const day = (await artifactNamed('boiler.txt')).artifactCreatedDate.slice(0, 10);
    expect(await listNames({ since: day, until: day })).toHaveLength(4);
    expect(await listNames({ until: '2020-01-01' })).toEqual([]);
    expect(await listNames({ q: 'jansen boiler' })).toEqual([]);
    expect(await listNames({ q: 'jansen boiler', in: 'content' })).toEqual(['boiler.txt']);
    const query = { q: 'three NOTICE', in: 'content' } as const;
    const { data } = await ann.client.call(listArtifacts, { query });
    expect(data.map(({ matchedLine }) => matchedLine)).toEqual([
      'The lease ends with three months notice.',
    ]);
    const byName = await ann.client.call(listArtifacts, { query: { q: 'lease' } });
    expect(byName.data[0]).not.toHaveProperty('matchedLine');
    await expect(listNames({ since: 'yesterday' })).rejects.toMatchObject({ status: 400 });
  });

  test('keywords are added to and removed from files by IDs or by a filter', async () => {
    const some = [idOf('boiler.txt'), idOf('lease.txt'), MISSING];
    expect(await change({ verb: 'tag', keywords: ['Home', 'home'], ids: some })).toMatchObject({
      done: some.slice(0, 2),
      refused: [{ code: 'artifact_not_found', ids: [MISSING] }],
    });
    expect(await listNames({ keyword: 'Home' })).toEqual(['boiler.txt', 'lease.txt']);
    const filter = { keyword: 'Home' } as const;
    const { done } = await change({
      verb: 'tag',
      keywords: ['Flat'],
      filter,
      except: [idOf('lease.txt')],
    });
    expect(done).toEqual([idOf('boiler.txt')]);
    expect((await artifactNamed('boiler.txt')).keywords).toEqual(['Home', 'Flat']);
    await change({ verb: 'untag', keywords: ['HOME'], filter });
    expect((await artifactNamed('boiler.txt')).keywords).toEqual(['Flat']);
    await engram.settled();
    const body = { text: 'Who serviced the boiler?', keywords: ['Flat'], audio: false };
    expect((await ann.client.call(search, { body })).data.grounded).toBe(true);
  });

  test('a file that would have too many keywords is rejected, and the others are tagged', async () => {
    const many = Array.from({ length: 50 }, (_, n) => `Word${n}`);
    const body = { artifactId: idOf('lease.txt'), keywords: many };
    await ann.client.call(setArtifactKeywords, { body });
    const both = [idOf('lease.txt'), idOf('boiler.txt')];
    expect(await change({ verb: 'tag', keywords: ['More'], ids: both })).toMatchObject({
      done: [idOf('boiler.txt')],
      refused: [{ code: 'too_many_keywords', ids: [idOf('lease.txt')] }],
    });
  });

  test('files are archived, restored and retried, and files that have not failed are reported', async () => {
    const both = [idOf('lease.txt'), idOf('broken.pdf')];
    await change({ verb: 'archive', ids: both });
    expect(await listNames({ archived: 'true' })).toEqual(['broken.pdf', 'lease.txt']);
    await change({ verb: 'unarchive', filter: { archived: true } });
    expect(await listNames({ archived: 'true' })).toEqual([]);
    expect(await change({ verb: 'retry', ids: both })).toMatchObject({
      done: [idOf('broken.pdf')],
      refused: [{ code: 'not_failed', ids: [idOf('lease.txt')] }],
    });
    await engram.settled();
  });

  test('an empty or contradictory selection is rejected with a message', async () => {
    const expectRejected = async (body: Partial<BodyOf<typeof changeArtifacts>>, message: string) =>
      expect(change(body as BodyOf<typeof changeArtifacts>)).rejects.toMatchObject({
        status: 400,
        message,
      });
    const message = 'Choose files either by ids or by a filter.';
    await expectRejected({ verb: 'archive' }, message);
    await expectRejected({ verb: 'archive', ids: [MISSING], filter: {} }, message);
    await expectRejected({ verb: 'tag', ids: [MISSING] }, 'Name the keywords.');
    await expect(change({ verb: 'archive', ids: [MISSING] })).rejects.toMatchObject({
      status: 404,
    });
  });

  test('files are downloaded as one zip with unique names, by a link without a token', async () => {
    const { data } = await ann.client.call(zipArtifacts, { body: { filter: {} } });
    expect(data).toMatchObject({ files: 4 });
    const response = await fetch(new URL(data.url, engram.baseUrl));
    expect(response.headers.get('content-disposition')).toMatch(/engram-files-.*\.zip/u);
    const members = await unpack(new Uint8Array(await response.arrayBuffer()));
    expect(Object.keys(members).sort()).toEqual([
      'boiler.txt',
      'broken.pdf',
      'lease.txt',
      'rows.csv',
    ]);
    expect(String(members['lease.txt'])).toContain('three months');
    expect((await fetch(new URL('/v1/zips/forged', engram.baseUrl))).status).toBe(404);
    const body = { ids: [idOf('lease.txt')] };
    await expect(bob.client.call(zipArtifacts, { body })).rejects.toMatchObject({ status: 404 });
  });

  test('a link to a zip works on every server until it expires', async () => {
    const { deps } = engram;
    const { storage, log, now } = deps;
    const { bulk } = deps.services;
    const signing = { ...storage.signing, isAlive: async () => true };
    const other = createZips({ storage: { ...storage, signing }, log, now }, bulk);
    const body = { ids: [idOf('lease.txt')] };
    const { data } = await ann.client.call(zipArtifacts, { body });
    const token = data.url.slice('/v1/zips/'.length);
    const { content } = await other.start(await other.find(token));
    expect(Object.keys(await unpack(await buffer(content)))).toEqual(['lease.txt']);

    for (let count = 0; count < 20; count += 1) await ann.client.call(zipArtifacts, { body });
    await expect(other.find(token)).rejects.toMatchObject({ status: 404 });
    const last = (await ann.client.call(zipArtifacts, { body })).data.url;
    engram.advance(16 * 60_000);
    expect((await fetch(new URL(last, engram.baseUrl))).status).toBe(410);
    await other.cleanUp();
    const { rows } = await deps.database.pool.query('SELECT token_hash FROM zip_links');
    expect(rows).toEqual([]);
  });

  test('a renamed file keeps its extension, is found by its new name, and is cited by it', async () => {
    const question = { body: { text: 'How much notice does the lease need?', audio: false } };
    const { history_id: entry } = (await ann.client.call(search, question)).data;
    const params = { artifactId: idOf('lease.txt') };
    const rename = async (name: string) =>
      (await ann.client.call(renameArtifact, { params, body: { name } })).data.artifactFileName;
    expect(await rename('Amstelkade.TXT')).toBe('Amstelkade.TXT');
    expect(await rename('Amstelkade 12')).toBe('Amstelkade 12.TXT');
    await expect(rename('a/b')).rejects.toMatchObject({
      status: 400,
      message: 'A name cannot have a slash in it.',
    });
    await expect(rename('  ')).rejects.toMatchObject({ status: 400 });
    const stored = await ann.client.call(getHistoryEntry, { query: { id: entry } });
    expect(stored.data.citations[0]?.fileName).toBe('Amstelkade 12.TXT');
    await engram.settled();
    const request = { body: { text: 'What does the Amstelkade file say?', audio: false } };
    const { similar_vectors: files } = (await ann.client.call(search, request)).data;
    expect(files[0]?.fileName).toBe('Amstelkade 12.TXT');
  });

  test('several files can be deleted together without others', async () => {
    const { done } = await change({ verb: 'delete', filter: { kind: 'text' } });
    expect(done).toHaveLength(2);
    expect(await listNames()).toEqual(['broken.pdf', 'rows.csv']);
  });
});
