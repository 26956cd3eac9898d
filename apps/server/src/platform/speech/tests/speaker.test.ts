import { parseBuffer } from 'music-metadata';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type SpeechServer, startSpeechServer } from '../../../tests/speech-server.test-setup.ts';
import { createEspeakSpeaker } from '../espeak-speaker.ts';
import { createOpenAiSpeaker } from '../openai-speaker.ts';
import { createSpeaker } from '../create-speaker.ts';
import type { Speaker } from '../speaker.ts';

const SENTENCE = 'The deposit for the boathouse is 2,340 euros, due on the third of May.';
const { signal } = new AbortController();
const options = { language: 'en', group: 'ann', signal };

const logged: unknown[] = [];
const log = { warn: (...line: unknown[]) => void logged.push(line) };

let server: SpeechServer;
beforeAll(async () => {
  server = await startSpeechServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.length = 0;
  logged.length = 0;
  server.behave({ kind: 'speak' });
});

const openai = (changes = {}): Speaker =>
  createSpeaker(
    { speech: 'openai:tts-1', openaiApiKey: 'key', openaiBaseUrl: server.url, ...changes },
    { log },
  );

describe.each([
  ['espeak-ng', () => createSpeaker({ speech: 'auto' }, { log })],
  ['a server', () => openai()],
])('%s', (name, create) => {
  let speaker: Speaker;
  beforeAll(() => {
    speaker = create();
  });
  afterAll(() => speaker.close());

  test('the speech is an mp3 of a plausible length', async () => {
    const { format } = await parseBuffer(await speaker.speak(SENTENCE, options), 'audio/mpeg', {
      duration: true,
    });
    expect(format).toMatchObject({ container: 'MPEG', numberOfChannels: 1 });
    expect(format.duration).toBeGreaterThan(0.9);
    expect(format.duration).toBeLessThan(12);
  });

  test('several users are served at the same time', async () => {
    const groups = ['ann', 'bob', 'ann', 'cleo'];
    const sounds = await Promise.all(
      groups.map((group) => speaker.speak('Yes.', { ...options, group })),
    );
    expect(sounds.map((sound) => sound.length > 500)).toEqual([true, true, true, true]);
  });

  test('no speech is generated for a caller that disconnected', async () => {
    const aborted = AbortSignal.abort(new Error('left'));
    await expect(speaker.speak(SENTENCE, { ...options, signal: aborted })).rejects.toThrow('left');
  });

  test('the status names the voice', () => {
    expect(speaker.describe()).toMatchObject({ on: true });
    expect(speaker.voice('en')).toBe(speaker.voice('en'));
  });
});

describe('espeak-ng', () => {
  const speaker = createEspeakSpeaker({ log });
  afterAll(() => speaker.close());

  const durationOf = async (text: string, language: string): Promise<number> => {
    const mp3 = await speaker.speak(text, { ...options, language });
    const { format } = await parseBuffer(mp3, 'audio/mpeg', { duration: true });
    expect(format).toMatchObject({ sampleRate: 22_050, bitrate: 48_000 });
    return format.duration ?? 0;
  };

  test('each language is read by its own voice', async () => {
    expect(speaker.voice('de')).not.toBe(speaker.voice('en'));
    // 'Einundzwanzig' and 'twenty-one': the same digits are read in different languages.
    const durations = [await durationOf('21.', 'en'), await durationOf('21.', 'de')];
    expect(new Set(durations).size).toBe(2);
    for (const [language, text] of [
      ['ru', 'Залог составляет две тысячи евро.'],
      ['ar', 'الوديعة ألفا يورو.'],
      ['zh', '保证金是两千欧元。'],
    ] as const) {
      expect(await durationOf(text, language)).toBeGreaterThan(1);
    }
  });

  test('unsupported languages are reported', async () => {
    await expect(
      speaker.speak('保証金は2340ユーロです。', { ...options, language: 'ja' }),
    ).rejects.toThrow('The voice on this machine cannot read Japanese.');
  });

  test('text that looks like an option or a command is read aloud', async () => {
    const plain = await durationOf('w out', 'en');
    expect(await durationOf('-w /out', 'en')).toBeGreaterThan(plain / 2);
    expect(await durationOf('--version', 'en')).toBeLessThan(4);
  });

  test('a text without anything to read aloud is reported', async () => {
    await expect(speaker.speak('', options)).rejects.toThrow('spoken');
  });
});

