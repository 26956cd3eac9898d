import pino, { type DestinationStream, type Logger } from 'pino';
import { serializeError } from './database/query-error.ts';
import { namesOfWork } from './observability/work.ts';

const redact = ['req.headers.authorization', 'req.headers.cookie'];

/** The request or the job that a line belongs to; the log of a request itself has its id already. */
function ofWork(log: Logger): Record<string, string> {
  const { reqId, ...names } = namesOfWork();
  return reqId === undefined || 'reqId' in log.bindings() ? names : { reqId, ...names };
}

/**
 * The log of the server: of a failed statement no line has the values, nor of a call who made it.
 * Whatever is logged for a request, wherever that is, carries the id that its answer has, and
 * whatever is logged for a job the job's.
 */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const err = (error: unknown) => (error instanceof Error ? serializeError(error) : error);
  const options = {
    level,
    redact,
    serializers: { err },
    mixin: (_fields: object, _level: number, log: Logger) => ofWork(log),
  };
  return destination ? pino(options, destination) : pino(options);
}
