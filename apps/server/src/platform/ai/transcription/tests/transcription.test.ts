import { readFileSync } from 'node:fs';
import path from 'node:path';
import { soundOf, type SoundPiece, type TranscriptPart } from '@engram/extraction';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  startTranscriptionServer,
  type TranscriptionServer,
} from '../../../../tests/transcription-server.test-setup.ts';
import {
  createClock,
  failure,
  LONGEST_PAUSE_MS,
} from '../../tests/model-unavailable.test-setup.ts';
import { createTranscriber, joinTranscripts, type Transcriber } from '../transcription.ts';

let server: TranscriptionServer;
beforeAll(async () => {
  server = await startTranscriptionServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.length = 0;
  server.behave({ kind: 'hear' });
});

const logged: unknown[][] = [];

function transcriber(settings = {}, clock = createClock().clock): Transcriber {
  return createTranscriber(
    { transcription: 'openai:whisper-1', openaiBaseUrl: server.url, ...settings },
    { log: { warn: (...line: unknown[]) => logged.push(line) }, clock },
  );
}

const { signal } = new AbortController();

const fixture = (name: string): Uint8Array =>
  new Uint8Array(
    readFileSync(
      path.join(import.meta.dirname, '../../../../../../../packages/extraction/fixtures', name),
    ),
  );

async function pieceOf(name: string, type: 'wav' | 'mp3' | 'mp4'): Promise<SoundPiece> {
  const pieces = soundOf(fixture(name), type, { maxBytes: 24 << 20, maxMs: 120_000 });
  const { value } = await pieces.next();
  if (!value) throw new Error('There is no sound.');
  return value;
}

const bell = await pieceOf('120-wav-tone/bell.wav', 'wav');

describe('transcription providers', () => {
  test('a WAV is transcribed, and its times count from the start of the recording', async () => {
    const later = { ...bell, startMs: 61_000, endMs: 62_000 };
    const { parts, language } = await transcriber().transcribe(later, { signal });
    expect(parts).toEqual([{ startMs: 61_000, endMs: 62_000, text: 'tone 450' }]);
    expect(language).toBe('en');
  });

  test('an mp3 and the sound of a video are transcribed', async () => {
    const coast = await pieceOf('122-mp3-tags-and-chapters/coast.mp3', 'mp3');
    const { parts } = await transcriber().transcribe(coast, { signal });
    expect(parts.map(({ text }) => text)).toContain('tone 350');
    await transcriber().transcribe(await pieceOf('123-mp4/lighthouse.mp4', 'mp4'), { signal });
    const [, video] = server.requests;
    expect(video?.file).toMatchObject({ name: 'sound.m4a', type: 'audio/mp4' });
    expect(video?.seconds).toBeGreaterThan(0.9);
  });

  test('a long recording is transcribed in pieces, and times increase to its end', async () => {
    const coast = await pieceOf('122-mp3-tags-and-chapters/coast.mp3', 'mp3');
    const long = new Uint8Array(Buffer.concat(Array.from({ length: 10 }, () => coast.bytes)));
    const transcripts: TranscriptPart[][] = [];
    let endMs = 0;
    const options = { maxBytes: 24 << 20, maxMs: 3000, overlapMs: 500 };
    for await (const piece of soundOf(long, 'mp3', options)) {
      transcripts.push((await transcriber().transcribe(piece, { signal })).parts);
      endMs = piece.endMs;
    }
    expect(transcripts.length).toBeGreaterThan(3);
    const parts = joinTranscripts(transcripts);
    for (const [index, { startMs }] of parts.entries()) {
      expect(startMs).toBeGreaterThanOrEqual(parts[index - 1]?.startMs ?? 0);
    }
    expect(endMs).toBeGreaterThan(10_000);
    expect(Math.abs((parts.at(-1)?.endMs ?? 0) - endMs)).toBeLessThan(200);
  });

  test('a provider gets the model, the key, the language and the preceding text', async () => {
    const options = { signal, language: 'de', prompt: 'Guten Abend.' };
    await transcriber({ openaiApiKey: 'k1' }).transcribe(bell, options);
    const [request] = server.requests;
    expect(request?.headers.authorization).toBe('Bearer k1');
    expect(request?.fields).toMatchObject({
      model: 'whisper-1',
      response_format: 'verbose_json',
      'timestamp_granularities[]': 'segment',
      language: 'de',
      prompt: 'Guten Abend.',
    });
  });

  test('a provider without times gives one part per piece', async () => {
    server.behave({ kind: 'text', text: 'All of it.' });
    const { parts, language } = await transcriber().transcribe(bell, { signal });
    expect(parts).toEqual([{ startMs: 0, endMs: 1000, text: 'All of it.' }]);
    expect(language).toBeNull();
  });

  test('a provider that supports only the json format is asked for it', async () => {
    const message = "response_format 'verbose_json' is not compatible with model";
    server.behave({ kind: 'status', status: 400, message }, { kind: 'hear' });
    const { parts } = await transcriber().transcribe(bell, { signal });
    expect(parts).toEqual([{ startMs: 0, endMs: 1000, text: 'tone 450' }]);
    await transcriber({ transcription: 'openai:gpt-4o-transcribe' }).transcribe(bell, { signal });
    expect(server.requests.map(({ fields }) => fields['response_format'])).toEqual([
      'verbose_json',
      'json',
      'json',
    ]);
  });

  test('times that decrease or lie outside the piece are corrected', async () => {
    const segments = [
      { start: 0.6, end: 0.4, text: 'one' },
      { start: 0.1, end: 99, text: 'two' },
      { start: -3, end: -1, text: 'three' },
    ];
    server.behave({ kind: 'segments', segments });
    const { parts } = await transcriber().transcribe(bell, { signal });
    expect(parts).toEqual([
      { startMs: 600, endMs: 600, text: 'one' },
      { startMs: 600, endMs: 1000, text: 'two' },
      { startMs: 600, endMs: 600, text: 'three' },
    ]);
  });

  test('a part that the provider marks as silence is removed', async () => {
    const segments = [
      { start: 0, end: 1, text: 'Thanks!', no_speech_prob: 0.9, avg_logprob: -1.5 },
      { start: 0, end: 1, text: 'la la la la', compression_ratio: 8 },
      { start: 0, end: 1, text: 'Ship ahoy.', no_speech_prob: 0.1, avg_logprob: -0.2 },
    ];
    server.behave({ kind: 'segments', segments });
    const { parts } = await transcriber().transcribe(bell, { signal });
    expect(parts.map(({ text }) => text)).toEqual(['Ship ahoy.']);
  });
});

