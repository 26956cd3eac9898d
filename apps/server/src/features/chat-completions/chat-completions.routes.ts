import { searchBody } from '@engram/contract';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Core } from '../../composition/core.ts';
import type { Admission, Caller } from '../../platform/http/admission.ts';
import { drainRequest } from '../../platform/http/arrival.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { disconnectSignal, openEventStream } from '../../platform/http/event-stream.ts';
import { BODY_LIMIT, parseInput, MAX_DRAINED_BYTES } from '../../platform/http/mount.ts';
import { describeError, logRefusal } from '../../platform/http/server.ts';
import type { HistoryService } from '../history/history.service.ts';
import type { SearchService } from '../search/search.service.ts';
import { chunksOf, completionOf, annotationsOf, contentOf, restOf } from './completion.ts';
import {
  assertModel,
  type CompletionRequest,
  completionRequest,
  MODEL,
  questionsOf,
} from './messages.ts';

const BASE = '/v1/openai';

/** A question counts as reading, so a read-only key is enough. */
const ACCESS = { auth: 'user', apiKey: true, method: 'POST', reads: true } as const;

const DEVICE = 'Chat client';

/** In seconds since 1970. Clients expect this field. */
const MODEL_CREATED = 1_767_225_600;

const NO_KEY = 'Send a valid Engram API key as the bearer token.';

const TYPES: Record<number, string> = {
  401: 'authentication_error',
  402: 'insufficient_quota',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
};

function errorOf({ status, message, code }: HttpError) {
  const type = TYPES[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error');
  return { error: { message, type, param: null, code } };
}

function refuse(error: FastifyError | HttpError, request: FastifyRequest, reply: FastifyReply) {
  logRefusal(error, request);
  const refusal = describeError(error);
  return reply.status(refusal.status).headers(refusal.headers).send(errorOf(refusal));
}

interface Parts {
  admission: Pick<Admission, 'admit'>;
  core: Pick<Core, 'originOf' | 'now' | 'storage'>;
  search: Pick<SearchService, 'ask'>;
  history: Pick<HistoryService, 'latest'>;
}

/**
 * Mounts the endpoint for chat clients with OpenAI's protocol
 * (https://platform.openai.com/docs/api-reference/chat). The last message is the question. It follows up
 * on the previous one if that is in the history.
 */
export async function mountChatCompletions(app: FastifyInstance, parts: Parts): Promise<void> {
  const { admission, core, search, history } = parts;
  const { originOf, now, storage } = core;

  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.raw.once('close', storage.backgroundYield.begin());
    void reply.header('cache-control', 'no-store');
    try {
      request.caller = await admission.admit(ACCESS, request);
    } catch (error) {
      drainRequest(request.raw, MAX_DRAINED_BYTES);
      throw error instanceof HttpError && error.status === 401
        ? new HttpError(401, error.code, NO_KEY, error.headers)
        : error;
    }
  };

  /** Prepares the question, and returns a function that asks it. */
  async function prepare(request: FastifyRequest, caller: Caller, { messages }: CompletionRequest) {
    const { question, previous } = questionsOf(messages);
    const after = previous === null ? undefined : await history.latest(caller.userId, previous);
    const body = parseInput(searchBody, { text: question, audio: false, device: DEVICE, after });
    const asker = { ...caller, ip: request.ip };
    return (signal: AbortSignal, send?: Parameters<typeof search.ask>[3]) =>
      search.ask(asker, body, signal, send);
  }

  async function complete(request: FastifyRequest, reply: FastifyReply) {
    const { caller } = request;
    if (caller === null) throw new Error('The caller is missing.');
    const input = parseInput(completionRequest, request.body ?? {});
    assertModel(input.model);
    const { messages } = input;
    const origin = originOf(request);
    const head = { id: `chatcmpl-${request.id}`, created: Math.floor(now().getTime() / 1000) };
    const ask = await prepare(request, caller, input);
    const signal = disconnectSignal(reply);
    if (!input.stream) return completionOf(head, await ask(signal), { messages, origin });

    const withUsage = input.stream_options?.include_usage === true;
    const chunks = chunksOf(head, withUsage);
    const stream = openEventStream(reply);
    let sent = '';
    const start = (): void => {
      if (!stream.started) stream.send(null, chunks.part({ role: 'assistant', content: '' }));
    };
    try {
      const data = await ask(signal, (name, event) => {
        start();
        if (name !== 'delta' || !('text' in event)) return;
        sent += event.text;
        stream.send(null, chunks.part({ content: event.text }));
      });
      start();
      const content = contentOf(data, origin);
      const rest = restOf(content, sent);
      if (rest !== '') stream.send(null, chunks.part({ content: rest }));
      const annotations = annotationsOf(sent + rest, data, origin);
      stream.send(null, chunks.part({ annotations }, 'stop'));
      if (withUsage) stream.send(null, chunks.usage(messages, content));
    } catch (error) {
      // Before the first event, a plain response with a status is possible.
      if (!stream.started) throw error;
      request.log.error({ err: error }, 'answering failed');
      stream.send(null, errorOf(describeError(error)));
    }
    stream.write('data: [DONE]\n\n');
    return stream.end();
  }

  const model = { id: MODEL, object: 'model', created: MODEL_CREATED, owned_by: MODEL };

  await app.register(
    async (scope) => {
      scope.setErrorHandler(refuse);
      const common = { config: { admits: true }, onRequest: admit };
      scope.route({
        ...common,
        method: 'POST',
        url: '/chat/completions',
        bodyLimit: BODY_LIMIT,
        handler: complete,
      });
      scope.route({
        ...common,
        method: 'GET',
        url: '/models',
        handler: async () => ({ object: 'list', data: [model] }),
      });
      scope.route<{ Params: { name: string } }>({
        ...common,
        method: 'GET',
        url: '/models/:name',
        async handler({ params }) {
          assertModel(params.name);
          return model;
        },
      });
    },
    { prefix: BASE },
  );
}
