import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  AuthenticationError,
  BadRequestError,
  ConflictError,
  Engram,
  NotFoundError,
  UnsupportedTypeError,
  WaitTimeoutError,
} from '@engram/client/engram-kb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeKey } from './mcp-clients.test-setup.ts';
import { useTestApp } from './use-app.test-setup.ts';

const app = useTestApp();
let folder: string;
let engram: Engram;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'engram-kb-'));
  const apiKey = await makeKey(await app.signIn('ann@example.org'));
  engram = new Engram({ baseUrl: app.origin, apiKey, timeout: 180_000 });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function readAll<T>(from: AsyncIterable<T>): Promise<T[]> {
  const read: T[] = [];
  for await (const event of from) read.push(event);
  return read;
}

test('a file is uploaded, read, changed and deleted', async () => {
  const progress: [number, number | null][] = [];
  const content = new TextEncoder().encode('The lease ends in May.\n'.repeat(9000));
  const source = path.join(folder, 'lease (old) ä.txt');
  await writeFile(source, content);
  const file = await engram.files.upload(source, {
    keywords: ['Home'],
    onProgress: (sent, total) => progress.push([sent, total]),
    wait: true,
  });
  expect(file).toMatchObject({
    name: 'lease (old) ä.txt',
    status: 'SUCCESS',
    settled: true,
    searchable: true,
    keywords: ['Home'],
    source: 'API',
  });
  expect(progress.length).toBeGreaterThan(1);
  expect(progress.at(-1)).toEqual([content.length, content.length]);
  expect(await engram.files.text(file)).toMatch(/^The lease ends in May\./u);
  expect((await engram.files.segments(file))[0]?.location.line).toBe(1);
  expect(await engram.files.words(file)).toEqual([]);
  const link = await engram.files.link(file);
  expect(link.size).toBe(content.length);
  expect(new Uint8Array(await (await fetch(link.url)).arrayBuffer())).toEqual(content);
  const copy = path.join(folder, 'copies.txt');
  expect(await engram.files.download(file.id, copy)).toBe(copy);
  expect(new Uint8Array(await readFile(copy))).toEqual(content);
  expect((await engram.files.setKeywords(file, ['Home', 'Old'])).keywords).toEqual(['Home', 'Old']);
  expect((await engram.files.archive(file)).archived).toBe(true);
  expect((await engram.files.unarchive(file)).archived).toBe(false);
  await expect(engram.files.retry(file)).rejects.toThrow(ConflictError);
  await engram.files.delete(file);
  await expect(engram.files.get(file.id)).rejects.toThrow(NotFoundError);
  expect(await engram.files.deleteMany([file])).toEqual([]);
});

test('every type of file content is uploaded', async () => {
  const inFolder = path.join(folder, 'path.txt');
  await writeFile(inFolder, 'By its path.');
  const stream = () => new Blob(['As a stream.']).stream() as ReadableStream<Uint8Array>;
  const report = await engram.files.uploadMany(
    [
      inFolder,
      new File(['As a file.'], 'file.txt'),
      { source: new Blob(['As a blob.']), name: 'blob.txt' },
      { source: new TextEncoder().encode('As bytes.'), name: 'bytes.txt' },
      { source: stream(), name: 'stream.txt', size: 12 },
    ],
    { keywordsByName: { 'blob.txt': ['Blob'] }, wait: true },
  );
  expect(report.rejected).toEqual([]);
  expect(report.files.map(({ name, keywords }) => [name, ...keywords])).toEqual([
    ['path.txt'],
    ['file.txt'],
    ['blob.txt', 'Blob'],
    ['bytes.txt'],
    ['stream.txt'],
  ]);
  const duplicate = await engram.files.upload(stream(), { name: 'again.txt', keywords: ['Twice'] });
  expect([duplicate.name, duplicate.keywords]).toEqual(['stream.txt', ['Twice']]);
  const saved = await engram.files.download(duplicate, folder);
  expect(await readFile(saved, 'utf8')).toBe('As a stream.');
  expect(path.basename(saved)).toBe('stream.txt');
});