describe('transcription providers that fail', () => {
  test.each([500, 503, 429])(
    'status %i is temporary, and the request is repeated',
    async (status) => {
      server.behave({ kind: 'status', status }, { kind: 'hear' });
      const { parts } = await transcriber().transcribe(bell, { signal });
      expect(parts).toHaveLength(1);
      expect(server.requests).toHaveLength(2);
    },
  );

  test('a provider that keeps failing is tried again later, and its message is not logged', async () => {
    logged.length = 0;
    server.behave({ kind: 'status', status: 500, message: 'secret words of a recording' });
    const error = await failure(transcriber().transcribe(bell, { signal }));
    expect(error).toMatchObject({ reason: 'down', retryable: true });
    expect(logged).toHaveLength(1);
    expect(JSON.stringify(logged)).not.toContain('secret');
  });

  test('Retry-After is respected up to a limit', async () => {
    const { clock, waits } = createClock();
    const later = { 'retry-after': '2' };
    server.behave({ kind: 'status', status: 429, headers: later }, { kind: 'hear' });
    await transcriber({}, clock).transcribe(bell, { signal });
    expect(waits.map(({ milliseconds }) => milliseconds)).toContain(2000);
    server.behave({ kind: 'status', status: 429, headers: { 'retry-after': '3600' } });
    const error = await failure(transcriber({}, clock).transcribe(bell, { signal }));
    expect(error).toMatchObject({ reason: 'rate_limited', retryable: true });
    expect(server.requests).toHaveLength(3);
  });

  test.each([
    [401, 'The model’s provider did not accept the key.'],
    [404, 'The model’s provider does not know this model.'],
    [413, 'The transcription server did not accept this recording.'],
  ])('status %i is permanent, and the request is not repeated', async (status, message) => {
    server.behave({ kind: 'status', status });
    const error = await failure(transcriber().transcribe(bell, { signal }));
    expect(error).toMatchObject({ message, retryable: false });
    expect(server.requests).toHaveLength(1);
  });

  test.each(['{"text": "half', '<html>Bad gateway</html>', '{}', '{"segments":[{"start":"x"}]}'])(
    'a malformed response is reported: %s',
    async (body) => {
      server.behave({ kind: 'body', body });
      const error = await failure(transcriber().transcribe(bell, { signal }));
      expect(error).toMatchObject({ reason: 'malformed', retryable: false });
    },
  );

  test('a provider that never answers times out', async () => {
    const { clock, waits } = createClock();
    server.behave({ kind: 'hang' });
    const answer = failure(transcriber({}, clock).transcribe(bell, { signal }));
    await server.received(1);
    waits.find(({ milliseconds }) => milliseconds > LONGEST_PAUSE_MS)?.run();
    expect(await answer).toMatchObject({ reason: 'timeout' });
  });

  test('a provider that cannot be reached is down', async () => {
    const stopped = await startTranscriptionServer();
    await stopped.close();
    const absent = transcriber({ openaiBaseUrl: stopped.url });
    expect(await failure(absent.transcribe(bell, { signal }))).toMatchObject({ reason: 'down' });
  });

  test('a request is aborted when the caller disconnects', async () => {
    server.behave({ kind: 'hang' });
    const caller = new AbortController();
    const answer = transcriber().transcribe(bell, { signal: caller.signal });
    await server.received(1);
    const reason = new Error('The file was deleted.');
    caller.abort(reason);
    await expect(answer).rejects.toBe(reason);
  });
});

