import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** Names a request in its answer and, as `reqId`, in the lines that the log has of it. */
export const REQUEST_ID_HEADER = 'x-request-id';

/** What a caller may name a request: a word that fits into a header and into a line of a log. */
const SAFE = /^[A-Za-z0-9._-]{1,64}$/u;

interface Current {
  id: string;
  /** Work that a request has begun may outlive it, and serve others: it is no more this one's. */
  over: boolean;
}

const current = new AsyncLocalStorage<Current>();

/** The id that a caller or a proxy gave a request, where it is fit to be repeated; else a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers[REQUEST_ID_HEADER];
  return typeof given === 'string' && SAFE.test(given) ? given : randomUUID();
}

/** The request for which the running code works; undefined where it works for none. */
export function currentRequestId(): string | undefined {
  const request = current.getStore();
  return request?.over === false ? request.id : undefined;
}

/** Names each request in its answer, and to whatever is done for it. Comes before all other hooks. */
export function nameRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const entry: Current = { id: request.id, over: false };
    reply.raw.once('close', () => {
      entry.over = true;
    });
    void reply.header(REQUEST_ID_HEADER, request.id);
    current.run(entry, done);
  });
}
