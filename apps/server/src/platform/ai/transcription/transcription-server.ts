import type { SoundPiece, TranscriptPart } from '@engram/extraction';
import { APICallError } from 'ai';
import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import { readBody } from '../../http/bounded-fetch.ts';
import { parseJson } from '../../parse-json.ts';
import { ModelUnavailable, retryWait, toModelUnavailable } from '../model-unavailable.ts';

export interface TranscribeOptions {
  signal: AbortSignal;
  /** ISO 639-1, if it is known from earlier pieces. */
  language?: string | null;
  prompt?: string;
}

export interface Heard {
  parts: TranscriptPart[];
  /** ISO 639-1; null if the provider does not say. */
  language: string | null;
}

export interface TranscriptionServer {
  address: string;
  model: string;
  apiKey: string | undefined;
  fetch: typeof globalThis.fetch;
  clock: Clock;
}

/** Below the five minutes after which `fetch` itself times out, in milliseconds. */
const PIECE_MS = 280_000;

/** Longest answer in bytes: two minutes of words with all their tokens are far less. */
const ANSWER_BYTES = 8 << 20;
const PROMPT_LENGTH = 400;

/** Whisper's own limits for a segment without speech (openai/whisper, transcribe.py). */
const NO_SPEECH = 0.6;
const MIN_LOGPROB = -1;
const MAX_COMPRESSION = 2.4;

/**
 * https://platform.openai.com/docs/api-reference/audio/verbose-json-object. Other servers leave out
 * most of it, which is why the SDK's stricter parser is not used.
 */
const transcript = z.object({
  text: z.string().nullish(),
  language: z.string().nullish(),
  segments: z
    .array(
      z.object({
        start: z.number(),
        end: z.number(),
        text: z.string(),
        avg_logprob: z.number().nullish(),
        compression_ratio: z.number().nullish(),
        no_speech_prob: z.number().nullish(),
      }),
    )
    .nullish(),
});

type Transcript = z.output<typeof transcript>;

/** Transcribes a piece, with one retry. @throws ModelUnavailable, or the signal's reason */
export async function askTranscriptionServer(
  server: TranscriptionServer,
  piece: SoundPiece,
  options: TranscribeOptions,
): Promise<Heard> {
  const { clock } = server;
  for (let tries = 1; ; tries += 1) {
    try {
      return heard(await oneTry(server, piece, options), piece);
    } catch (error) {
      options.signal.throwIfAborted();
      const failure = withSoundMessage(toModelUnavailable(error));
      const wait = retryWait(failure, clock.now());
      if (tries > 1 || wait === null) throw failure;
      await pause(clock, wait, options.signal);
    }
  }
}

/** Names the sound in a refusal of the request. */
function withSoundMessage(failure: ModelUnavailable): ModelUnavailable {
  const { cause } = failure;
  if (failure.reason !== 'refused' || !APICallError.isInstance(cause)) return failure;
  if (cause.statusCode === 401 || cause.statusCode === 403) return failure;
  const message = 'The transcription server did not accept this sound.';
  return new ModelUnavailable('refused', message, { cause });
}

function pause(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clock.clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = clock.setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', stop, { once: true });
  });
}

async function oneTry(
  server: TranscriptionServer,
  piece: SoundPiece,
  options: TranscribeOptions,
): Promise<Transcript> {
  const late = new AbortController();
  const timer = server.clock.setTimeout(() => {
    late.abort(new ModelUnavailable('timeout', 'The transcription took too long.'));
  }, PIECE_MS);
  const signal = AbortSignal.any([options.signal, late.signal]);
  try {
    // OpenAI's newer models have no segments, and some servers support only json.
    const detailed = !server.model.startsWith('gpt-');
    const answer = await post(server, piece, options, detailed, signal);
    if (answer.status !== 400 || !detailed || !answer.body.includes('response_format')) {
      return read(server, answer);
    }
    return read(server, await post(server, piece, options, false, signal));
  } catch (error) {
    late.signal.throwIfAborted();
    throw error;
  } finally {
    server.clock.clearTimeout(timer);
  }
}

