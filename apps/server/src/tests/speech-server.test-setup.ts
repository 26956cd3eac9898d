import type { IncomingMessage, ServerResponse } from 'node:http';
import { createMp3Encoder } from 'wasm-media-encoders';
import { z } from 'zod';
import {
  type ScriptedServer,
  sendJson,
  startScriptedServer,
} from './scripted-server.test-setup.ts';

/** https://platform.openai.com/docs/api-reference/audio/createSpeech */
const speechRequest = z.object({
  model: z.string(),
  input: z.string().min(1).max(4096),
  voice: z.string(),
  response_format: z.enum(['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm']).default('mp3'),
});

/** A request to the server. */
export interface SpeechRequest extends z.output<typeof speechRequest> {
  headers: IncomingMessage['headers'];
}

/** How the server answers one request. */
export type SpeechBehavior =
  /** A tone as an mp3. `until` delays it. */
  | { kind: 'speak'; until?: Promise<void> }
  | { kind: 'status'; status: number; headers?: Record<string, string> }
  /** A response that violates the protocol. */
  | { kind: 'body'; body: string }
  /** Endless sound. */
  | { kind: 'endless' }
  | { kind: 'redirect'; to: string };

export type SpeechServer = ScriptedServer<SpeechRequest, SpeechBehavior>;

async function tone(): Promise<Uint8Array> {
  const encoder = await createMp3Encoder();
  encoder.configure({ channels: 1, sampleRate: 24_000, bitrate: 64 });
  const samples = Float32Array.from(
    { length: 24_000 },
    (unused, index) => Math.sin((index / 24_000) * 440 * 2 * Math.PI) / 2,
  );
  return Buffer.concat([encoder.encode([samples]).slice(), encoder.finalize().slice()]);
}

const refuse = (response: ServerResponse, status: number, headers = {}): void =>
  sendJson(response, status, { error: { message: 'No.', type: 'error', code: null } }, headers);

async function perform(behavior: SpeechBehavior, response: ServerResponse): Promise<void> {
  switch (behavior.kind) {
    case 'speak': {
      await behavior.until;
      response.writeHead(200, { 'content-type': 'audio/mpeg' });
      response.end(await tone());
      return;
    }
    case 'status':
      refuse(response, behavior.status, behavior.headers);
      return;
    case 'body':
      response.writeHead(200, { 'content-type': 'audio/mpeg' });
      response.end(behavior.body);
      return;
    case 'endless': {
      const mp3 = Buffer.alloc(1 << 20, await tone());
      response.writeHead(200, { 'content-type': 'audio/mpeg' });
      const more = (): void => {
        while (!response.destroyed && response.write(mp3));
      };
      response.on('drain', more);
      more();
      return;
    }
    case 'redirect':
      response.writeHead(307, { location: behavior.to }).end();
  }
}

/**
 * A speech server for tests with OpenAI's protocol, which misbehaves on request. Its `url` is for
 * OPENAI_BASE_URL.
 */
export async function startSpeechServer(): Promise<SpeechServer> {
  const server = await startScriptedServer<SpeechRequest, SpeechBehavior>({
    first: { kind: 'speak' },
    handle: async (incoming, response, record) => {
      const body = Buffer.concat(await incoming.toArray()).toString();
      if (incoming.method !== 'POST' || incoming.url !== '/v1/audio/speech') {
        refuse(response, 404);
        return;
      }
      const parsed = speechRequest.safeParse(JSON.parse(body));
      if (parsed.success) {
        await perform(record({ ...parsed.data, headers: incoming.headers }), response);
      } else refuse(response, 400);
    },
  });
  return { ...server, url: `${server.url}/v1` };
}
