import type { BodyOf, Callable, DataOf, Envelope, OneFileRoute, InputOf } from '@engram/contract';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { z } from 'zod';
import {
  APIError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  GoneError,
  InsufficientStorageError,
  NotFoundError,
  PaymentRequiredError,
  PermissionDeniedError,
  RangeNotSatisfiableError,
  RateLimitError,
  ServerError,
  ServiceUnavailableError,
  TooLargeError,
  UnsupportedTypeError,
} from './errors.ts';
import type { FormRequest } from './multipart.ts';

export interface UploadFile {
  name: string;
  content: Blob;
}

export interface SendOptions {
  signal?: AbortSignal;
  /** Whether a browser completes the call after its page is closed. For bodies up to 64 KB. */
  keepalive?: boolean;
}

export interface UploadOptions extends SendOptions {
  /** The sent share of the bytes, 0 to 1. */
  onProgress?: (share: number) => void;
}

/** Sends a form and reports how much of it has been sent, which `fetch` cannot. */
export type Uploader = (
  url: string,
  init: { headers: Record<string, string>; body: FormData } & UploadOptions,
) => Promise<Response>;

interface ClientOptions {
  /** Origin plus '/v1', or just '/v1' in a browser. */
  baseUrl: string;
  token?: () => string | null;
  fetch?: typeof fetch;
  uploader?: Uploader;
  /** Called after the response 401 to a call with a token. */
  onUnauthorized?: () => void;
}

type EventOf<R> = R extends { events?: infer E extends Record<string, z.ZodType> }
  ? { [K in keyof E]: { event: K; data: z.output<E[K]> } }[keyof E]
  : never;

interface LooseInput {
  params?: Record<string, unknown> | undefined;
  query?: Record<string, unknown> | undefined;
  body?: unknown;
}

/** The path of a route with its parameters and query filled in. */
function buildPath(route: Callable, input: LooseInput): string {
  const path = route.path.replaceAll(/\{(\w+)\}/gu, (_, name: string) =>
    encodeURIComponent(String(input.params?.[name] ?? '')),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== null) query.set(name, String(value));
  }
  return query.size > 0 ? `${path}?${query}` : path;
}

function formOf(partName: string, files: readonly UploadFile[], fields: object = {}): FormData {
  const form = new FormData();
  // Fields go first, so that the server knows them when the files' bytes arrive.
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) form.append(name, String(value));
  }
  for (const file of files) form.append(partName, file.content, file.name);
  return form;
}

export interface Client {
  /** A `json` or `events` route, answered as JSON. */
  call<R extends Callable>(
    route: R,
    input: InputOf<R>,
    options?: SendOptions,
  ): Promise<Envelope<DataOf<R>>>;
  /** An `events` route, answered event by event. */
  stream<R extends Callable>(
    route: R,
    input: InputOf<R>,
    options?: SendOptions,
  ): AsyncGenerator<EventOf<R>>;
  /** An `upload` route. */
  upload<R extends Callable>(
    route: R,
    files: readonly UploadFile[],
    body: Partial<Record<keyof BodyOf<R>, string>>,
    options?: UploadOptions,
  ): Promise<Envelope<DataOf<R>>>;
  /** Any route, with a body that the caller built. Returns the open response. */
  send(route: Callable, request: FormRequest, options?: SendOptions): Promise<Response>;
  /** A route that takes one file (`filePart`) and returns text. */
  sendFile(route: OneFileRoute, file: UploadFile, options?: UploadOptions): Promise<string>;
  /** A `text` route. */
  text<R extends Callable>(route: R, input: InputOf<R>, options?: SendOptions): Promise<string>;
  /** A `file` route. The body of the response is the bytes. */
  file<R extends Callable>(
    route: R,
    input: InputOf<R>,
    options?: SendOptions & { range?: string },
  ): Promise<Response>;
}

