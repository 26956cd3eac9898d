import {
  API_KEY_HEADER,
  type BodyOf,
  type DataIn,
  FRESH_CODE_NEEDED,
  FRESH_MINUTES,
  isReading,
  type ParamsOf,
  type QueryOf,
  type RouteDefinition,
} from '@engram/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Courtesy } from './courtesy.ts';
import { HttpError, tooManyRequests } from './errors.ts';
import { describeIssue, storableText, UNCLEAR } from './input.ts';
import { createKeyGuard } from './key-guard.ts';
import { type PagedList, replyInPages } from './paged-answer.ts';

/** Who a call was made by, as its token or its API key tells. */
export interface Caller {
  userId: string;
  email: string;
  role: 'USER' | 'ADMIN';
  /** Null where an API key opened the call. */
  sessionId: string | null;
  /** Null where a session opened the call. */
  apiKeyId: string | null;
  /** Whether an API key that only reads opened it. */
  readOnly: boolean;
  /** When the person last proved who they are; null where an API key opened the call. */
  provenAt: Date | null;
  /** What the session was opened with, as that said; null where it did not. */
  device: string | null;
}

export interface Call<R extends RouteDefinition> {
  params: ParamsOf<R>;
  query: QueryOf<R>;
  /** Undefined for uploads, whose parts the handler reads as they arrive. */
  body: R['kind'] extends 'upload' ? undefined : BodyOf<R>;
  caller: R['auth'] extends 'public' ? null : Caller;
  ip: string;
  request: FastifyRequest;
  reply: FastifyReply;
}

export interface Reply<R extends RouteDefinition> {
  data: DataIn<R>;
  message?: string;
  nextCursor?: string | null;
  total?: number;
}

/** What a list may answer where all of it is asked for. */
type Paged<R extends RouteDefinition> = DataIn<R> extends (infer Row)[] ? PagedList<Row> : never;

/** `json` and `upload` answer an envelope; the other kinds write their reply themselves. */
type Handled<R extends RouteDefinition> = R['kind'] extends 'json' | 'upload'
  ? Reply<R> | (R['list'] extends true ? Paged<R> : never)
  : R['kind'] extends 'events'
    ? Reply<R> | FastifyReply
    : FastifyReply | string;

const isPaged = (answer: unknown): answer is PagedList =>
  typeof answer === 'object' && answer !== null && 'pages' in answer;

export type Handler<R extends RouteDefinition> = (call: Call<R>) => Promise<Handled<R>>;

export interface MountOptions {
  app: FastifyInstance;
  /** Answers who a token belongs to; throws a 401 otherwise. */
  authenticate: (request: FastifyRequest) => Promise<Caller>;
  /** Answers who an API key belongs to; throws a 401 otherwise. */
  authenticateKey: (apiKey: string) => Promise<Caller>;
  /** Seconds until the person or the address may call again; 0 when they may now. */
  limit: (key: string) => number;
  /** The same for each API key, beside its person's limit. */
  limitKey: (apiKeyId: string) => number;
  /** The same for the calls of an address whose API key is none; a cost of 0 only asks. */
  limitWrongKeys: (ip: string, cost?: 0 | 1) => number;
  now: () => Date;
  /** Checks each answer against the contract, so that a test fails where they differ. */
  checkAnswers: boolean;
  /** Where calls are counted that a person waits for. */
  courtesy: Courtesy;
}

export type Mount = <R extends RouteDefinition>(route: R, handler: Handler<R>) => void;

/**
 * Parses a value that came from outside, into text that a database can store.
 * @throws HttpError 400 with a sentence about the first thing that is wrong.
 */
export function parseInput<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  // As it came, since an address with a NUL is another address; and as it is kept, since a question
  // of nothing but NULs is none.
  let data: z.output<S> | undefined;
  for (const reading of [value, storableText(value)]) {
    const parsed = schema.safeParse(reading, { error: describeIssue });
    if (!parsed.success) {
      throw new HttpError(400, 'invalid_request', parsed.error.issues[0]?.message ?? UNCLEAR);
    }
    data = parsed.data;
  }
  return data as z.output<S>;
}

