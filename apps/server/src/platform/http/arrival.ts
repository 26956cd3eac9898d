import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { HttpError } from './errors.ts';

/** How fast what is sent must arrive. */
export interface ArrivalBounds {
  /** The line and the headers of a request, in milliseconds. */
  headersMs: number;
  /** A body that is no form with files, in milliseconds. */
  bodyMs: number;
  /** How often an upload is looked at, in milliseconds. */
  uploadMs: number;
  /** Bytes of an upload that must have come between two looks. */
  uploadBytes: number;
}

/** 1 kB a second is less than any line that works; a minute bears a tunnel. */
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

/** Ends a request that does not arrive: with an answer where somebody still reads it. */
function giveUp(raw: IncomingMessage, isAnswered: boolean): void {
  if (!isAnswered && raw.listenerCount('error') > 0) raw.emit('error', tooSlow());
  else raw.socket.destroy();
}

/**
 * Bounds how long a request's body may take: whole, or between two looks at an upload's progress.
 * While the server itself does not get on with reading it, nobody is late.
 */
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

/**
 * Reads and discards the rest of a refused request, so that its client gets the reason. Beyond
 * `mostBytes` the connection is closed.
 */
export function drainRequest(raw: IncomingMessage, mostBytes: number): void {
  let left = mostBytes;
  raw.on('data', (bytes: Buffer) => {
    left -= bytes.length;
    if (left < 0) raw.socket.destroy();
  });
}
