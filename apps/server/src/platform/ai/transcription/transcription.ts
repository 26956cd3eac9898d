import type { SoundPiece, TranscriptPart } from '@engram/extraction';
import { APICallError } from 'ai';
import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import { type Clock, systemClock } from '../../clock.ts';
import { readBody } from '../../http/bounded-fetch.ts';
import { parseJson } from '../../parse-json.ts';
import {
  logFailure,
  ModelUnavailable,
  retryWait,
  toModelUnavailable,
} from '../model-unavailable.ts';
import {
  OPENAI_MISSING,
  type OpenAiSettings,
  openAiServer,
  withoutTrailingSlash,
} from '../openai-server.ts';
import { pause, withDeadline } from '../time-budget.ts';
import { inspectSpeechFolder } from './speech-folder.ts';

interface TranscribeOptions {
  signal: AbortSignal;
  /** ISO 639-1, if known from earlier pieces. */
  language?: string | null;
  prompt?: string;
}

interface PieceTranscript {
  parts: TranscriptPart[];
  /** ISO 639-1; null if the provider does not report it. */
  language: string | null;
}

interface TranscriberSettings extends OpenAiSettings {
  /** none | openai:MODEL | local:FOLDER */
  transcription: string;
}

export interface Transcriber {
  describe(): { on: boolean; detail: string };
  /** For 'local', use `createLocalSpeech` instead of `transcribe`. */
  kind: 'none' | 'provider' | 'local';
  folder: string | null;
  limits: { maxBytes: number; maxMs: number; overlapMs: number };
  /** Transcribes a piece, with one retry. @throws ModelUnavailable, or the signal's reason */
  transcribe(piece: SoundPiece, options: TranscribeOptions): Promise<PieceTranscript>;
}

/** OpenAI accepts 25 MB, and a slow server can transcribe two minutes before `fetch` times out. */
const LIMITS = { maxBytes: 24 << 20, maxMs: 120_000, overlapMs: 2000 };

export function createTranscriber(
  settings: TranscriberSettings,
  { log, clock = systemClock }: { log: Pick<FastifyBaseLogger, 'warn'>; clock?: Clock },
): Transcriber {
  const { transcription } = settings;
  const off = (detail: string): Transcriber => ({
    describe: () => ({ on: false, detail }),
    kind: 'none',
    folder: null,
    limits: LIMITS,
    transcribe: () => Promise.reject(new ModelUnavailable('down', detail)),
  });
  if (transcription === 'none') {
    return off('No speech is transcribed, because ENGRAM_TRANSCRIPTION names no model.');
  }
  if (transcription.startsWith('local:')) {
    const folder = transcription.slice('local:'.length).trim();
    const speech = inspectSpeechFolder(folder);
    if ('missing' in speech) {
      log.warn({ folder }, speech.missing);
      return off(speech.missing);
    }
    const detail = `Speech is transcribed on this machine by a ${speech.name} model.`;
    return { ...off(detail), describe: () => ({ on: true, detail }), kind: 'local', folder };
  }
  const server = openAiServer(settings);
  if (server === null) return off(OPENAI_MISSING);
  const { apiKey, baseUrl, host } = server;
  const url = `${withoutTrailingSlash(baseUrl)}/audio/transcriptions`;
  const model = transcription.slice(transcription.indexOf(':') + 1).trim();
  const detail = `Speech is transcribed by ${model} at ${host}.`;

  function transcribeOnce(
    piece: SoundPiece,
    { signal: caller, language, prompt }: TranscribeOptions,
  ): Promise<Transcript> {
    async function post(detailed: boolean, signal: AbortSignal): Promise<Transcript> {
      const form = new FormData();
      form.append('model', model);
      form.append('response_format', detailed ? 'verbose_json' : 'json');
      if (detailed) form.append('timestamp_granularities[]', 'segment');
      form.append('temperature', '0');
      if (language) form.append('language', language);
      if (prompt !== undefined) form.append('prompt', prompt.slice(-PROMPT_LENGTH));
      const bytes = piece.bytes as Uint8Array<ArrayBuffer>;
      form.append('file', new Blob([bytes], { type: piece.mediaType }), piece.fileName);
      const headers: Record<string, string> = apiKey ? { authorization: `Bearer ${apiKey}` } : {};
      // A redirect would send the key and the recording elsewhere.
      const init: RequestInit = { method: 'POST', body: form, headers, signal, redirect: 'error' };
      const answer = await fetch(url, init);
      const body = new TextDecoder().decode(await readBody(answer, MAX_RESPONSE_BYTES, unreadable));
      const { status } = answer;
      if (detailed && status === 400 && body.includes('response_format'))
        return post(false, signal);
      if (!answer.ok) {
        throw new APICallError({
          message: `The transcription server responded with status ${status}.`,
          url,
          requestBodyValues: {},
          statusCode: status,
          responseHeaders: Object.fromEntries(answer.headers),
        });
      }
      const { data, error } = transcript.safeParse(parseJson(body));
      if (!data || (typeof data.text !== 'string' && !data.segments)) throw unreadable(error);
      return data;
    }

    const late = new ModelUnavailable('timeout', 'The transcription took too long.');
    return withDeadline(clock, { milliseconds: PIECE_MS, late, caller }, (signal) =>
      // OpenAI's newer models return no segments, and some servers support only json.
      post(!model.startsWith('gpt-'), signal),
    );
  }

  return {
    ...off(detail),
    describe: () => ({ on: true, detail }),
    kind: 'provider',
    async transcribe(piece, options) {
      for (let tries = 1; ; tries += 1) {
        try {
          return toPieceTranscript(await transcribeOnce(piece, options), piece);
        } catch (error) {
          options.signal.throwIfAborted();
          const failure = withSoundMessage(toModelUnavailable(error));
          const wait = retryWait(failure, clock.now());
          if (tries > 1 || wait === null) {
            logFailure(failure, log);
            throw failure;
          }
          await pause(clock, wait, options.signal);
        }
      }
    },
  };
}

