import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Observer } from '../observability/observer.ts';

/** The header with the request's id, `reqId` in the log. */
export const REQUEST_ID_HEADER = 'x-request-id';

const SAFE = /^[A-Za-z0-9._-]{1,64}$/u;

export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const header = headers[REQUEST_ID_HEADER];
  return typeof header === 'string' && SAFE.test(header) ? header : randomUUID();
}

/** Adds the id to each response, and observes the request. Must be the first hook. */
export function nameRequests(app: FastifyInstance, observer: Pick<Observer, 'request'>): void {
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header(REQUEST_ID_HEADER, request.id);
    const { raw } = reply;
    const watched = observer.request(request, done);
    raw.once('close', () => watched.end({ status: raw.statusCode, whole: raw.writableFinished }));
  });
}
