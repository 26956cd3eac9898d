import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import { STATUS_CODES } from 'node:http';
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
} from 'fastify';
import { HttpError } from './errors.ts';

export interface ServerOptions {
  log: FastifyBaseLogger;
  /** Whose word on the caller's address counts; see ENGRAM_TRUST_PROXY. */
  trustProxy: string | undefined;
}

/** Largest JSON body, in bytes. */
const BODY_LIMIT = 1_048_576;

const sentences: Record<string, string> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'The request body is not valid JSON.',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'The request body has a type that this call does not take.',
  FST_ERR_CTP_BODY_TOO_LARGE: 'The request body is too large.',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The request body does not have the length it claims.',
};

const parseTrust = (value: string | undefined): boolean | number | string[] => {
  if (!value || value === 'false') return false;
  if (value === 'true') return true;
  return /^\d+$/u.test(value) ? Number(value) : value.split(',').map((part) => part.trim());
};

/** What an error tells the caller; anything unforeseen says nothing of the inside. */
function describe(error: FastifyError | HttpError | Error): HttpError {
  if (error instanceof HttpError) return error;
  const { statusCode = 500, code = '' } = error as FastifyError;
  if (statusCode >= 500) {
    return new HttpError(500, 'internal', 'Something went wrong on the server. Please try again.');
  }
  const message =
    sentences[code] ??
    (/JSON/u.test(error.message) ? sentences['FST_ERR_CTP_INVALID_JSON_BODY'] : undefined);
  return new HttpError(
    statusCode,
    'invalid_request',
    message ?? `${STATUS_CODES[statusCode] ?? 'The request is not valid'}.`,
  );
}

/** A server with our errors, headers and body parsers, and no routes yet. */
export async function createHttpServer({
  log,
  trustProxy,
}: ServerOptions): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: log,
    bodyLimit: BODY_LIMIT,
    trustProxy: parseTrust(trustProxy) as boolean,
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { maxParamLength: 1500, ignoreTrailingSlash: true },
    forceCloseConnections: 'idle',
    requestTimeout: 0,
  });

  await app.register(cookie);
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        mediaSrc: ["'self'", 'blob:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        workerSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    // Whether the server stands behind https is not known here.
    strictTransportSecurity: false,
    crossOriginEmbedderPolicy: false,
  });

  // Some clients announce JSON and send nothing; calls without a body take that.
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else parseJson(request, body as string, done);
  });
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body as string))),
  );

  app.setErrorHandler((error: FastifyError, request, reply) => {
    const told = describe(error);
    if (told.status >= 500) {
      request.log.error({ err: error, route: request.routeOptions.url }, 'call failed');
    }
    return reply
      .status(told.status)
      .headers(told.headers)
      .send({ message: told.message, code: told.code });
  });
  return app;
}