async function post(
  { address, model, apiKey, fetch }: TranscriptionServer,
  piece: SoundPiece,
  { language, prompt }: TranscribeOptions,
  detailed: boolean,
  signal: AbortSignal,
) {
  const form = new FormData();
  form.append('model', model);
  form.append('response_format', detailed ? 'verbose_json' : 'json');
  if (detailed) form.append('timestamp_granularities[]', 'segment');
  form.append('temperature', '0');
  if (language !== null && language !== undefined) form.append('language', language);
  if (prompt !== undefined) form.append('prompt', prompt.slice(-PROMPT_LENGTH));
  const bytes = piece.bytes as Uint8Array<ArrayBuffer>;
  form.append('file', new Blob([bytes], { type: piece.mediaType }), piece.fileName);
  const headers: Record<string, string> =
    apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  // A redirect would send the key and the recording elsewhere.
  const init: RequestInit = { method: 'POST', body: form, headers, signal, redirect: 'error' };
  const answer = await fetch(address, init);
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    body: new TextDecoder().decode(await readBody(answer, ANSWER_BYTES, unreadable)),
  };
}

const unreadable = (cause?: unknown): ModelUnavailable => {
  const message = 'The transcription server sent an answer that cannot be read.';
  return new ModelUnavailable('malformed', message, { cause });
};

type Answer = Awaited<ReturnType<typeof post>>;

function read({ address }: TranscriptionServer, { status, headers, body }: Answer): Transcript {
  if (status < 200 || status > 299) {
    throw new APICallError({
      message: `The transcription server answered ${status}.`,
      url: address,
      requestBodyValues: {},
      statusCode: status,
      responseHeaders: headers,
    });
  }
  const parsed = transcript.safeParse(parseJson(body));
  if (!parsed.success) throw unreadable(parsed.error);
  const { text, segments } = parsed.data;
  if (typeof text !== 'string' && !Array.isArray(segments)) throw unreadable();
  return parsed.data;
}

/** The words with times from the beginning of the recording, all within the piece. */
function heard({ text, language, segments }: Transcript, { startMs, endMs }: SoundPiece): Heard {
  const within = (seconds: number): number =>
    Math.min(endMs, Math.max(startMs, startMs + Math.round(seconds * 1000)));
  const spoken = segments?.filter(
    ({ avg_logprob, compression_ratio, no_speech_prob }) =>
      !((no_speech_prob ?? 0) > NO_SPEECH && (avg_logprob ?? -Infinity) < MIN_LOGPROB) &&
      (compression_ratio ?? 0) <= MAX_COMPRESSION,
  );
  const times =
    segments?.length === 0 || spoken === undefined
      ? [{ start: 0, end: Infinity, text: text ?? '' }]
      : spoken;
  let reached = startMs;
  const parts = times.flatMap(({ start, end, text: words }) => {
    if (words.trim() === '') return [];
    const from = Math.max(reached, within(start));
    reached = from;
    return [{ startMs: from, endMs: Math.max(from, within(end)), text: words.trim() }];
  });
  return { parts, language: languageCode(language ?? null) };
}

/** English names of languages, which Whisper returns, and their codes of two letters. */
let codes: Map<string, string> | null = null;

function languageCode(language: string | null): string | null {
  const known = language?.trim().toLowerCase() ?? '';
  if (/^[a-z]{2}$/u.test(known)) return known;
  codes ??= languageNames();
  return codes.get(known) ?? null;
}

function languageNames(): Map<string, string> {
  const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  return new Map(
    letters
      .flatMap((first) => letters.map((second) => first + second))
      .flatMap((code): [string, string][] => {
        const name = names.of(code)?.toLowerCase();
        return name === undefined || name === code ? [] : [[name, code]];
      }),
  );
}
