import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { HttpError } from './errors.ts';

export interface ArrivalBounds {
  headersMs: number;
  bodyMs: number;
  /** In each period of `uploadMs` milliseconds, at least `uploadBytes` of an upload must arrive. */
  uploadMs: number;
  uploadBytes: number;
}

/** Any usable connection exceeds 1 kB a second. A minute allows for an interruption. */
export const ARRIVAL_BOUNDS: ArrivalBounds = {
  headersMs: 20_000,
  bodyMs: 30_000,
  uploadMs: 60_000,
  uploadBytes: 60_000,
};

const tooSlow = (): HttpError =>
  new HttpError(408, 'too_slow', 'The request took too long to arrive. Please try again.', {
    connection: 'close',
  });

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Ends a request that is too slow, with a response if possible. */
function giveUp(raw: IncomingMessage, isAnswered: boolean): void {
  if (!isAnswered && raw.listenerCount('error') > 0) raw.emit('error', tooSlow());
  else raw.socket.destroy();
}

/** Ends a request whose body does not arrive in time, unless the server itself reads it slowly. */
export function boundArrival(
  { raw }: Pick<FastifyRequest, 'raw'>,
  isAnswered: () => boolean,
  { bodyMs, uploadMs, uploadBytes }: ArrivalBounds,
): void {
  const { socket } = raw;
  if (!hasBody(raw) || typeof socket.bytesRead !== 'number') return;
  const isUpload = /^multipart\//iu.test(raw.headers['content-type'] ?? '');
  let previous = socket.bytesRead;
  const check = (): void => {
    const received = socket.bytesRead - previous;
    previous = socket.bytesRead;
    if (raw.complete || raw.readableLength > 0) return;
    if (!isUpload || received < uploadBytes) giveUp(raw, isAnswered());
  };
  const timer = setInterval(check, isUpload ? uploadMs : bodyMs);
  const stop = (): void => clearInterval(timer);
  raw.once('end', stop).once('close', stop);
}

/** Reads and discards up to `maxBytes` of a refused request, so that the client gets the response. */
export function drainRequest(raw: IncomingMessage, maxBytes: number): void {
  let remaining = maxBytes;
  raw.on('data', (bytes: Buffer) => {
    remaining -= bytes.length;
    if (remaining < 0) raw.socket.destroy();
  });
}
