import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';

/** A request as the server got it. */
export interface ModelRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  /** The parsed JSON body; null without one. */
  body: unknown;
  /** The instructions and the prompt, as text. */
  system: string;
  prompt: string;
  /** Settles when the connection has ended, by whichever side. */
  closed: Promise<void>;
}

/** What the server does with one request for an answer. */
export type ModelBehaviour =
  /** Streams the pieces, then ends properly. `untilBegin` holds back all of it, `untilEnd` its end. */
  | {
      kind: 'answer';
      pieces: readonly string[] | ((request: ModelRequest) => readonly string[]);
      /** Sent before the text, as thinking. */
      thoughts?: readonly string[];
      finish?: 'stop' | 'length' | 'content_filter';
      untilBegin?: Promise<void>;
      untilEnd?: Promise<void>;
    }
  /** Answers with a status and an error in the provider's form. */
  | { kind: 'status'; status: number; headers?: Record<string, string>; message?: string }
  /** Streams the pieces and then ends without saying so: the connection breaks, or just closes. */
  | { kind: 'cut'; pieces: readonly string[]; by: 'reset' | 'close' }
  /** Streams the pieces and then an event that is not what the protocol says. */
  | { kind: 'malformed'; pieces: readonly string[]; event: string }
  /** Streams the pieces and then reports an error inside the stream. */
  | { kind: 'error-event'; pieces: readonly string[]; message: string }
  /** Streams the pieces and then nothing more, with the connection open; without pieces no headers either. */
  | { kind: 'hang'; pieces: readonly string[] };

/** A model in Ollama's list. */
export interface ListedModel {
  name: string;
  remote_host?: string;
  details?: { family?: string };
}

export interface MisbehavingModel {
  /** http://127.0.0.1:PORT, for OLLAMA_BASE_URL and ANTHROPIC_BASE_URL; with /v1 for OPENAI_BASE_URL. */
  url: string;
  /** All requests for answers so far. */
  requests: ModelRequest[];
  /** What Ollama's list answers; null: this is no Ollama. */
  ollama: ListedModel[] | null;
  /** What the next requests get, in order; the last one stays. */
  behave: (...behaviours: ModelBehaviour[]) => void;
  /** Settles when so many requests for answers have come in all. */
  received: (count: number) => Promise<void>;
  close: () => Promise<void>;
}

/** One provider's form of streaming. */
interface Protocol {
  open: () => string;
  thought: (text: string) => string;
  text: (text: string) => string;
  finish: (reason: 'stop' | 'length' | 'content_filter') => string;
  error: (message: string) => string;
}

const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;

/** https://platform.openai.com/docs/api-reference/chat-streaming */
const chatCompletions = (model: string): Protocol => {
  const chunk = (delta: object, finish: string | null = null): string =>
    event({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1_700_000_000,
      model,
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
  return {
    open: () => chunk({ role: 'assistant', content: '' }),
    thought: (text) => chunk({ reasoning_content: text }),
    text: (text) => chunk({ content: text }),
    finish: (reason) => `${chunk({}, reason)}data: [DONE]\n\n`,
    error: (message) => event({ error: { message, type: 'server_error', code: null } }),
  };
};

/** https://docs.anthropic.com/en/docs/build-with-claude/streaming */
const messages = (model: string): Protocol => {
  const named = (data: { type: string } & Record<string, unknown>): string =>
    `event: ${data.type}\n${event(data)}`;
  const reasons = { stop: 'end_turn', length: 'max_tokens', content_filter: 'refusal' };
  return {
    open: () =>
      named({
        type: 'message_start',
        message: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model,
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 1, output_tokens: 1 },
        },
      }) +
      named({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    thought: () => named({ type: 'ping' }),
    text: (text) =>
      named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
    finish: (reason) =>
      named({ type: 'content_block_stop', index: 0 }) +
      named({
        type: 'message_delta',
        delta: { stop_reason: reasons[reason], stop_sequence: null },
        usage: { output_tokens: 1 },
      }) +
      named({ type: 'message_stop' }),
    error: (message) => named({ type: 'error', error: { type: 'overloaded_error', message } }),
  };
};

const content = z.union([
  z.string(),
  z
    .array(z.looseObject({ text: z.string().default('') }))
    .transform((parts) => parts.map((p) => p.text).join('')),
]);
const chatBody = z.looseObject({
  model: z.string(),
  stream: z.literal(true),
  system: content.optional(),
  messages: z.array(z.object({ role: z.string(), content })),
});

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const text = (await request.toArray()).join('');
  return text === '' ? null : JSON.parse(text);
}

function recorded(
  incoming: IncomingMessage,
  response: ServerResponse,
  body: unknown,
): ModelRequest {
  const parsed = chatBody.safeParse(body);
  const all = parsed.success ? parsed.data.messages : [];
  const spoken = (role: string): string =>
    all
      .filter((message) => message.role === role)
      .map((message) => message.content)
      .join('\n');
  const closed = Promise.withResolvers<void>();
  response.once('close', closed.resolve);
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: incoming.headers,
    body,
    system: (parsed.data?.system ?? '') + spoken('system'),
    prompt: spoken('user'),
    closed: closed.promise,
  };
}