test('lists are read over all pages', async () => {
  for (const number of [0, 1, 2, 3, 4]) {
    await engram.files.upload(new Blob([`Page ${number} of many.`]), {
      name: `many-${number}.txt`,
    });
  }
  const names = [0, 1, 2, 3, 4].map((number) => `many-${number}.txt`);
  const listed = await readAll(engram.files.list('many-', { sort: 'name', pageSize: 2 }));
  expect(listed.map(({ name }) => name)).toEqual(names);
  const { value: first } = await engram.files.list('many-', { pageSize: 2 }).pages().next();
  expect(first).toMatchObject({ total: 5, rows: [{}, {}] });
  const later = await engram.files.list('many-', { sort: 'name', offset: 3 }).toArray();
  expect(later.map(({ name }) => name)).toEqual(names.slice(3));
  expect(await engram.files.list('many-').isEmpty()).toBe(false);
  const none = engram.files.list('no such name');
  expect([await none.isEmpty(), await none.toArray()]).toEqual([true, []]);
});

test('input that the server rejects is reported', async () => {
  const program = { source: new Blob(['MZ\0\u0001'.repeat(50)]), name: 'program.exe' };
  await expect(engram.files.upload(program.source, { name: program.name })).rejects.toThrow(
    UnsupportedTypeError,
  );
  const note = { source: new Blob(['The gate is shut at nine.']), name: 'note.txt' };
  const report = await engram.files.uploadMany([program, note], { wait: true });
  expect(report.rejected.map(({ name }) => name)).toEqual(['program.exe']);
  expect(report.files.map(({ name }) => name)).toEqual(['note.txt']);
});

test('a wait ends at its time limit, or once the file is ready', async () => {
  const upload = engram.files.upload(new Blob(['Never waited for.']), {
    name: 'slow.txt',
    wait: 0.001,
  });
  await expect(upload).rejects.toThrow(WaitTimeoutError);
  const [slow] = await engram.files.list('slow.txt').toArray();
  expect((await engram.files.wait(slow?.id ?? '')).status).toBe('SUCCESS');
  await app.settled();
  expect(await engram.files.allReady()).toBe(true);
});

test('questions, the history and other calls work', async () => {
  await engram.files.addText('The boathouse is painted green.', { wait: true });
  const question = 'How is the boathouse painted?';
  const answer = await engram.ask(question, { explain: true });
  expect(answer).toMatchObject({ grounded: true, mode: 'found', question });
  const { fileId, fileName, start, end } = answer.citations[0]!;
  expect(answer.found[0]).toMatchObject({
    n: 1,
    fileId,
    fileName,
    start,
    end,
    newer: null,
    text: 'The boathouse is painted green.',
  });
  expect(answer.text).toContain('The boathouse is painted green.');
  expect(answer.explain?.passages.length).toBeGreaterThan(0);
  expect(answer.citations[0]).toMatchObject({ n: 1, quote: 'The boathouse is painted green.' });
  const stream = engram.askStream(question, { after: answer });
  const events = await readAll(stream);
  const streamed = await stream.answer;
  expect(events[0]).toMatchObject({
    type: 'sources',
    citations: streamed.citations,
    found: streamed.found,
  });
  expect(streamed.citations).not.toEqual([]);
  expect(events.at(-1)).toEqual({ type: 'done', answer: streamed });
  const entry = await engram.history.get(streamed);
  expect([entry.after, entry.text]).toEqual([answer.id, streamed.text]);
  expect([entry.mode, entry.found]).toEqual(['found', streamed.found]);
  expect((await engram.history.update(entry, { saved: true })).saved).toBe(true);
  const saved = await engram.history.list(undefined, { saved: true }).toArray();
  expect(saved.map(({ id }) => id)).toEqual([entry.id]);
  expect((await engram.history.today('Europe/Berlin')).length).toBeLessThanOrEqual(2);
  expect((await engram.profile()).email).toBe('ann@example.org');
  expect(await engram.suggestions()).toContain(question);
  expect(await engram.recommendations()).toBeInstanceOf(Array);
  const nobody = '0b2f1c9e-6a53-4d5e-9f3e-0123456789ab';
  await expect(engram.ask('And?', { after: nobody })).rejects.toThrow(NotFoundError);
  await expect(engram.history.today('Nowhere/Land')).rejects.toThrow(BadRequestError);
  await engram.history.deleteAll();
  expect(await engram.history.list().toArray()).toEqual([]);
});

test('several readers of one stream each get all of it', async () => {
  const stream = engram.askStream('How is the boathouse painted?');
  const [answer, events] = await Promise.all([stream.answer, readAll(stream)]);
  expect(events[0]?.type).toBe('sources');
  expect(events.at(-1)).toEqual({ type: 'done', answer });
});

