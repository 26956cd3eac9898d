import { importAccount, search } from '@engram/contract';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { storedZip } from '../../../tests/archives.test-setup.ts';
import {
  belongings,
  changed,
  exportOf,
  importOf,
  unpack,
  upload,
} from '../../../tests/exports.test-setup.ts';
import { buildTestApp, type SignedInUser } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';
import { exportedEntry } from '../export-format.ts';
import { createRefusals, readExport } from '../import-reading.ts';

const START = '2026-03-10T09:00:00Z';
const NO_EXPORT = { status: 415, message: 'The file is not an Engram export.' };

describe('an invalid or hostile export', () => {
  const engram = useTestApp({
    env: { ENGRAM_IMPORT_LIMIT_MB: '1', ENGRAM_LIMITS: 'enforce' },
    startAt: new Date(START),
  });
  let userCount = 0;
  let bytes: Buffer<ArrayBuffer>;
  let bob: SignedInUser;

  beforeAll(async () => {
    const ann = await engram.signIn('ann@example.org');
    await upload(ann, { 'lease.txt': 'The lease ends in May.' });
    engram.advance(1000);
    await upload(ann, { 'tool.txt': 'A hammer.' });
    await engram.settled();
    const question = { text: 'When does the lease end?', audio: false };
    await ann.client.call(search, { body: question });
    bytes = await exportOf(ann);
  });

  beforeEach(async () => {
    userCount += 1;
    bob = await engram.signIn(`bob${userCount}@example.org`);
  });

  /** The error of an import, which must have no effect. */
  const refusalOf = async (archive: Uint8Array<ArrayBuffer>): Promise<unknown> => {
    const before = await belongings(bob);
    const refusal: unknown = await importOf(bob, archive).catch((error: unknown) => error);
    expect(await belongings(bob)).toEqual(before);
    expect(await readdir(path.join(engram.folder, 'imports'))).toEqual([]);
    return refusal;
  };

  const changedExport = (change: Parameters<typeof changed>[1]) => changed(bytes, change);

  test.each([
    ['empty', Buffer.alloc(0)],
    ['another type of file', Buffer.from('%PDF-1.7 something else')],
    ['half a zip', Buffer.from('PK\u0003\u0004 and then nothing')],
    ['a zip of other files', storedZip({ 'holiday.txt': Buffer.from('Sun') })],
    ['a zip with another manifest', storedZip({ 'manifest.json': Buffer.from('{"format":1}') })],
    ['a zip with null as manifest', storedZip({ 'manifest.json': Buffer.from('null') })],
  ])('is refused with a message if it is %s', async (_, archive) => {
    expect(await refusalOf(Buffer.from(archive))).toMatchObject(NO_EXPORT);
  });

  test.each(['../../outside.txt', '/etc/passwd', 'C:/windows.txt', String.raw`a\..\b.txt`])(
    'is refused if it has the path %s outside the archive, and nothing is written there',
    async (name) => {
      const archive = storedZip({ ...(await unpack(bytes)), [name]: Buffer.from('x') });
      expect(await refusalOf(archive)).toMatchObject({
        status: 415,
        message: 'The file is not an Engram export: one of its paths leads outside the archive.',
      });
    },
  );

  test.each([
    [
      'made by a later version',
      { 'manifest.json': { format: 'engram-export', version: 2 } },
      { status: 415, message: expect.stringContaining('Please update Engram first.') as string },
    ],
    [
      'with an invalid list',
      { 'history.json': { a: 1 } },
      { status: 400, message: expect.stringContaining('history.json cannot be read') as string },
    ],
    [
      'with a list that breaks off',
      { 'history.json': Buffer.from('[{"question": "a"}, {"question"') },
      { status: 400, code: 'damaged_export' },
    ],
    [
      'with a list of numbers',
      { 'keywords.json': [1, 2, 3] },
      { status: 400, code: 'damaged_export' },
    ],
    [
      'nested without end',
      { 'history.json': Buffer.from(`[${'{"a":['.repeat(100_000)}`) },
      { status: 400, code: 'damaged_export' },
    ],
    ['without its files', { 'files.json': null }, { status: 400, code: 'damaged_export' }],
  ])('changes nothing if it is %s', async (_, change, refusal) => {
    expect(await refusalOf(await changedExport(() => change))).toMatchObject(refusal);
  });

  test('is not unpacked if its declared size is far larger than the archive', async () => {
    const members = await unpack(bytes);
    const bomb = Buffer.from(storedZip({ ...members, 'files/bomb.txt': Buffer.from('boom') }));
    const entry = bomb.lastIndexOf('files/bomb.txt') - 46;
    // In the list of contents: 4 bytes that deflate to 4 GB.
    bomb.writeUInt16LE(8, entry + 10);
    bomb.writeUInt32LE(0xfffffff0, entry + 24);
    expect(await refusalOf(bomb)).toMatchObject({ status: 413, code: 'unpacks_to_too_much' });
  });

  test('has each member reported that has a wrong size or cannot be imported', async () => {
    type Listed = { name: string; sha256: string; path: string }[];
    const archive = await changedExport((json) => {
      const [lease, tool] = json<Listed>('files.json');
      const program = Buffer.from('MZ\u0090\u0000 a program'.repeat(10), 'latin1');
      return {
        'files/tool.exe': program,
        'files.json': [
          lease,
          { ...tool, name: 'tool.exe', path: 'files/tool.exe' },
          { ...tool, name: '../../passwd', path: '../../passwd' },
          { ...tool, name: 'unsaid.txt', sha256: 'a' },
          { ...tool, name: 'other.txt', path: 'files/lease.txt' },
        ],
        'keywords.json': [{ keyword: 'two words', active: true }],
      };
    });
    const result = await importOf(bob, archive);
    expect(result).toMatchObject({ files: { added: 1, present: 0 }, history: { added: 1 } });
    const reasons = Object.fromEntries(result.rejected.map(({ name, message }) => [name, message]));
    expect(reasons).toEqual({
      'tool.exe': 'File type not supported: tool.exe',
      '../../passwd': 'The export does not contain it.',
      'unsaid.txt': expect.stringMatching(/sha256/u) as string,
      'other.txt': 'Another file in the export uses the same bytes.',
      'two words': expect.stringMatching(/keyword/iu) as string,
    });
    expect((await belongings(bob)).files.map(({ name }) => name)).toEqual(['lease.txt']);
  });

  test('is imported without future dates and without characters that no database stores', async () => {
    type Entry = { question: string; date: string };
    const archive = await changedExport((json) => {
      const [entry] = json<Entry[]>('history.json');
      return {
        'files.json': json<object[]>('files.json').map((file) => ({
          ...file,
          createdDate: '2999-01-01T00:00:00Z',
        })),
        'history.json': [
          { ...entry, question: 'What\u0000 is\ud800 it?' },
          { ...entry, question: 'What will be?', date: '2999-01-01T00:00:00Z' },
          { ...entry, question: 'What was before?', date: '0000-01-01T00:00:00Z' },
        ],
      };
    });
    const { rejected } = await importOf(bob, archive);
    expect(rejected.map(({ name }) => name)).toEqual(['What will be?', 'What was before?']);
    const { files, history } = await belongings(bob);
    expect(history.map(({ searchText }) => searchText)).toEqual(['What is\ufffd it?']);
    expect(files.every(({ created }) => created < '2026-03-11')).toBe(true);
  });

  test('has answers reported and skipped that no question can have returned', async () => {
    type Entry = { question: string; citations: object[] };
    const archive = await changedExport((json) => {
      const [entry] = json<Entry[]>('history.json');
      const [citation] = entry?.citations ?? [];
      return {
        'history.json': [
          { ...entry, question: 'How long?', answer: 'x'.repeat(20_001) },
          { ...entry, question: 'How deep?', answer: '> '.repeat(5000) },
          { ...entry, question: 'How deep in lists?', answer: `${'1. '.repeat(5000)}a` },
          {
            ...entry,
            question: 'Who said so?',
            citations: [{ ...citation, quote: 'x'.repeat(20_001) }],
          },
          { ...entry, question: 'How much?', answer: `${'.'.repeat(10_000)}${' '.repeat(10_000)}` },
        ],
      };
    });
    const { rejected, history } = await importOf(bob, archive);
    expect(rejected).toEqual([
      { name: 'How long?', message: 'Its answer has more than 20,000 characters.' },
      { name: 'How deep?', message: 'Its answer has more than 100 levels of nesting.' },
      { name: 'How deep in lists?', message: 'Its answer has more than 100 levels of nesting.' },
      { name: 'Who said so?', message: 'One of its quotes has more than 20,000 characters.' },
    ]);
    expect(history.added).toBe(1);
  });

  test('is refused if the form has no export, several, or one above the size limit', async () => {
    const send = async (body: FormData | string) => {
      const authorization = `Bearer ${bob.token}`;
      const headers = { authorization, ...(typeof body === 'string' ? JSON_TYPE : {}) };
      const url = `${engram.baseUrl}/account/import`;
      const response = await fetch(url, { method: 'POST', headers, body });
      return { status: response.status, ...((await response.json()) as { message: string }) };
    };
    const form = (...parts: Uint8Array<ArrayBuffer>[]) => {
      const form = new FormData();
      for (const part of parts) form.append('files', new Blob([part]), 'engram.zip');
      return form;
    };
    expect(await send('{}')).toMatchObject({ status: 415 });
    const refusal = { status: 400, message: 'Please send exactly one export.' };
    expect(await send(form())).toMatchObject(refusal);
    expect(await send(form(bytes, bytes))).toMatchObject(refusal);
    expect(await refusalOf(Buffer.alloc(1_200_000))).toMatchObject({
      status: 413,
      message: 'An export can have at most 1 MB.',
    });
  });

  test('has its answers imported and its files reported if the storage is full, and nothing if the plan has expired', async () => {
    const { pool } = engram.deps.database;
    await upload(bob, { 'full.txt': 'Full.' });
    await engram.settled();
    const setSize = 'UPDATE artifacts SET size = $2 WHERE user_id = $1';
    await pool.query(setSize, [bob.userId, 10_000_000_000]);
    const result = await importOf(bob, bytes);
    expect(result).toMatchObject({ files: { added: 0 }, history: { added: 1 } });
    expect(result.rejected).toHaveLength(2);
    expect(result.rejected[0]?.message).toMatch(/stores up to 10 GB/u);
    await pool.query(setSize, [bob.userId, 5]);
    expect(await importOf(bob, bytes)).toMatchObject({ files: { added: 2 }, rejected: [] });

    await engram.settled();
    const expirePlan = `UPDATE subscriptions SET status = 'Expired' WHERE user_id = $1`;
    await pool.query(expirePlan, [bob.userId]);
    expect(await refusalOf(bytes)).toMatchObject({ status: 402, code: 'subscription_expired' });
    expect((await exportOf(bob)).length).toBeGreaterThan(1000);
    await expect(
      engram.anonymous.upload(importAccount, [{ name: 'a.zip', content: new Blob(['']) }], {}),
    ).rejects.toMatchObject({ status: 401 });
  });
});

