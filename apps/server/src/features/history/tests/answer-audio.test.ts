import {
  deleteArtifact,
  getHistoryEntry,
  listHistory,
  search,
  type SearchData,
  uploadArtifacts,
} from '@engram/contract';
import { parseBuffer } from 'music-metadata';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type SpeechServer, startSpeechServer } from '../../../tests/speech-server.test-setup.ts';
import { createSpeaker } from '../../../platform/speech/create-speaker.ts';
import { buildTestApp, type SignedInUser, type TestApp } from '../../../tests/app.test-setup.ts';
import { createAnswerAudio } from '../answer-audio.ts';
import { createHistoryRepository } from '../history.repository.ts';
import type { HistoryRow } from '../history.tables.ts';

const DEPOSIT = 'The deposit for the boathouse is 2,340 euros.';
const QUESTION = 'How much is the deposit for the boathouse?';
const SPOKEN = 'lease.txt, line 1: The deposit for the boathouse is 2,340 euros.';

/** An app for a group of tests, with a user who has one file. */
function serve(env: () => Record<string, string>) {
  let engram: TestApp;
  let ann: SignedInUser;
  let artifactId = '';
  let userCount = 0;
  beforeAll(async () => {
    engram = await buildTestApp({ env: env() });
  });
  afterAll(() => engram.close());
  beforeEach(async () => {
    userCount += 1;
    ann = await engram.signIn(`ann${userCount}@example.org`);
    const files = [{ name: 'lease.txt', content: new Blob([DEPOSIT]) }];
    const { data } = await ann.client.upload(uploadArtifacts, files, {});
    artifactId = data.artifacts[0]?.artifactId ?? '';
    await engram.settled();
  });

  return {
    engram: () => engram,
    ann: () => ann,
    deleteFile: () => ann.client.call(deleteArtifact, { params: { artifactId } }),
    ask: async (audio: boolean): Promise<SearchData> =>
      (await ann.client.call(search, { body: { text: QUESTION, audio } })).data,
    listen: (
      id: string,
      { as = ann, range, signal }: { as?: SignedInUser; range?: string; signal?: AbortSignal } = {},
    ): Promise<Response> =>
      fetch(`${engram.baseUrl}/search/history/${id}/audio`, {
        headers: { authorization: `Bearer ${as.token}`, ...(range ? { range } : {}) },
        signal: signal ?? null,
      }),
  };
}

const bytesOf = async (response: Response): Promise<Buffer> =>
  Buffer.from(await response.arrayBuffer());

describe('with the voice of this machine', () => {
  const app = serve(() => ({ ENGRAM_SPEECH: 'auto' }));

  test('an answer is sent as an mp3, completely and in ranges', async () => {
    const { history_id: id, audio_file: none } = await app.ask(false);
    expect(none).toBeNull();
    const response = await app.listen(id);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('audio/mpeg');
    expect(response.headers.get('cache-control')).toContain('private');
    const mp3 = await bytesOf(response);
    const { format } = await parseBuffer(mp3, 'audio/mpeg', { duration: true });
    expect(format).toMatchObject({ sampleRate: 22_050, numberOfChannels: 1 });
    expect(format.duration).toBeGreaterThan(2);
    expect(format.duration).toBeLessThan(15);

    const part = await app.listen(id, { range: 'bytes=100-199' });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(`bytes 100-199/${mp3.length}`);
    expect(await bytesOf(part)).toEqual(mp3.subarray(100, 200));
  });

  test('audio is stored with the entry and returned when one entry is read', async () => {
    const { history_id: id } = await app.ask(false);
    const query = { id };
    expect((await app.ann().client.call(getHistoryEntry, { query })).data.audioFile).toBeNull();
    const mp3 = await bytesOf(await app.listen(id));
    const { data } = await app.ann().client.call(getHistoryEntry, { query });
    expect(Buffer.from(data.audioFile ?? '', 'base64')).toEqual(mp3);
    const list = await app.ann().client.call(listHistory, { query: {} });
    expect(list.data).toMatchObject([{ id, audioFile: null }]);
  });

  test('a question returns the audio on request, streamed or not', async () => {
    const { audio_file: sound, history_id: id } = await app.ask(true);
    expect(Buffer.from(sound ?? '', 'base64')).toEqual(await bytesOf(await app.listen(id)));
    const events: unknown[] = [];
    for await (const event of app.ann().client.stream(search, { body: { text: QUESTION } })) {
      if (event.event === 'done') events.push(event.data.audio_file?.slice(0, 20));
    }
    expect(events).toEqual([sound?.slice(0, 20)]);
  });

  test('audio with quotes of a deleted file is removed', async () => {
    const { history_id: id } = await app.ask(false);
    const before = await bytesOf(await app.listen(id));
    await app.deleteFile();
    const { rows } = await app
      .engram()
      .deps.database.pool.query('select history_id from history_audio where history_id = $1', [id]);
    expect(rows).toEqual([]);
    const { data } = await app.ann().client.call(getHistoryEntry, { query: { id } });
    expect(data.audioFile).toBeNull();
    expect(await bytesOf(await app.listen(id))).not.toEqual(before);
  });

  test('the answers of other users cannot be played', async () => {
    const { history_id: id } = await app.ask(false);
    const bob = await app.engram().signIn('bob@example.org');
    expect((await app.listen(id, { as: bob })).status).toBe(404);
    await app.listen(id);
    expect((await app.listen(id, { as: bob })).status).toBe(404);
    expect((await app.listen('not-an-id')).status).toBe(400);
  });

  test('the audio of a deleted entry is deleted', async () => {
    const { history_id: id } = await app.ask(true);
    const { pool } = app.engram().deps.database;
    await pool.query('delete from history where id = $1', [id]);
    const { rows } = await pool.query('select from history_audio where history_id = $1', [id]);
    expect(rows).toEqual([]);
    expect((await app.listen(id)).status).toBe(404);
  });
});