test('keywords are added, listed and removed', async () => {
  const boats = await engram.keywords.add('Boats');
  await expect(engram.keywords.add('boats')).rejects.toThrow(ConflictError);
  expect((await engram.keywords.archive(boats)).active).toBe(false);
  expect((await engram.keywords.unarchive(boats)).active).toBe(true);
  const listed = await engram.keywords.list({ countFiles: true });
  expect(listed.find(({ keyword }) => keyword === 'Boats')?.files).toBe(0);
});

test('an invalid key is reported', async () => {
  const stranger = new Engram({ baseUrl: app.origin, apiKey: 'eg_none' });
  await expect(stranger.profile()).rejects.toMatchObject({
    constructor: AuthenticationError,
    code: 'invalid_api_key',
  });
});

test('a folder is synchronized', async () => {
  const lease = path.join(folder, 'lease.txt');
  const text = 'The lease of the flat ends in May.';
  await writeFile(lease, text);
  const device = await engram.devices.register({
    name: 'Home-PC',
    platform: 'Linux',
    version: '1.0',
  });
  expect(device).toMatchObject({ paused: false, syncAskedAt: null, report: null });

  const bytes = new TextEncoder().encode(text);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const contents = [
    ['Papers/lease.txt', lease],
    ['Papers/same.txt', bytes],
    ['Papers/blob.txt', new Blob(['New.'])],
    ['Papers/setup.exe', { sha256: 'a'.repeat(64), size: 10 }],
  ] as const;
  const before = await engram.files.check(contents);
  expect(before.map(({ state }) => state)).toEqual(['new', 'new', 'new', 'refused']);
  expect(before[0]?.sha256).toBe(sha256);
  expect(before[1]?.sha256).toBe(sha256);
  expect(before[3]?.reason).toBeTruthy();

  const modifiedAt = new Date('2025-05-01T10:00:00Z');
  const placed = { path: 'Papers/lease.txt', deviceId: device, modifiedAt };
  const file = await engram.files.upload(lease, { ...placed, wait: true });
  expect(file).toMatchObject({ path: 'Papers/lease.txt', modifiedAt, source: 'Connector' });
  const [known] = await engram.files.check(new Map([['Papers/lease.txt', lease]]));
  expect(known).toMatchObject({ state: 'known', fileId: file.id });

  await engram.files.place(file, { path: 'Papers/flat/lease.txt', deviceId: device });
  expect((await engram.files.get(file)).path).toBe('Papers/flat/lease.txt');
  const changed = new TextEncoder().encode('The lease of the flat ends in June.');
  const successor = await engram.files.upload(changed, {
    name: 'lease.txt',
    path: 'Papers/flat/lease.txt',
    deviceId: device.id,
    replaces: file,
    wait: true,
  });
  await expect(engram.files.get(file)).rejects.toThrow(NotFoundError);
  expect(await readAll(engram.files.list(undefined, { folder: 'Papers/flat' }))).toMatchObject([
    { id: successor.id },
  ]);

  const report = {
    folders: [{ name: 'Papers', state: 'current', files: 1, waiting: 0, refused: 1 }],
    refused: [{ path: 'Papers/setup.exe', reason: 'It is a program.' }],
    currentAt: modifiedAt,
  };
  expect((await engram.devices.report(device, report)).report).toEqual(report);
  expect(await engram.devices.list()).toMatchObject([{ id: device.id, report }]);
  await engram.devices.end(device);
  await expect(engram.devices.report(device)).rejects.toThrow(NotFoundError);
  expect(await engram.devices.list()).toEqual([]);
});

test('more file hashes than one call accepts are checked in several calls', async () => {
  const contents = Array.from({ length: 1001 }, (_, index) => {
    const sha256 = index.toString(16).padStart(64, '0');
    return [`Papers/${index}.txt`, { sha256, size: index + 1 }] as const;
  });
  const checked = await engram.files.check(contents);
  expect(checked.map(({ sha256 }) => Number.parseInt(sha256, 16))).toEqual(
    Array.from({ length: 1001 }, (_, index) => index),
  );
  expect(await engram.files.check([])).toEqual([]);
});

test('all files are deleted with one call', async () => {
  await engram.files.deleteAll();
  expect(await engram.files.list().toArray()).toEqual([]);
});
