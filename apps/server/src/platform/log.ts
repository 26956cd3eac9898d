import pino, { type DestinationStream, type Logger } from 'pino';
import { serializeError } from './database/query-error.ts';

const redact = ['req.headers.authorization', 'req.headers.cookie'];

/** The log of the server: of a failed statement no line has the values, nor of a call who made it. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const err = (error: unknown) => (error instanceof Error ? serializeError(error) : error);
  const options = { level, redact, serializers: { err } };
  return destination ? pino(options, destination) : pino(options);
}