const BY_STATUS: ReadonlyMap<number, typeof APIError> = new Map([
  [400, BadRequestError],
  [401, AuthenticationError],
  [402, PaymentRequiredError],
  [403, PermissionDeniedError],
  [404, NotFoundError],
  [409, ConflictError],
  [410, GoneError],
  [413, TooLargeError],
  [415, UnsupportedTypeError],
  [416, RangeNotSatisfiableError],
  [429, RateLimitError],
  [503, ServiceUnavailableError],
  [507, InsufficientStorageError],
]);

/** Retry-After in milliseconds. It is sent as seconds or as a date. */
function parseRetryAfter(value: string | null): number | null {
  if (value === null) return null;
  const seconds = Number(value);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(wait) && wait > 0 ? wait : null;
}

/** The error of a response whose status is not 2xx. Reads its body. */
async function errorOf(response: Response): Promise<APIError> {
  const body = (await response.json().catch(() => null)) as {
    message?: string;
    code?: string;
  } | null;
  const { status, headers } = response;
  const Kind = BY_STATUS.get(status) ?? (status >= 500 ? ServerError : APIError);
  const wait = parseRetryAfter(headers.get('retry-after'));
  return new Kind(status, body, wait, headers.get('x-request-id'));
}

interface Exchange extends UploadOptions {
  accept: 'application/json' | 'text/plain' | 'text/event-stream' | '*/*';
  headers?: Record<string, string>;
  body?: FormRequest['body'];
}

/** A typed client of the API. A status other than 2xx throws an {@link APIError}. */
export function createClient(options: ClientOptions): Client {
  const { token, fetch: send = (input, init) => fetch(input, init) } = options;

  const exchange = async (
    route: Callable,
    { params, query, body: json }: LooseInput,
    { accept, headers: more, body, ...sending }: Exchange,
  ): Promise<Response> => {
    const bearer = token?.();
    const headers = {
      accept,
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...more,
      ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
    };
    const url = options.baseUrl + buildPath(route, { params, query });
    const response =
      options.uploader && body instanceof FormData
        ? await options.uploader(url, { headers, body, ...sending })
        : await send(url, {
            method: route.method,
            headers,
            body: json === undefined ? (body ?? null) : JSON.stringify(json),
            signal: sending.signal ?? null,
            keepalive: sending.keepalive ?? false,
            // fetch requires it for streamed bodies.
            duplex: 'half',
          } as RequestInit);
    if (response.ok) return response;
    if (response.status === 401 && bearer) options.onUnauthorized?.();
    throw await errorOf(response);
  };

  return {
    call: async (route, input, sending) =>
      (await exchange(route, input, { accept: 'application/json', ...sending })).json() as never,

    async *stream(route, input, sending) {
      const response = await exchange(route, input, { accept: 'text/event-stream', ...sending });
      if (!response.body) throw new APIError(response.status, { message: 'The answer is empty.' });
      const reader = (response.body as ReadableStream<Uint8Array<ArrayBuffer>>)
        .pipeThrough(new TextDecoderStream())
        .pipeThrough(new EventSourceParserStream())
        .getReader();
      try {
        for (let next = await reader.read(); !next.done; next = await reader.read()) {
          const { event, data } = next.value;
          yield { event: event ?? 'message', data: JSON.parse(data) as unknown } as never;
        }
      } finally {
        // A caller that stops listening also stops the server's work.
        await reader.cancel().catch(() => undefined);
      }
    },

    upload: async (route, files, fields, sending) => {
      const body = formOf('files', files, fields);
      const answer = await exchange(route, {}, { accept: 'application/json', body, ...sending });
      return answer.json() as never;
    },

    send: (route, form, sending) =>
      exchange(route, {}, { accept: 'application/json', ...form, ...sending }),

    sendFile: async (route, file, sending) => {
      const body = formOf(route.filePart, [file]);
      return (await exchange(route, {}, { accept: 'text/plain', body, ...sending })).text();
    },

    text: async (route, input, sending) =>
      (await exchange(route, input, { accept: 'text/plain', ...sending })).text(),

    file: (route, input, { range, ...sending } = {}) =>
      exchange(route, input, {
        accept: '*/*',
        ...sending,
        ...(range ? { headers: { range } } : {}),
      }),
  };
}