/** In milliseconds. `fetch` times out after five minutes. */
const PIECE_MS = 280_000;

const MAX_RESPONSE_BYTES = 8 << 20;
const PROMPT_LENGTH = 400;

/** Whisper's limits for a segment without speech (openai/whisper, transcribe.py). */
const NO_SPEECH = 0.6;
const MIN_LOGPROB = -1;
const MAX_COMPRESSION = 2.4;

/**
 * https://platform.openai.com/docs/api-reference/audio/verbose-json-object. The SDK's parser is too
 * strict for other servers, which omit most fields.
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

function withSoundMessage(failure: ModelUnavailable): ModelUnavailable {
  const { cause } = failure;
  if (failure.reason !== 'refused' || !APICallError.isInstance(cause)) return failure;
  if (cause.statusCode === 401 || cause.statusCode === 403) return failure;
  const message = 'The transcription server did not accept this recording.';
  return new ModelUnavailable('refused', message, { cause });
}

const unreadable = (cause?: unknown): ModelUnavailable => {
  const message = 'The transcription server sent an invalid response.';
  return new ModelUnavailable('malformed', message, { cause });
};

/** Adds the start of the piece to all times, and limits them to the piece. */
function toPieceTranscript(
  { text, language, segments }: Transcript,
  { startMs, endMs }: SoundPiece,
): PieceTranscript {
  const toMs = (seconds: number): number =>
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
  let lastStartMs = startMs;
  const parts = times.flatMap(({ start, end, text: words }) => {
    if (words.trim() === '') return [];
    const from = Math.max(lastStartMs, toMs(start));
    lastStartMs = from;
    return [{ startMs: from, endMs: Math.max(from, toMs(end)), text: words.trim() }];
  });
  return { parts, language: languageCode(language ?? null) };
}

/** The two-letter codes of languages by their English names, which Whisper returns. */
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

const MAX_WORDS = 20;

const plain = (word: string): string =>
  word.toLowerCase().replace(/[^\p{Letter}\p{Number}]+/gu, '');

/**
 * Joins the transcripts of a recording's pieces. In the first half of an overlap the earlier piece is used,
 * then the later one, without repeated words. Times increase.
 */
export function joinTranscripts(pieces: readonly (readonly TranscriptPart[])[]): TranscriptPart[] {
  const joined: TranscriptPart[] = [];
  let lastStartMs = 0;
  for (const piece of pieces) {
    const parts = [...piece].sort((a, b) => a.startMs - b.startMs);
    const rest = withoutOverlap(joined, parts);
    for (const { startMs, endMs, text } of rest) {
      const from = Math.max(lastStartMs, startMs);
      joined.push({ startMs: from, endMs: Math.max(from, endMs), text });
      lastStartMs = from;
    }
  }
  return joined;
}

function withoutOverlap(joined: TranscriptPart[], next: TranscriptPart[]): TranscriptPart[] {
  const last = joined.at(-1);
  const first = next[0];
  if (last === undefined || first === undefined || first.startMs >= last.endMs) return next;
  const middle = (part: TranscriptPart): number => (part.startMs + part.endMs) / 2;
  const cut = (first.startMs + last.endMs) / 2;
  while (joined.length > 0) {
    const end = joined.at(-1);
    if (end === undefined || end.startMs < first.startMs || middle(end) < cut) break;
    joined.pop();
  }
  const rest = next.filter((part) => part.endMs > last.endMs || middle(part) >= cut);
  const before = joined.at(-1);
  const [head, ...others] = rest;
  if (before === undefined || head === undefined || head.startMs >= before.endMs) return rest;
  const text = withoutRepeatedWords(before.text, head.text);
  return text === '' ? others : [{ ...head, text }, ...others];
}

/** The second text without its first words, if the first text ends with them. */
function withoutRepeatedWords(first: string, second: string): string {
  const ending = first.trim().split(/\s+/u).map(plain).slice(-MAX_WORDS);
  const words = second.trim().split(/\s+/u);
  const beginning = words.map(plain);
  for (let count = Math.min(ending.length, words.length); count > 0; count -= 1) {
    const same = ending.slice(-count).every((word, index) => word === beginning[index]);
    if (same) return words.slice(count).join(' ');
  }
  return second.trim();
}
