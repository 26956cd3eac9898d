import pino, { type DestinationStream, type Logger } from 'pino';
import { serializeError } from './database/query-error.ts';
import { namesOfWork } from './observability/work.ts';

const redact = ['req.headers.authorization', 'req.headers.cookie'];

function ofWork(log: Logger): Record<string, string> {
  const { reqId, ...names } = namesOfWork();
  return reqId === undefined || 'reqId' in log.bindings() ? names : { reqId, ...names };
}

/** The log of the server, without values of failed statements and credentials. */
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