describe('the transcription setting', () => {
  test('the setting names the model, without its key', () => {
    const { describe: state, kind } = transcriber({ openaiApiKey: 'k1' });
    const { host } = new URL(server.url);
    expect(state()).toEqual({ on: true, detail: `Speech is transcribed by whisper-1 at ${host}.` });
    expect(kind).toBe('provider');
  });

  test.each([
    [{ transcription: 'none' }, 'ENGRAM_TRANSCRIPTION'],
    [{ openaiBaseUrl: undefined }, 'OPENAI_API_KEY'],
    [{ transcription: 'local:/nowhere/at/all' }, '/nowhere/at/all'],
  ])('transcription is off with %j, and the message says why', async (settings, named) => {
    const off = transcriber(settings);
    expect(off.kind).toBe('none');
    expect(off.describe()).toEqual({ on: false, detail: expect.stringContaining(named) });
    expect((await failure(off.transcribe(bell, { signal }))).message).toContain(named);
  });
});

const part = (startMs: number, endMs: number, text: string): TranscriptPart => {
  return { startMs, endMs, text };
};

describe('joining pieces of a recording', () => {
  test('text in the overlap of two pieces is written once', () => {
    const first = [
      part(0, 5000, 'The ferry leaves'),
      part(5000, 10_000, 'at nine in the morning.'),
    ];
    const second = [
      part(8000, 10_000, 'In the morning. It is'),
      part(10_000, 14_000, 'a long way.'),
    ];
    const texts = joinTranscripts([first, second]).map(({ text }) => text);
    expect(texts.join(' ')).toBe('The ferry leaves at nine in the morning. It is a long way.');
  });

  test('pieces that do not overlap stay unchanged', () => {
    const pieces = [[part(0, 1000, 'Yes.')], [part(1000, 2000, 'Yes.')]];
    expect(joinTranscripts(pieces)).toEqual(pieces.flat());
  });

  test('times increase, whatever the pieces contain', () => {
    const pieces = fc.array(
      fc.array(
        fc.record({
          startMs: fc.nat(100_000),
          endMs: fc.nat(100_000),
          text: fc.string({ maxLength: 12 }),
        }),
        { maxLength: 6 },
      ),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(pieces, (allPieces) => {
        let lastEnd = 0;
        for (const { startMs, endMs } of joinTranscripts(allPieces)) {
          expect(startMs).toBeGreaterThanOrEqual(lastEnd);
          expect(endMs).toBeGreaterThanOrEqual(startMs);
          lastEnd = startMs;
        }
      }),
    );
  });
});