function reply(response: ServerResponse, status: number, data: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(data));
}

async function write(response: ServerResponse, text: string): Promise<void> {
  response.write(text);
  // Pieces that leave together arrive together: a stream is only one when they leave apart.
  await setImmediate();
}

async function perform(
  behaviour: ModelBehaviour,
  request: ModelRequest,
  response: ServerResponse,
  protocol: Protocol,
): Promise<void> {
  if (behaviour.kind === 'status') {
    const error = { message: behaviour.message ?? 'No.', type: 'error', code: null };
    reply(response, behaviour.status, { type: 'error', error }, behaviour.headers);
    return;
  }
  if (behaviour.kind === 'hang' && behaviour.pieces.length === 0) return;
  if (behaviour.kind === 'answer') await behaviour.untilBegin;
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  await write(response, protocol.open());
  const thoughts = behaviour.kind === 'answer' ? (behaviour.thoughts ?? []) : [];
  for (const thought of thoughts) await write(response, protocol.thought(thought));
  const { pieces } = behaviour;
  for (const piece of typeof pieces === 'function' ? pieces(request) : pieces) {
    await write(response, protocol.text(piece));
  }
  switch (behaviour.kind) {
    case 'answer':
      await behaviour.untilEnd;
      response.end(protocol.finish(behaviour.finish ?? 'stop'));
      break;
    case 'malformed':
      response.end(`data: ${behaviour.event}\n\n${protocol.finish('stop')}`);
      break;
    case 'error-event':
      response.end(protocol.error(behaviour.message));
      break;
    case 'cut':
      if (behaviour.by === 'reset') response.destroy();
      else response.end();
      break;
    case 'hang':
      break;
  }
}

/**
 * A model's server for tests: it speaks the streaming protocols of OpenAI's chat completions and of
 * Anthropic's messages over a socket, lists models as Ollama does, and misbehaves as it is told.
 */
export async function startMisbehavingModel(): Promise<MisbehavingModel> {
  let script: ModelBehaviour[] = [{ kind: 'answer', pieces: [] }];
  const waiting = new Set<() => void>();

  const server = createServer(async (incoming, response) => {
    const path = incoming.url ?? '';
    if (path === '/api/tags') {
      if (model.ollama === null) reply(response, 404, { error: 'not found' });
      else reply(response, 200, { models: model.ollama });
      return;
    }
    const request = recorded(incoming, response, await bodyOf(incoming));
    const parsed = chatBody.safeParse(request.body);
    const speak = { '/v1/chat/completions': chatCompletions, '/v1/messages': messages }[path];
    if (speak === undefined || !parsed.success) {
      reply(response, speak === undefined ? 404 : 400, { error: { message: 'What is this?' } });
      return;
    }
    model.requests.push(request);
    for (const check of waiting) check();
    const [behaviour] = script;
    if (script.length > 1) script = script.slice(1);
    if (behaviour !== undefined) {
      await perform(behaviour, request, response, speak(parsed.data.model));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const model: MisbehavingModel = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    ollama: null,
    behave: (...behaviours) => {
      script = behaviours;
    },
    received: (count) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (model.requests.length < count) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return model;
}
