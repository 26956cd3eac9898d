import {
  ConnectionFailedError,
  EngramError,
  StreamBrokenError,
  TimedOutError,
  TransportError,
} from '../errors.ts';
import type { Settings } from './settings.ts';

/** What Node says where it has not come as far as to send anything. */
const UNSEEN = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const SLOW = new Set([
  'ETIMEDOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
]);

/** Stops a request when nothing has come or gone for some milliseconds. */
class Watch {
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

  get isOver(): boolean {
    return this.#controller.signal.aborted;
  }

  arm(): void {
    clearTimeout(this.#timer);
    if (this.#ms === null) return;
    this.#timer = setTimeout(() => this.#controller.abort(), this.#ms);
  }

  rest(): void {
    clearTimeout(this.#timer);
  }
}

/** A stream that is read through another's reader, with a word before and after each piece. */
function pass(
  body: ReadableStream<Uint8Array>,
  told: { before: () => void; after: () => void; failed: (error: unknown) => unknown },
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        told.before();
        try {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          controller.error(told.failed(error));
        } finally {
          told.after();
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

const codeOf = (error: unknown): string =>
  String((error as { cause?: { code?: unknown } } | null)?.cause?.code ?? '');

/** What went wrong before an answer came, in the words of this package. */
function beforeAnswer(error: unknown, where: string): TransportError {
  const code = codeOf(error);
  const isOffline = (globalThis.navigator as { onLine?: boolean } | undefined)?.onLine === false;
  const reached = !UNSEEN.has(code) && !isOffline;
  if (SLOW.has(code)) {
    return new TimedOutError(`${where} took too long to answer.`, { reached, cause: error });
  }
  return reached
    ? new ConnectionFailedError(`The connection to ${where} broke.`, { cause: error })
    : new ConnectionFailedError(`${where} cannot be reached.`, { reached, cause: error });
}

/**
 * A `fetch` that opens calls with the caller's key, does not wait for ever, and says what went wrong on
 * the way as a TransportError. Where the caller's own signal stops it, it ends with that reason.
 */
export const createTransport =
  ({ baseUrl, fetch, headers, timeout }: Settings): typeof globalThis.fetch =>
  async (url, init = {}) => {
    const watch = new Watch(timeout, init.signal);
    const late = (): TimedOutError => new TimedOutError(`${baseUrl} took too long to answer.`);
    const sent: RequestInit = {
      ...init,
      headers: { ...(init.headers as Record<string, string>), ...(await headers()) },
      signal: watch.signal,
    };
    if (init.body instanceof ReadableStream) {
      // While it is sent, each piece that leaves is a sign of life.
      const alive = (): void => watch.arm();
      // Node keeps a copy of a body for a redirect, which would be all of it in memory; there is none
      // where a redirect is an error and there is no window.
      Object.assign(sent, { redirect: 'error', window: null });
      sent.body = pass(init.body as ReadableStream<Uint8Array>, {
        before: alive,
        after: alive,
        failed: (error) => error,
      });
    }
    watch.arm();
    try {
      const response = await fetch(url, sent);
      if (!response.body) return response;
      const body = pass(response.body, {
        before: () => watch.arm(),
        after: () => watch.rest(),
        failed: (error) => {
          if (watch.isOver) return late();
          if (init.signal?.aborted) return init.signal.reason;
          return SLOW.has(codeOf(error))
            ? late()
            : new StreamBrokenError('The answer broke off before its end.', { cause: error });
        },
      });
      return new Response(body, response);
    } catch (error) {
      if (watch.isOver) throw late();
      init.signal?.throwIfAborted();
      throw error instanceof EngramError ? error : beforeAnswer(error, baseUrl);
    } finally {
      watch.rest();
    }
  };
