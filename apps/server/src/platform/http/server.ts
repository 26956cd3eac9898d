import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
} from 'fastify';
import { serializeError } from '../database/query-error.ts';
import { compressAnswers } from './compression.ts';
import { HttpError } from './errors.ts';
import { directivesFor, type PageSources } from './page-sources.ts';
import { readableAddress } from './unreadable-address.ts';

export interface ServerOptions {
  log: FastifyBaseLogger;
  /** Whose word on the caller's address counts; see ENGRAM_TRUST_PROXY. */
  trustProxy: string | undefined;
  /** Servers that pages may use beyond the app's own. */
  pageSources?: readonly PageSources[];
}

/** What a page may use of the device: a microphone to ask by, and the place when somebody switched it on. */
const PERMISSIONS = [
  'microphone=(self)',
  'geolocation=(self)',
  'camera=()',
  'display-capture=()',
  'usb=()',
  'serial=()',
  'hid=()',
  'midi=()',
  'magnetometer=()',
  'gyroscope=()',
  'accelerometer=()',
  'browsing-topics=()',
].join(', ');

/** Largest JSON body, in bytes. */
const BODY_LIMIT = 1_048_576;

/** How long a connection may stay silent in the middle of a call, in milliseconds. */
const SILENCE_LIMIT_MS = 300_000;

/** How long calls under way may go on when the server stops, in milliseconds. */
const STOP_GRACE_MS = 3000;

const sentences: Record<string, string> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'The request body is not valid JSON.',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'The request body has a type that this call does not take.',
  FST_ERR_CTP_BODY_TOO_LARGE: 'The request body is too large.',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The request body does not have the length it claims.',
  FST_ERR_BAD_URL: 'The address is not written correctly.',
  FST_ERR_MAX_PARAM_LENGTH: 'The address is too long.',
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
  return new HttpError(statusCode, 'invalid_request', message ?? 'The request is not valid.');
}

const tell = (error: Error, response: FastifyReply): FastifyReply => {
  const { status, headers, message, code } = describe(error);
  return response.status(status).headers(headers).send({ message, code });
};

/** Answers what is not even HTTP, or too large to be read as such. */
function refuseConnection(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return;
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
  const message =
    status === 431 ? 'The headers of the request are too large.' : 'This is not a valid request.';
  const body = JSON.stringify({ message, code: 'invalid_request' });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** A server with our errors, headers and body parsers, and no routes yet. */
export async function createHttpServer({
  log,
  trustProxy,
  pageSources = [],
}: ServerOptions): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: log.child({}, { serializers: { err: serializeError } }),
    bodyLimit: BODY_LIMIT,
    trustProxy: parseTrust(trustProxy) as boolean,
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { maxParamLength: 1500, ignoreTrailingSlash: true },
    forceCloseConnections: 'idle',
    requestTimeout: 0,
    connectionTimeout: SILENCE_LIMIT_MS,
    rewriteUrl: ({ method, url = '/' }) => readableAddress(method, url),
    frameworkErrors: (error, _request, response) => void tell(error, response),
    clientErrorHandler: refuseConnection,
  });
  // A call that hangs, such as an upload whose sender is gone, must not hold up the stop.
  app.addHook('preClose', async () => {
    setTimeout(() => app.server.closeAllConnections(), STOP_GRACE_MS).unref();
  });

  await app.register(cookie);
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        // The components put their variables into style elements; no style attribute is ever parsed.
        styleSrc: ["'self'", "'unsafe-inline'"],
        styleSrcAttr: ["'none'"],
        mediaSrc: ["'self'", 'blob:'],
        fontSrc: ["'self'", 'data:'],
        workerSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...directivesFor(pageSources),
      },
    },
    // Whether the server stands behind https is not known here.
    strictTransportSecurity: false,
    crossOriginEmbedderPolicy: false,
  });

  app.addHook('onRequest', async (_request, reply) => {
    void reply.header('permissions-policy', PERMISSIONS);
  });
  compressAnswers(app);

  // No call takes plain text, which would pass for a JSON string.
  app.removeContentTypeParser('text/plain');
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

  app.setErrorHandler((error: FastifyError, request, response) => {
    // A refusal in so many words is no failure of the server; its cause is logged where it is known.
    if (!(error instanceof HttpError) && describe(error).status >= 500) {
      request.log.error({ err: error, route: request.routeOptions.url }, 'call failed');
    }
    return tell(error, response);
  });
  return app;
}