let server: SpeechServer;
beforeAll(async () => {
  server = await startSpeechServer();
});
afterAll(() => server.close());

describe('with a speech server', () => {
  const app = serve(() => ({
    ENGRAM_SPEECH: 'openai:tts-1/nova',
    OPENAI_BASE_URL: server.url,
    ENGRAM_LOG_LEVEL: 'silent',
  }));

  beforeEach(() => {
    server.requests.length = 0;
    server.behave({ kind: 'speak' });
  });

  test('it gets plain text, once for all concurrent listeners', async () => {
    const { history_id: id } = await app.ask(false);
    const { promise: until, resolve: speak } = Promise.withResolvers<void>();
    server.behave({ kind: 'speak', until });
    const listeners = [app.listen(id), app.listen(id)];
    await expect.poll(() => server.requests.length).toBe(1);
    speak();
    const sounds = await Promise.all(listeners.map(async (listener) => bytesOf(await listener)));
    expect(sounds[0]?.equals(sounds[1] ?? Buffer.alloc(0))).toBe(true);
    await app.listen(id);
    expect(server.requests).toMatchObject([{ voice: 'nova', input: SPOKEN }]);
  });

  test('audio is stored even if the listener disconnects', async () => {
    const { history_id: id } = await app.ask(false);
    const { promise: until, resolve: speak } = Promise.withResolvers<void>();
    server.behave({ kind: 'speak', until });
    const disconnected = new AbortController();
    const response = app.listen(id, { signal: disconnected.signal });
    await expect.poll(() => server.requests.length).toBe(1);
    disconnected.abort();
    await expect(response).rejects.toThrow('abort');
    speak();
    expect((await app.listen(id)).status).toBe(200);
    expect(server.requests).toHaveLength(1);
  });

  test('audio that is created while its file is deleted is not stored', async () => {
    const { history_id: id } = await app.ask(false);
    const { promise: until, resolve: speak } = Promise.withResolvers<void>();
    server.behave({ kind: 'speak', until }, { kind: 'speak' });
    const listening = app.listen(id);
    await expect.poll(() => server.requests.length).toBe(1);
    await app.deleteFile();
    speak();
    expect((await listening).status).toBe(200);
    expect(server.requests.map(({ input }) => input)).toEqual([
      SPOKEN,
      'Removed: the file was deleted.',
    ]);
  });

  test('a slow server does not delay answers, and its audio is stored', async () => {
    const { history_id: id } = await app.ask(false);
    const { promise: until, resolve: speak } = Promise.withResolvers<void>();
    server.behave({ kind: 'speak', until });
    const { database, log, now } = app.engram().deps;
    const settings = { speech: 'openai:tts-1/nova', openaiBaseUrl: server.url };
    const core = {
      storage: { database },
      providers: { speaker: createSpeaker(settings, { log }) },
    };
    const repository = createHistoryRepository(database);
    const { spoken } = createAnswerAudio({ ...core, log, now }, repository, 100);
    expect(await spoken(app.ann().userId, id, new AbortController().signal)).toBeNull();
    speak();
    const query = { id };
    await expect
      .poll(async () => (await app.ann().client.call(getHistoryEntry, { query })).data.audioFile)
      .not.toBeNull();
    expect(server.requests).toHaveLength(1);
  });

  test('audio is only prepared after a user has listened', async () => {
    const { history_id: id } = await app.ask(false);
    const { database, log, now } = app.engram().deps;
    const repository = createHistoryRepository(database);
    const speaker = createSpeaker({ speech: 'none' }, { log });
    const voice = (): string => {
      throw new Error('The answer was made into speech.');
    };
    const core = { storage: { database }, providers: { speaker: { ...speaker, voice } } };
    const { stored } = createAnswerAudio({ ...core, log, now }, repository, 100);
    const [row] = await repository.list({ userId: app.ann().userId });
    expect(row).toMatchObject({ id });
    await expect(stored(row as HistoryRow)).resolves.toBeUndefined();
  });

  test('a failing server only affects the audio of an answer', async () => {
    server.behave({ kind: 'status', status: 401 });
    const { audio_file: sound, answers, history_id: id } = await app.ask(true);
    expect(sound).toBeNull();
    expect(answers[0]).toContain('2,340');
    const response = await app.listen(id);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({
      message: 'The speech server did not accept the key.',
    });
  });
});