describe('speech workers', () => {
  const script = new URL('./crashing-worker.test-setup.ts', import.meta.url);
  const say = async (speaker: Speaker, text: string, changes = {}): Promise<string> =>
    new TextDecoder().decode(await speaker.speak(text, { ...options, ...changes }));

  test.each(['crash', 'end'])('a worker that fails (%s) is replaced', async (text) => {
    const speaker = createEspeakSpeaker({ log, script });
    await say(speaker, 'hello');
    const thread = speaker.threadId();
    await expect(say(speaker, text)).rejects.toThrow('could not speak this answer');
    expect(await say(speaker, 'again')).toBe('again');
    expect(speaker.threadId()).not.toBe(thread);
    expect(JSON.stringify(logged)).not.toContain('hello');
    await speaker.close();
  });

  test('a worker that takes too long is ended', async () => {
    const speaker = createEspeakSpeaker({ log, script, timeLimitMs: 50 });
    await expect(say(speaker, 'hang')).rejects.toThrow('could not speak this answer');
    expect(speaker.threadId()).toBeNull();
  });

  test('an idle worker ends, and starts again', async () => {
    const speaker = createEspeakSpeaker({ log, script, idleMs: 0 });
    await say(speaker, 'one');
    await expect.poll(() => speaker.threadId()).toBeNull();
    expect(await say(speaker, 'two')).toBe('two');
    await speaker.close();
  });

  test('users are served fairly, with a limited queue', async () => {
    const speaker = createEspeakSpeaker({ log, script });
    const order: string[] = [];
    const ask = (text: string, group: string) =>
      say(speaker, text, { group }).then((text) => order.push(text));
    const texts = [...'abcdef'].map((text) => ask(text, 'ann'));
    const refused = ask('g', 'ann');
    const other = ask('z', 'bob');
    await expect(refused).rejects.toMatchObject({
      name: 'SpeechUnavailable',
      retryAfterSeconds: 5,
    });
    await Promise.all([...texts, other]);
    expect(order).toEqual(['a', 'b', 'z', 'c', 'd', 'e', 'f']);
    await speaker.close();
  });

  test('a cancelled text never reaches the worker', async () => {
    const speaker = createEspeakSpeaker({ log, script });
    const leaving = new AbortController();
    const first = say(speaker, 'first');
    const speech = say(speaker, 'crash', { signal: leaving.signal });
    leaving.abort();
    await expect(speech).rejects.toMatchObject({ name: 'AbortError' });
    expect(await first).toBe('first');
    expect(await say(speaker, 'last')).toBe('last');
    await speaker.close();
  });
});

describe('speech servers', () => {
  test('a server gets the text, the voice and the key', async () => {
    await openai({ speech: 'openai:tts-1/nova' }).speak(SENTENCE, options);
    expect(server.requests).toMatchObject([
      {
        model: 'tts-1',
        voice: 'nova',
        input: SENTENCE,
        response_format: 'mp3',
        headers: { authorization: 'Bearer key' },
      },
    ]);
  });

  test('a self-hosted server gets no key, and model names may contain a path', async () => {
    const selfHosted = openai({
      speech: 'openai:hexgrad/kokoro/af_heart',
      openaiApiKey: undefined,
    });
    await selfHosted.speak(SENTENCE, options);
    expect(server.requests).toMatchObject([{ model: 'hexgrad/kokoro', voice: 'af_heart' }]);
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });

  test('an overloaded server is asked again', async () => {
    server.behave(
      { kind: 'status', status: 429, headers: { 'retry-after-ms': '1' } },
      { kind: 'speak' },
    );
    expect((await openai().speak(SENTENCE, options)).length).toBeGreaterThan(1000);
    expect(server.requests).toHaveLength(2);
  });

  test.each([
    [{ kind: 'status', status: 401 }, 'did not accept the key'],
    [{ kind: 'status', status: 404 }, 'does not know this model'],
    [{ kind: 'status', status: 400 }, 'did not accept this answer'],
    [{ kind: 'status', status: 500, headers: { 'retry-after-ms': '1' } }, 'is failing right now'],
    [{ kind: 'body', body: '<html>' }, 'did not send an MP3'],
    [{ kind: 'body', body: '' }, 'cannot be reached'],
    [{ kind: 'endless' }, 'cannot be reached'],
    [{ kind: 'redirect', to: 'http://127.0.0.1:1/' }, 'cannot be reached'],
  ] as const)('a malformed response is reported: %j', async (behavior, sentence) => {
    server.behave(behavior);
    await expect(openai().speak(SENTENCE, options)).rejects.toMatchObject({
      name: 'SpeechUnavailable',
      message: expect.stringContaining(sentence) as string,
    });
    expect(JSON.stringify(logged)).not.toContain('boathouse');
  });

  test('a server that takes too long times out', async () => {
    server.behave({ kind: 'speak', until: new Promise(() => undefined) });
    const speaker = createOpenAiSpeaker({
      model: 'tts-1',
      voice: undefined,
      apiKey: 'key',
      baseUrl: server.url,
      fetch: globalThis.fetch,
      log,
      timeLimitMs: 50,
    });
    await expect(speaker.speak(SENTENCE, options)).rejects.toThrow('took too long');
  });

  test('a server needs a key or an address', () => {
    const speaker = createSpeaker({ speech: 'openai:tts-1' }, { log });
    expect(speaker.describe()).toMatchObject({
      on: false,
      detail: expect.stringContaining('OPENAI_API_KEY') as string,
    });
  });
});
