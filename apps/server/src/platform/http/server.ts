import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import { randomUUID } from 'node:crypto';
import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { serializeError } from '../database/query-error.ts';
import { ARRIVAL_BOUNDS, type ArrivalBounds } from './arrival.ts';
import { compressAnswers } from './compression.ts';
import { addRequestGuards } from './request-guards.ts';
import { HttpError } from './errors.ts';
import { isOutage } from './outage.ts';
import { directivesFor, type PageSettings } from './page-sources.ts';
import { nameRequests, REQUEST_ID_HEADER, requestIdOf } from './request-id.ts';
import { type Limit, noLimit } from '../limits/limit.ts';
import { createObserver, type Observer } from '../observability/observer.ts';
import { readableAddress } from './unreadable-address.ts';

export interface ServerOptions {
  log: FastifyBaseLogger;
  /** Whose word on the caller's address counts; see ENGRAM_TRUST_PROXY. */
  trustProxy: string | undefined;
  /** Address the server listens on; on loopback it answers under its own names alone. */
  host?: string;
  /** Address under which people reach the server; with https browsers are told to keep to it. */
  publicUrl?: string | undefined;
  /** What one network may ask for beside calls. Default: anything. */
  pages?: Limit;
  arrival?: ArrivalBounds;
  /** Connections that one network may have open. */
  connections?: number;
  pageSettings?: PageSettings;
  /** How long calls under way may go on when the server stops, in milliseconds. */
  stopGraceMs?: number;
  /** What follows requests. Default: the log alone. */
  observer?: Pick<Observer, 'request'>;
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

/** Largest body of a call that is open to everybody, and of any form without files, in bytes. */
const BODY_LIMIT = 16_384;

/** A page opens six, and an office shares an address. */
const CONNECTIONS = 512;

/** How often it is looked whether headers are late, in milliseconds. */
const LATENESS_CHECK_MS = 5000;

/** A year in seconds: how long browsers keep to https. */
const HTTPS_AGE_SECONDS = 31_536_000;

/** How long a connection may stay silent in the middle of a call, in milliseconds. */
const SILENCE_LIMIT_MS = 300_000;

const STOP_GRACE_MS = 10_000;

/** How often a stop looks for connections on which nothing goes on any more, in milliseconds. */
const IDLE_LOOK_MS = 100;

const AWAY = 'A service that Engram needs does not answer right now.';
const TOO_LARGE = 'The request body is too large.';

const sentences: Record<string, string> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'The request body is not valid JSON.',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'The request body has a type that this call does not take.',
  FST_ERR_CTP_BODY_TOO_LARGE: TOO_LARGE,
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
export function describeError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (isOutage(error)) return new HttpError(503, 'unavailable', AWAY, { 'retry-after': '10' });
  const { statusCode = 500, code = '', message: said = '' } = error as Partial<FastifyError>;
  if (statusCode >= 500) {
    return new HttpError(500, 'internal', 'Something went wrong on the server. Please try again.');
  }
  const message =
    sentences[code] ??
    (/JSON/u.test(said) ? sentences['FST_ERR_CTP_INVALID_JSON_BODY'] : undefined);
  return new HttpError(statusCode, 'invalid_request', message ?? 'The request is not valid.');
}

/**
 * Writes down that a request was not done. A refusal in so many words is no failure of the server, and
 * its cause is logged where it is known: it only helps whoever looks for one request.
 */
export function logRefusal(
  error: Error,
  { log, routeOptions: { url: route } }: Pick<FastifyRequest, 'log' | 'routeOptions'>,
): void {
  const { status, code } = describeError(error);
  if (error instanceof HttpError || status < 500) {
    log.debug({ status, code, route }, 'call refused');
  } else {
    log.error({ err: error, route }, 'call failed');
  }
}

const tell = (error: Error, response: FastifyReply): FastifyReply => {
  const { status, headers, message, code } = describeError(error);
  return response.status(status).headers(headers).send({ message, code });
};

const connectionRefusals: Record<string, { status: number; message: string }> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers of the request are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive.' },
};

/** Answers what is not even HTTP, or late, or too large to be read as such. */
function refuseConnection(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return;
  const { status, message } = connectionRefusals[error.code ?? ''] ?? {
    status: 400,
    message: 'This is not a valid request.',
  };
  const body = JSON.stringify({ message, code: 'invalid_request' });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `${REQUEST_ID_HEADER}: ${randomUUID()}\r\n` +
      `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/**
 * Ends each connection of a server that stops once its call is answered, which else would wait for the
 * next one. A call that hangs, such as an upload whose sender is gone, must not hold up the stop.
 */
function endConnections(server: Server, graceMs: number): void {
  const looks = setInterval(() => server.closeIdleConnections(), IDLE_LOOK_MS).unref();
  const limit = setTimeout(() => server.closeAllConnections(), graceMs).unref();
  server.once('close', () => {
    clearInterval(looks);
    clearTimeout(limit);
  });
}

/** A server with our errors, headers and body parsers, and no routes yet. */
export async function createHttpServer({
  log,
  trustProxy,
  host = '127.0.0.1',
  publicUrl,
  pages = noLimit,
  arrival = ARRIVAL_BOUNDS,
  connections = CONNECTIONS,
  pageSettings = {},
  stopGraceMs = STOP_GRACE_MS,
  observer = createObserver(),
}: ServerOptions): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: log.child({}, { serializers: { err: serializeError } }),
    bodyLimit: BODY_LIMIT,
    trustProxy: parseTrust(trustProxy) as boolean,
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { maxParamLength: 1500, ignoreTrailingSlash: true },
    forceCloseConnections: 'idle',
    // An upload takes as long as it makes progress: see the arrival of bodies.
    requestTimeout: 0,
    http: {
      headersTimeout: arrival.headersMs,
      connectionsCheckingInterval: Math.min(LATENESS_CHECK_MS, arrival.headersMs),
    },
    connectionTimeout: SILENCE_LIMIT_MS,
    rewriteUrl: ({ method, url = '/' }) => readableAddress(method, url),
    genReqId: requestIdOf,
    // These come before any hook.
    frameworkErrors: (error, request, response) => {
      logRefusal(error, request);
      void tell(error, response.header(REQUEST_ID_HEADER, request.id));
    },
    clientErrorHandler: refuseConnection,
  });
  app.addHook('preClose', async () => endConnections(app.server, stopGraceMs));

  app.decorateRequest('caller', null);
  nameRequests(app, observer);
  addRequestGuards(app, { log, host, publicUrl, pages, arrival, connections });
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
        ...directivesFor(pageSettings),
      },
    },
    strictTransportSecurity: publicUrl?.startsWith('https:')
      ? { maxAge: HTTPS_AGE_SECONDS, includeSubDomains: false }
      : false,
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
    (_request, body, done) => {
      if (body.length > BODY_LIMIT) done(new HttpError(413, 'invalid_request', TOO_LARGE));
      else done(null, Object.fromEntries(new URLSearchParams(body as string)));
    },
  );

  app.setErrorHandler((error: FastifyError, request, response) => {
    logRefusal(error, request);
    return tell(error, response);
  });
  return app;
}
