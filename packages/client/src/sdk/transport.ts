import {
  ConnectionFailedError,
  EngramError,
  StreamBrokenError,
  TimedOutError,
  TransportError,
} from '../errors.ts';
import type { Settings } from './settings.ts';

/** Codes of Node if nothing was sent. */
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

/** Aborts a request after some milliseconds without data. */
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

/** Passes a stream on with callbacks before and after each chunk. */
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

/** The error of a request without a response. */
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
 * A `fetch` that authorizes calls, has a timeout, and throws TransportErrors. If the caller's signal
 * aborts it, it throws the signal's reason.
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
      // Each sent chunk restarts the timeout.
      const alive = (): void => watch.arm();
      // Otherwise Node would store the whole body in memory, in case of a redirect.
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
