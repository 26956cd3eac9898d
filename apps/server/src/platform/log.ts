import pino, { type DestinationStream, type Logger } from 'pino';
import { serializeError } from './database/query-error.ts';
import { currentRequestId } from './http/request-id.ts';

const redact = ['req.headers.authorization', 'req.headers.cookie'];

/** The request that a line belongs to; the log of a request itself has it already. */
function ofRequest(log: Logger): { reqId?: string } {
  const reqId = currentRequestId();
  return reqId === undefined || 'reqId' in log.bindings() ? {} : { reqId };
}

/**
 * The log of the server: of a failed statement no line has the values, nor of a call who made it.
 * Whatever is logged for a request, wherever that is, carries the id that its answer has.
 */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const err = (error: unknown) => (error instanceof Error ? serializeError(error) : error);
  const options = {
    level,
    redact,
    serializers: { err },
    mixin: (_fields: object, _level: number, log: Logger) => ofRequest(log),
  };
  return destination ? pino(options, destination) : pino(options);
}
