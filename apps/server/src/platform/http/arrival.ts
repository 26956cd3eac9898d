import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { HttpError } from './errors.ts';

export interface ArrivalBounds {
  headersMs: number;
  bodyMs: number;
  /** Every `uploadMs` milliseconds at least `uploadBytes` of an upload must have arrived. */
  uploadMs: number;
  uploadBytes: number;
}

/** 1 kB a second is less than any usable connection. A minute allows for a tunnel. */
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

/** Ends a request that does not arrive, with a response if the client can still read it. */
function giveUp(raw: IncomingMessage, isAnswered: boolean): void {
  if (!isAnswered && raw.listenerCount('error') > 0) raw.emit('error', tooSlow());
  else raw.socket.destroy();
}

/** Ends a request whose body does not arrive in time, unless the server itself is slow to read it. */
export function boundArrival(
  { raw }: Pick<FastifyRequest, 'raw'>,
  isAnswered: () => boolean,
  { bodyMs, uploadMs, uploadBytes }: ArrivalBounds,
): void {
  const { socket } = raw;
  if (!hasBody(raw) || typeof socket.bytesRead !== 'number') return;
  const isUpload = /^multipart\//iu.test(raw.headers['content-type'] ?? '');
  let seen = socket.bytesRead;
  const look = (): void => {
    const came = socket.bytesRead - seen;
    seen = socket.bytesRead;
    if (raw.complete || raw.readableLength > 0) return;
    if (!isUpload || came < uploadBytes) giveUp(raw, isAnswered());
  };
  const timer = setInterval(look, isUpload ? uploadMs : bodyMs);
  const stop = (): void => clearInterval(timer);
  raw.once('end', stop).once('close', stop);
}

/** Discards up to `mostBytes` of a refused request, so that the client gets the reason. */
export function drainRequest(raw: IncomingMessage, mostBytes: number): void {
  let left = mostBytes;
  raw.on('data', (bytes: Buffer) => {
    left -= bytes.length;
    if (left < 0) raw.socket.destroy();
  });
}
