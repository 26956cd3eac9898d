import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Observer } from '../observability/observer.ts';

/** Names a request in its answer and, as `reqId`, in the lines that the log has of it. */
export const REQUEST_ID_HEADER = 'x-request-id';

/** What a caller may name a request: a word that fits into a header and into a line of a log. */
const SAFE = /^[A-Za-z0-9._-]{1,64}$/u;

/** The id that a caller or a proxy gave a request, where it is fit to be repeated; else a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers[REQUEST_ID_HEADER];
  return typeof given === 'string' && SAFE.test(given) ? given : randomUUID();
}

/** Names each request in its answer, and to whatever is done for it. Comes before all other hooks. */
export function nameRequests(app: FastifyInstance, observer: Pick<Observer, 'request'>): void {
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header(REQUEST_ID_HEADER, request.id);
    const { raw } = reply;
    const watched = observer.request(request, done);
    raw.once('close', () => watched.end({ status: raw.statusCode, whole: raw.writableFinished }));
  });
}