test('an import checks each entry up to its first error, while other requests are served', async () => {
  const entry = { question: 'What?', citations: Array.from({ length: 2000 }, () => ({})) };
  expect(exportedEntry.shape.citations.safeParse(entry.citations).error?.issues).toMatchObject([
    { path: [0, 'n'] },
  ]);
  const members = new Map<string, unknown>([
    ['manifest.json', { format: 'engram-export', version: 1, madeAt: START, madeBy: 'Engram' }],
    ['keywords.json', Array.from({ length: 300 }, () => ({ keyword: 'Sea' }))],
    ['files.json', []],
  ]);
  const bytesOf = (path: string) => Buffer.from(JSON.stringify(members.get(path)));
  let ticks = 0;
  const count = (): void => {
    ticks += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const archive = {
    size: (path: string) => (members.has(path) ? bytesOf(path).length : undefined),
    read: async (path: string) => Readable.from([bytesOf(path)]),
    packed: () => 0,
    close: () => undefined,
  };
  const { signal } = new AbortController();
  const refusals = createRefusals();
  await readExport(archive, signal, refusals);
  clearImmediate(next);
  expect(refusals.list()).toHaveLength(300);
  expect(ticks).toBeGreaterThanOrEqual(300);
  const size = (path: string) => (path === 'history.json' ? 2e9 : archive.size(path));
  await expect(readExport({ ...archive, size }, signal, refusals)).rejects.toMatchObject({
    status: 413,
  });
});

const JSON_TYPE = { 'content-type': 'application/json' };

test('files that an import left behind in a crash are deleted at the next start', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'engram-import-'));
  const leftover = path.join(dataDir, 'imports', 'left-behind.zip');
  await mkdir(path.dirname(leftover));
  await writeFile(leftover, 'half an export');
  const engram = await buildTestApp({ dataDir });
  expect(await readdir(path.dirname(leftover))).toEqual([]);
  await engram.close();
  await rm(dataDir, { recursive: true });
});
