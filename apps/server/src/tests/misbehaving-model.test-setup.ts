import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import {
  type Call,
  type Finish,
  type Protocol,
  protocolOf,
  type ReadRequest,
} from './model-protocols.test-setup.ts';
import {
  type ScriptedServer,
  sendJson,
  startScriptedServer,
} from './scripted-server.test-setup.ts';

/** A request to the server. */
export interface ModelRequest extends ReadRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  /** The parsed JSON body; null without one. */
  body: unknown;
  /** Resolves when either side has closed the connection. */
  closed: Promise<void>;
}

/** How the server answers one request. */
export type ModelBehavior =
  /** Streams the pieces and ends properly. `untilBegin` delays all of it, `untilEnd` its end. */
  | {
      kind: 'answer';
      pieces: readonly string[] | ((request: ModelRequest) => readonly string[]);
      /** Sent before the text, as reasoning. */
      thoughts?: readonly string[];
      finish?: Finish;
      untilBegin?: Promise<void>;
      untilEnd?: Promise<void>;
      /** Bytes per write, even if that splits a character. */
      bytesAtOnce?: number;
    }
  /** Sends the pieces, and calls tools. */
  | { kind: 'calls'; pieces?: readonly string[]; calls: readonly Call[] }
  /** Answers with a status and an error in the provider's form. */
  | { kind: 'status'; status: number; headers?: Record<string, string>; message?: string }
  /** Streams the pieces and ends without an end marker: the connection is reset or just closed. */
  | { kind: 'cut'; pieces: readonly string[]; by: 'reset' | 'close' }
  /** Streams the pieces and then an event that violates the protocol. */
  | { kind: 'malformed'; pieces: readonly string[]; event: string }
  /** Streams the pieces and then reports an error inside the stream. */
  | { kind: 'error-event'; pieces: readonly string[]; message: string }
  /** Streams the pieces and then nothing more on an open connection. Without pieces, no headers either. */
  | { kind: 'hang'; pieces: readonly string[] };

/** A model in Ollama's list. */
export interface ListedModel {
  name: string;
  remote_host?: string;
  details?: { family?: string };
}

/**
 * The address for OLLAMA_BASE_URL and ANTHROPIC_BASE_URL. OPENAI_BASE_URL also needs /v1, and
 * GOOGLE_BASE_URL needs /v1beta.
 */
export interface MisbehavingModel extends ScriptedServer<ModelRequest, ModelBehavior> {
  /** The response to Ollama's model list. Null if the server is not Ollama. */
  ollama: ListedModel[] | null;
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const text = (await request.toArray()).join('');
  return text === '' ? null : JSON.parse(text);
}

async function write(response: ServerResponse, text: string, bytesAtOnce = Infinity) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += bytesAtOnce) {
    response.write(bytes.subarray(at, at + bytesAtOnce));
    // Pieces that are written together arrive together, so a stream needs separate writes.
    await setImmediate();
  }
}

async function perform(
  behavior: ModelBehavior,
  request: ModelRequest,
  response: ServerResponse,
  protocol: Protocol,
): Promise<void> {
  if (behavior.kind === 'status') {
    const { status, message = 'No.', headers } = behavior;
    sendJson(response, status, protocol.refusal(status, message), headers);
    return;
  }
  if (behavior.kind === 'hang' && behavior.pieces.length === 0) return;
  const answer = behavior.kind === 'answer' ? behavior : null;
  await answer?.untilBegin;
  response.writeHead(200, { 'content-type': protocol.mediaType });
  const send = (text: string) => write(response, text, answer?.bytesAtOnce);
  await send(protocol.open());
  for (const thought of answer?.thoughts ?? []) await send(protocol.thought(thought));
  const { pieces = [] } = behavior;
  for (const piece of typeof pieces === 'function' ? pieces(request) : pieces) {
    await send(protocol.text(piece));
  }
  switch (behavior.kind) {
    case 'calls':
      for (const [n, call] of behavior.calls.entries()) await send(protocol.call(call, n));
      response.end(protocol.finish('tool_calls'));
      break;
    case 'answer':
      await behavior.untilEnd;
      await send(protocol.finish(behavior.finish ?? 'stop'));
      response.end();
      break;
    case 'malformed':
      response.end(`${protocol.line(behavior.event)}${protocol.finish('stop')}`);
      break;
    case 'error-event':
      response.end(protocol.error(behavior.message));
      break;
    case 'cut':
      if (behavior.by === 'reset') response.destroy();
      else response.end();
      break;
    case 'hang':
      break;
  }
}

/**
 * A model server for tests. It speaks the streaming protocols of OpenAI chat completions, Anthropic
 * messages, Google models and Ollama, lists models as Ollama does, and misbehaves on request.
 */
export async function startMisbehavingModel(): Promise<MisbehavingModel> {
  const server = await startScriptedServer<ModelRequest, ModelBehavior>({
    first: { kind: 'answer', pieces: [] },
    async handle(incoming, response, record) {
      const path = incoming.url ?? '';
      if (path === '/api/tags') {
        if (model.ollama === null) sendJson(response, 404, { error: 'not found' });
        else sendJson(response, 200, { models: model.ollama });
        return;
      }
      const body = await bodyOf(incoming);
      const protocol = protocolOf(path, body);
      const read = protocol?.read(body) ?? null;
      if (protocol === null || read === null) {
        sendJson(response, protocol === null ? 404 : 400, { error: { message: 'What is this?' } });
        return;
      }
      const closed = Promise.withResolvers<void>();
      response.once('close', closed.resolve);
      const { method = '', headers } = incoming;
      const request = { method, path, headers, body, ...read, closed: closed.promise };
      await perform(record(request), request, response, protocol);
    },
  });
  const model: MisbehavingModel = Object.assign(server, { ollama: null });
  return model;
}
