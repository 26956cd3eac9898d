import type { IncomingMessage, ServerResponse } from 'node:http';
import { extract, soundOf } from '@engram/extraction';
import {
  type ScriptedServer,
  sendJson,
  startScriptedServer,
} from './scripted-server.test-setup.ts';

/** A part of a recording with one tone. 0 Hz is silence. */
export interface DetectedTone {
  startSeconds: number;
  endSeconds: number;
  hertz: number;
}

/** A request to the server. */
export interface TranscriptionRequest {
  headers: IncomingMessage['headers'];
  /** The fields of the form without the file. */
  fields: Record<string, string>;
  file: { name: string; type: string; bytes: Uint8Array };
  /** The tones of the decoded sound. Empty if this server cannot decode it. */
  tones: DetectedTone[];
  /** The duration in seconds. */
  seconds: number;
}

/** A segment in OpenAI's verbose_json. Other servers leave out some of it. */
export interface Segment {
  start: number;
  end: number;
  text: string;
  avg_logprob?: number;
  no_speech_prob?: number;
  compression_ratio?: number;
}

/** How the server answers one request. */
export type TranscriptionBehavior =
  /** Names the tones with their times: 'tone 440'. Silence is 'Thank you.', as with Whisper. */
  | { kind: 'hear'; language?: string }
  | { kind: 'segments'; segments: readonly Segment[]; language?: string }
  /** A response without times. */
  | { kind: 'text'; text: string }
  | { kind: 'status'; status: number; headers?: Record<string, string>; message?: string }
  /** A response that violates the protocol. */
  | { kind: 'body'; body: string }
  /** Accepts the request and never answers. */
  | { kind: 'hang' };

/** The address for OPENAI_BASE_URL, with /v1. */
export type TranscriptionServer = ScriptedServer<TranscriptionRequest, TranscriptionBehavior>;

const WINDOW_SECONDS = 0.1;
const HEADER_BYTES = 44;

/** The tone of each tenth of a second, by its rising zero crossings. Equal neighbors are joined. */
function tonesOf(wav: Uint8Array): DetectedTone[] {
  const bytes = Buffer.from(wav.buffer, wav.byteOffset, wav.byteLength);
  const rate = bytes.readUInt32LE(24);
  const samples = new Int16Array((bytes.length - HEADER_BYTES) / 2);
  for (const at of samples.keys()) samples[at] = bytes.readInt16LE(HEADER_BYTES + at * 2);
  const size = Math.round(rate * WINDOW_SECONDS);
  const tones: DetectedTone[] = [];
  for (let at = 0; at < samples.length; at += size) {
    const part = samples.subarray(at, at + size);
    const loud = part.some((sample) => Math.abs(sample) > 1000);
    const rising = part.filter((sample, index) => sample >= 0 && (part[index - 1] ?? 0) < 0).length;
    const hertz = loud ? Math.round((rising * rate) / part.length / 50) * 50 : 0;
    const endSeconds = Math.min(samples.length, at + size) / rate;
    const last = tones.at(-1);
    if (last?.hertz === hertz) last.endSeconds = endSeconds;
    else tones.push({ startSeconds: at / rate, endSeconds, hertz });
  }
  return tones;
}

/** Decodes the sound: WAV and mp3 to their tones, other formats to their duration. */
async function listen(name: string, bytes: Uint8Array) {
  const type = { wav: 'wav', mp3: 'mp3', m4a: 'mp4' }[name.split('.').at(-1) ?? ''];
  if (type === 'wav') {
    const tones = tonesOf(bytes);
    return { tones, seconds: tones.at(-1)?.endSeconds ?? 0 };
  }
  if (type === 'mp3') {
    const options = { maxBytes: 1 << 28, maxMs: 3_600_000, pcmOnly: true };
    for await (const piece of soundOf(bytes, 'mp3', options)) {
      return { tones: tonesOf(piece.bytes), seconds: piece.endMs / 1000 };
    }
  }
  if (type !== 'mp4') return { tones: [], seconds: 0 };
  const { durationMs } = await extract({ bytes, fileName: name, type });
  return { tones: [], seconds: (durationMs ?? 0) / 1000 };
}

async function recorded(incoming: IncomingMessage): Promise<TranscriptionRequest> {
  const body = Buffer.concat(await incoming.toArray());
  const headers = { 'content-type': incoming.headers['content-type'] ?? '' };
  const form = await new Response(body, { headers }).formData();
  const file = form.get('file');
  if (!(file instanceof File)) throw new Error('There is no file in the form.');
  const bytes = new Uint8Array(await file.arrayBuffer());
  const fields = [...form].filter((entry): entry is [string, string] => entry[0] !== 'file');
  return {
    headers: incoming.headers,
    fields: Object.fromEntries(fields),
    file: { name: file.name, type: file.type, bytes },
    ...(await listen(file.name, bytes)),
  };
}

/** https://platform.openai.com/docs/api-reference/audio/createTranscription */
function transcriptOf(
  request: TranscriptionRequest,
  segments: readonly Segment[],
  language: string,
): unknown {
  const text = segments.map((segment) => segment.text).join(' ');
  if (request.fields['response_format'] !== 'verbose_json') return { text };
  const { seconds: duration } = request;
  return { task: 'transcribe', language, duration, text, segments };
}

function perform(
  behavior: TranscriptionBehavior,
  request: TranscriptionRequest,
  response: ServerResponse,
): void {
  switch (behavior.kind) {
    case 'hear': {
      const segments = request.tones.map(({ startSeconds, endSeconds, hertz }) => {
        const text = hertz === 0 ? ' Thank you.' : ` tone ${hertz}`;
        return { start: startSeconds, end: endSeconds, text };
      });
      sendJson(response, 200, transcriptOf(request, segments, behavior.language ?? 'english'));
      return;
    }
    case 'segments': {
      const { segments, language = 'english' } = behavior;
      sendJson(response, 200, transcriptOf(request, segments, language));
      return;
    }
    case 'text':
      sendJson(response, 200, { text: behavior.text });
      return;
    case 'status': {
      const error = { message: behavior.message ?? 'No.', type: 'error', code: null };
      sendJson(response, behavior.status, { error }, behavior.headers);
      return;
    }
    case 'body':
      response.writeHead(200, { 'content-type': 'application/json' }).end(behavior.body);
      return;
    case 'hang':
  }
}

/**
 * A transcription server for tests with OpenAI's protocol. It decodes the sound, answers with its
 * tones, and misbehaves on request.
 */
export async function startTranscriptionServer(): Promise<TranscriptionServer> {
  const server = await startScriptedServer<TranscriptionRequest, TranscriptionBehavior>({
    first: { kind: 'hear' },
    async handle(incoming, response, record) {
      if (incoming.method !== 'POST' || incoming.url !== '/v1/audio/transcriptions') {
        sendJson(response, 404, { error: { message: 'What is this?' } });
        return;
      }
      let request: TranscriptionRequest;
      try {
        request = await recorded(incoming);
      } catch (error) {
        sendJson(response, 400, { error: { message: String(error) } });
        return;
      }
      perform(record(request), request, response);
    },
  });
  return { ...server, url: `${server.url}/v1` };
}
