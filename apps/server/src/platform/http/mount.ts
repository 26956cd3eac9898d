import {
  type BodyOf,
  type DataIn,
  type ParamsOf,
  type QueryOf,
  type RouteDefinition,
} from '@engram/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Admission, Caller } from './admission.ts';
import type { BackgroundYield } from './background-yield.ts';
import { HttpError } from './errors.ts';
import { drainRequest } from './arrival.ts';
import { type PagedList, replyInPages } from './paged-answer.ts';

export type { Caller };

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; null for a public call, and before authorization. */
    caller: Caller | null;
  }
}

export interface Call<R extends RouteDefinition> {
  params: ParamsOf<R>;
  query: QueryOf<R>;
  body: R['kind'] extends 'upload' ? undefined : BodyOf<R>;
  caller: R['auth'] extends 'public' ? null : Caller;
  ip: string;
  request: FastifyRequest;
  reply: FastifyReply;
}

interface Reply<R extends RouteDefinition> {
  data: DataIn<R>;
  message?: string;
  nextCursor?: string | null;
  total?: number;
}

/** The result of a list that is requested without a limit. */
type Paged<R extends RouteDefinition> = DataIn<R> extends (infer Row)[] ? PagedList<Row> : never;

/** `json` and `upload` return an envelope. Other kinds write their own reply. */
type Handled<R extends RouteDefinition> = R['kind'] extends 'json' | 'upload'
  ? Reply<R> | (R['list'] extends true ? Paged<R> : never)
  : R['kind'] extends 'events'
    ? Reply<R> | FastifyReply
    : FastifyReply | string;

const isPaged = (answer: unknown): answer is PagedList =>
  typeof answer === 'object' && answer !== null && 'pages' in answer;

export type Handler<R extends RouteDefinition> = (call: Call<R>) => Promise<Handled<R>>;

interface MountOptions {
  app: FastifyInstance;
  admission: Admission;
  checkResponses: boolean;
  backgroundYield: BackgroundYield;
}

export const UNCLEAR = 'The request is not valid.';

const kinds: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const units: Record<string, string> = { string: ' characters', array: ' entries', set: ' entries' };

export const describeIssue: z.core.$ZodErrorMap = (issue) => {
  const name = issue.path?.length ? `'${issue.path.join('.')}'` : 'The request body';
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return `${name} is missing.`;
      return `${name} must be ${kinds[issue.expected] ?? 'of another type'}.`;
    case 'too_small':
      return `${name} must be at least ${issue.minimum}${units[issue.origin] ?? ''}.`;
    case 'too_big':
      return `${name} must be at most ${issue.maximum}${units[issue.origin] ?? ''}.`;
    case 'invalid_value':
      return `${name} must be one of: ${issue.values.map(String).join(', ')}.`;
    case 'invalid_format':
      return `${name} has an invalid format.`;
    default:
      return `${name} is not valid.`;
  }
};

/** The maximum depth of cleaned JSON. The contract has no deeper shapes. */
const DEPTH = 6;

/** Removes characters that a database cannot store from texts: NULs and unpaired surrogates. */
export function storableText(value: unknown, depth = DEPTH): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed();
  if (typeof value !== 'object' || value === null || depth === 0) return value;
  if (Array.isArray(value)) return value.map((item) => storableText(item, depth - 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, storableText(item, depth - 1)]),
  );
}

export const BODY_LIMIT = 1_048_576;

export const MAX_DRAINED_BYTES = 1_048_576;

export type Mount = <R extends RouteDefinition>(route: R, handler: Handler<R>) => void;

/** Parses input, and removes characters that a database cannot store. @throws HttpError 400 */
export function parseInput<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  // Both the original and the stored text must be valid: an address with a NUL is another address, and a
  // question of NULs is empty.
  let data: z.output<S> | undefined;
  for (const candidate of [value, storableText(value)]) {
    const parsed = schema.safeParse(candidate, { error: describeIssue });
    if (!parsed.success) {
      throw new HttpError(400, 'invalid_request', parsed.error.issues[0]?.message ?? UNCLEAR);
    }
    data = parsed.data;
  }
  return data as z.output<S>;
}

/** Binds the contract's routes to handlers, with validation, authorization, limits and envelopes. */
export function createMount(options: MountOptions): Mount {
  const { app, admission, checkResponses, backgroundYield } = options;
  const { admit, identify } = admission;
  /** Functions that tell the background work that a call has ended. */
  const releases = new WeakMap<FastifyRequest, () => void>();

  const check = (route: RouteDefinition, data: unknown): void => {
    if (checkResponses && route.data) route.data.parse(data);
  };

  const checkedPages = (route: RouteDefinition, { pages, total }: PagedList): PagedList => ({
    total,
    pages: (async function* () {
      for await (const page of pages) {
        check(route, page);
        yield page;
      }
    })(),
  });

  const envelope = (route: RouteDefinition, { data, message, nextCursor, total }: Reply<never>) => {
    check(route, data);
    return {
      message: message ?? route.message ?? 'OK',
      data,
      ...(nextCursor === undefined ? {} : { nextCursor }),
      ...(total === undefined ? {} : { total }),
    };
  };

  /** The error for the client. An unexpected error may be due to a session that has just ended. */
  const failureOf = async (error: unknown, request: FastifyRequest): Promise<unknown> => {
    if (error instanceof HttpError) return error;
    return identify(request).then(
      () => error,
      (refusal: unknown) => (refusal instanceof HttpError ? refusal : error),
    );
  };

  return (route, handler) => {
    app.route({
      method: route.method,
      url: route.path.replaceAll(/\{(\w+)\}/gu, ':$1'),
      config: { admits: true },
      ...(route.auth === 'public' ? {} : { bodyLimit: BODY_LIMIT }),

      async onRequest(request, reply) {
        // Uploads are themselves background work.
        if (route.kind !== 'upload' && !route.probe && !route.progress) {
          const release = backgroundYield.begin();
          releases.set(request, release);
          reply.raw.once('close', release);
        }
        void reply.header('cache-control', 'no-store');
        try {
          request.caller = await admit(route, request);
        } catch (error) {
          drainRequest(request.raw, MAX_DRAINED_BYTES);
          throw error;
        }
      },

      async handler(request, reply) {
        const { caller } = request;
        try {
          const result = await handler({
            params: route.params ? parseInput(route.params, request.params) : undefined,
            query: route.query ? parseInput(route.query, request.query) : undefined,
            body:
              route.body && route.kind !== 'upload'
                ? parseInput(route.body, request.body ?? {})
                : undefined,
            caller,
            ip: request.ip,
            request,
            reply,
          } as never).catch(async (error: unknown) => {
            throw caller ? await failureOf(error, request) : error;
          });
          // Awaiting a reply returns undefined.
          if (result === undefined) return reply;
          if (typeof result === 'string') return result;
          if (!isPaged(result)) return envelope(route, result as Reply<never>);
          const list = checkedPages(route, result);
          await replyInPages(request, reply, route.message ?? 'OK', list);
          return reply;
        } finally {
          releases.get(request)?.();
        }
      },
    });
  };
}
