import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { embeddingModelFiles, embedText } from './embedding-model.test-setup.ts';

/** How the server answers a request for embeddings. */
export type EmbeddingBehavior =
  | { kind: 'answer' }
  | { kind: 'status'; status: number; headers?: Record<string, string> }
  /** Answers with this status if a text of the request contains this. */
  | { kind: 'refuse'; containing: string; status: number }
  /** Sends vectors in a wrong format. */
  | { kind: 'senseless'; vectors: unknown[] }
  | { kind: 'hang' };

/** How the hub answers a request for a file. */
export type HubBehavior =
  | { kind: 'answer' }
  /** After the given number of bytes of the model, drops the connection or stops sending. */
  | { kind: 'cut' | 'stall'; after: number }
  /** Sends other bytes than announced. */
  | { kind: 'corrupt' }
  /** Announces the given size. */
  | { kind: 'huge'; bytes: number }
  /** Redirects to another address. Requests that arrive there are answered. */
  | { kind: 'redirect'; to: string }
  /** Sends an endless list of files. */
  | { kind: 'endless' }
  | { kind: 'status'; status: number };

export interface EmbeddingServer {
  /** http://127.0.0.1:PORT, for OLLAMA_BASE_URL and HF_ENDPOINT. OPENAI_BASE_URL also needs /v1. */
  url: string;
  /** The texts and the key of each request for embeddings. */
  requests: { model: string; input: string[]; key: string | undefined }[];
  /** Requests for files, as `path range`. */
  files: string[];
  /** The files of the model that the hub has. */
  model: ReadonlyMap<string, Uint8Array>;
  embeddings: EmbeddingBehavior;
  hub: HubBehavior;
  /** Answers hanging requests. */
  release: () => void;
  close: () => Promise<void>;
}

const requestBody = z.object({ model: z.string(), input: z.array(z.string()) });
/** The large files with weights. */
const WEIGHTS = /\.(?:onnx|gguf)$/u;
const REVISION = '0123456789abcdef0123456789abcdef01234567';

const json = (reply: ServerResponse, status: number, body: object, headers = {}): void =>
  void reply
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify(body));

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString());
}

/** https://platform.openai.com/docs/api-reference/embeddings/create, which Ollama speaks too. */
async function answerEmbeddings(
  { state, gate }: { state: EmbeddingServer; gate: PromiseWithResolvers<void> },
  request: IncomingMessage,
  reply: ServerResponse,
): Promise<void> {
  const { model, input } = requestBody.parse(await bodyOf(request));
  state.requests.push({ model, input, key: request.headers.authorization });
  const behavior = state.embeddings;
  if (behavior.kind === 'hang') await gate.promise;
  if (behavior.kind === 'status') {
    json(
      reply,
      behavior.status,
      { error: { message: `No: ${input.join(' ')}` } },
      behavior.headers,
    );
    return;
  }
  if (behavior.kind === 'refuse' && input.some((text) => text.includes(behavior.containing))) {
    json(reply, behavior.status, { error: { message: `No: ${input.join(' ')}` } });
    return;
  }
  const vectors = behavior.kind === 'senseless' ? behavior.vectors : input.map(embedText);
  json(reply, 200, {
    object: 'list',
    model,
    data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
    usage: { prompt_tokens: 1, total_tokens: 1 },
  });
}

/** https://huggingface.co/docs/hub/api: the files of a model. Large ones are not in Git. */
function listFiles({ hub, model }: EmbeddingServer, reply: ServerResponse): void {
  const siblings = [...model].map(([rfilename, content]) => {
    const size = hub.kind === 'huge' && rfilename.endsWith('.onnx') ? hub.bytes : content.length;
    const blobId = createHash('sha1').update(`blob ${size}\0`).update(content).digest('hex');
    const sha256 = createHash('sha256').update(content).digest('hex');
    return rfilename.endsWith('.onnx')
      ? { rfilename, size, blobId: '0', lfs: { sha256, size, pointerSize: 1 } }
      : { rfilename, size, blobId };
  });
  json(reply, 200, { sha: REVISION, siblings });
}

function* endlessList(): Generator<string> {
  for (;;) yield '{"siblings":[],'.padEnd(65_536);
}

function sendFile(
  state: EmbeddingServer,
  { name, range }: { name: string; range: string | undefined },
  reply: ServerResponse,
): void {
  const { hub, model } = state;
  const content = Buffer.from(model.get(name) ?? []);
  if (content.length === 0) return void reply.writeHead(404).end();
  if (hub.kind === 'corrupt') content[0] = (content[0] ?? 0) ^ 1;
  const from = Number(/^bytes=(\d+)-$/u.exec(range ?? '')?.[1] ?? 0);
  const rest = content.subarray(from);
  reply.writeHead(range ? 206 : 200, { 'content-length': rest.length });
  const ends = hub.kind === 'cut' || hub.kind === 'stall';
  if (!ends || !WEIGHTS.test(name) || hub.after >= rest.length) {
    return void reply.end(rest);
  }
  reply.write(rest.subarray(0, hub.after), () => hub.kind === 'cut' && reply.destroy());
}

/** A server that embeds texts and a hub with the model, on a free port of this machine. */
export async function startEmbeddingServer(): Promise<EmbeddingServer> {
  const gate = Promise.withResolvers<void>();
  // Idle connections stay open, so that no request fails on a slow machine.
  const server = createServer({ keepAliveTimeout: 0 }, (request, reply) => {
    const { pathname } = new URL(request.url ?? '/', 'http://host');
    if (pathname === '/v1/embeddings') {
      answerEmbeddings({ state, gate }, request, reply).catch(() => reply.writeHead(400).end());
      return;
    }
    const file = /^(?:\/moved)?\/[\w.-]+\/[\w.-]+\/resolve\/\w+\/(.+)$/u.exec(pathname)?.[1];
    state.files.push([pathname, request.headers.range].filter(Boolean).join(' '));
    if (state.hub.kind === 'status') reply.writeHead(state.hub.status).end();
    else if (state.hub.kind === 'redirect' && !pathname.startsWith('/moved')) {
      reply.writeHead(302, { location: `${state.hub.to}/moved${pathname}` }).end();
    } else if (state.hub.kind === 'endless') Readable.from(endlessList()).pipe(reply);
    else if (file) sendFile(state, { name: file, range: request.headers.range }, reply);
    else listFiles(state, reply);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const state: EmbeddingServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    files: [],
    model: embeddingModelFiles(),
    embeddings: { kind: 'answer' },
    hub: { kind: 'answer' },
    release: () => gate.resolve(),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return state;
}