const keyRefused = (): HttpError =>
  new HttpError(
    403,
    'api_key_refused',
    'An API key does not open this call. Sign in, and send the token of the session.',
  );

const keyOnlyReads = (): HttpError =>
  new HttpError(
    403,
    'api_key_only_reads',
    'This API key only reads, and the call changes something. Use a key that may do both.',
  );

const freshCodeNeeded = (): HttpError =>
  new HttpError(
    403,
    FRESH_CODE_NEEDED,
    `You signed in more than ${FRESH_MINUTES} minutes ago. Please confirm with a new code that it is you.`,
  );

const twoProofs = (): HttpError =>
  new HttpError(400, 'two_credentials', 'Send either a bearer token or an API key, not both.');

/** How a call says who makes it, and whether they may. */
function createAdmission(options: Omit<MountOptions, 'app' | 'checkAnswers' | 'courtesy'>) {
  const { authenticate, authenticateKey, limit, limitKey } = options;
  const guard = createKeyGuard(options.limitWrongKeys);

  const identify = (request: FastifyRequest): Promise<Caller> => {
    const { [API_KEY_HEADER.toLowerCase()]: apiKey, authorization = '' } = request.headers;
    if (apiKey === undefined) return authenticate(request);
    // Which of two people a call is made by is not for the server to guess.
    if (/^Bearer /iu.test(authorization)) throw twoProofs();
    return guard(request.ip, String(apiKey), authenticateKey);
  };

  const assertWithinLimits = (caller: Caller | null, request: FastifyRequest): void => {
    const waits = [
      () => (caller?.apiKeyId ? limitKey(caller.apiKeyId) : 0),
      () => limit(caller ? `user:${caller.userId}` : `ip:${request.ip}`),
    ];
    for (const waitOf of waits) {
      const wait = waitOf();
      if (wait > 0) throw tooManyRequests('Too many calls. Please wait a moment.', wait);
    }
  };

  const isFresh = (caller: Caller | null): boolean =>
    !!caller?.provenAt &&
    options.now().getTime() - caller.provenAt.getTime() <= FRESH_MINUTES * 60_000;

  return {
    identify,

    async admit(route: RouteDefinition, request: FastifyRequest): Promise<Caller | null> {
      const caller = route.auth === 'public' ? null : await identify(request);
      assertWithinLimits(caller, request);
      if (caller?.apiKeyId && !route.apiKey) throw keyRefused();
      if (caller?.readOnly && !isReading(route)) throw keyOnlyReads();
      if (route.auth === 'admin' && caller?.role !== 'ADMIN') {
        throw new HttpError(403, 'admins_only', 'Only admins may do this.');
      }
      if (route.fresh && !isFresh(caller)) throw freshCodeNeeded();
      return caller;
    },
  };
}

/** Binds the contract's routes to handlers: validation, sign-in, limits and envelopes in one place. */
export function createMount(options: MountOptions): Mount {
  const { app, checkAnswers, courtesy } = options;
  const { admit, identify } = createAdmission(options);

  const check = (route: RouteDefinition, data: unknown): void => {
    if (checkAnswers && route.data) route.data.parse(data);
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

  const answer = (route: RouteDefinition, { data, message, nextCursor, total }: Reply<never>) => {
    check(route, data);
    return {
      message: message ?? route.message ?? 'OK',
      data,
      ...(nextCursor === undefined ? {} : { nextCursor }),
      ...(total === undefined ? {} : { total }),
    };
  };

  /**
   * What the caller is to hear of an unforeseen failure: that the session has ended meanwhile, where
   * it has. What it stood on is gone then, and that something broke says nothing.
   */
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
      handler: async (request, reply) => {
        const handle = async () => {
          const caller = await admit(route, request);
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
          // A reply that a handler answered with is thenable, so that awaiting it leaves nothing.
          if (result === undefined) return reply;
          if (typeof result === 'string') return result;
          if (isPaged(result)) {
            const list = checkedPages(route, result);
            await replyInPages(request, reply, route.message ?? 'OK', list);
            return reply;
          }
          return answer(route, result as Reply<never>);
        };
        // An upload is itself the work that others wait for.
        return route.kind === 'upload' ? handle() : courtesy.serve(handle);
      },
    });
  };
}
