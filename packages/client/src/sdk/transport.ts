import {
  ConnectionFailedError,
  EngramError,
  StreamBrokenError,
  TimedOutError,
  TransportError,
} from '../errors.ts';
import type { Settings } from './settings.ts';

/** Codes of Node for requests that were not sent. */
const NOT_SENT = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const TIMED_OUT = new Set([
  'ETIMEDOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
]);

/** Aborts a request after some milliseconds without data. */
class IdleTimeout {
  readonly #controller = new AbortController();
  readonly #ms: number | null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly signal: AbortSignal;

  constructor(ms: number | null, signal?: AbortSignal | null) {
    this.#ms = ms;
    this.signal = signal
      ? AbortSignal.any([signal, this.#controller.signal])
      : this.#controller.signal;
  }

  get hasExpired(): boolean {
    return this.#controller.signal.aborted;
  }

  start(): void {
    clearTimeout(this.#timer);
    if (this.#ms === null) return;
    this.#timer = setTimeout(() => this.#controller.abort(), this.#ms);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

/** A copy of a stream with callbacks before and after each read. */
function observe(
  body: ReadableStream<Uint8Array>,
  hooks: { before: () => void; after: () => void; toError: (error: unknown) => unknown },
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        hooks.before();
        try {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          controller.error(hooks.toError(error));
        } finally {
          hooks.after();
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

const codeOf = (error: unknown): string =>
  String((error as { cause?: { code?: unknown } } | null)?.cause?.code ?? '');

/** The error of a request without a response. */
function toTransportError(error: unknown, server: string): TransportError {
  const code = codeOf(error);
  const isOffline = (globalThis.navigator as { onLine?: boolean } | undefined)?.onLine === false;
  const reached = !NOT_SENT.has(code) && !isOffline;
  if (TIMED_OUT.has(code)) {
    return new TimedOutError(`${server} took too long to answer.`, { reached, cause: error });
  }
  return reached
    ? new ConnectionFailedError(`The connection to ${server} broke.`, { cause: error })
    : new ConnectionFailedError(`${server} cannot be reached.`, { reached, cause: error });
}

/**
 * A `fetch` that authorizes calls, has a timeout, and throws TransportErrors. If the caller's signal
 * aborts it, it throws the signal's reason.
 */
export const createTransport =
  ({ baseUrl, fetch, headers, timeout }: Settings): typeof globalThis.fetch =>
  async (url, init = {}) => {
    const idle = new IdleTimeout(timeout, init.signal);
    const timedOut = (): TimedOutError => new TimedOutError(`${baseUrl} took too long to answer.`);
    const sent: RequestInit = {
      ...init,
      headers: { ...(init.headers as Record<string, string>), ...(await headers()) },
      signal: idle.signal,
    };
    if (init.body instanceof ReadableStream) {
      const restart = (): void => idle.start();
      // Otherwise Node would store the whole body in memory, in case of a redirect.
      Object.assign(sent, { redirect: 'error', window: null });
      sent.body = observe(init.body as ReadableStream<Uint8Array>, {
        before: restart,
        after: restart,
        toError: (error) => error,
      });
    }
    idle.start();
    try {
      const response = await fetch(url, sent);
      if (!response.body) return response;
      const body = observe(response.body, {
        before: () => idle.start(),
        after: () => idle.stop(),
        toError: (error) => {
          if (idle.hasExpired) return timedOut();
          if (init.signal?.aborted) return init.signal.reason;
          return TIMED_OUT.has(codeOf(error))
            ? timedOut()
            : new StreamBrokenError('The answer was cut off.', { cause: error });
        },
      });
      return new Response(body, response);
    } catch (error) {
      if (idle.hasExpired) throw timedOut();
      init.signal?.throwIfAborted();
      throw error instanceof EngramError ? error : toTransportError(error, baseUrl);
    } finally {
      idle.stop();
    }
  };
