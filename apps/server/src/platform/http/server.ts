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
import { ARRIVAL_BOUNDS } from './arrival.ts';
import { compressResponses } from './compression.ts';
import { addRequestGuards, type RequestGuardOptions } from './request-guards.ts';
import { HttpError, isOutage } from './errors.ts';
import { nameRequests, REQUEST_ID_HEADER, requestIdOf } from './request-id.ts';
import { noLimit } from '../limits/limit.ts';
import { createObserver, type Observer } from '../observability/observer.ts';
import { readableAddress } from './web-app.ts';

export interface ServerOptions extends Partial<RequestGuardOptions> {
  log: FastifyBaseLogger;
  trustProxy: string | undefined;
  pageSettings?: PageSettings;
  stopGraceMs?: number;
  observer?: Pick<Observer, 'request'>;
}

export interface PageSettings {
  payments?: string;
  contactPosition?: object | undefined;
}

/** Hosts that Stripe documents for its script and embedded checkout. */
const STRIPE_SCRIPTS = [
  'https://js.stripe.com',
  'https://*.js.stripe.com',
  'https://checkout.stripe.com',
];
const STRIPE = 'https://*.stripe.com';

const MAP = 'https://www.openstreetmap.org';

function directivesFor({ payments, contactPosition }: PageSettings) {
  const isStripe = payments === 'stripe';
  const stripe = isStripe ? [STRIPE] : [];
  const frames = [...stripe, ...(contactPosition ? [MAP] : [])];
  return {
    scriptSrc: ["'self'", ...(isStripe ? STRIPE_SCRIPTS : [])],
    connectSrc: ["'self'", ...stripe],
    imgSrc: ["'self'", 'data:', 'blob:', ...stripe],
    ...(frames.length > 0 ? { frameSrc: ["'self'", ...frames] } : {}),
  };
}

/** The device features that pages may use. */
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

/** Maximum body of a public call and of a form without files, in bytes. */
const BODY_LIMIT = 16_384;

/** Per network. A browser opens six, and an office shares an address. */
const CONNECTIONS = 512;

const TIMEOUT_CHECK_MS = 5000;

const HTTPS_AGE_SECONDS = 365 * 86_400;

const IDLE_TIMEOUT_MS = 300_000;

const STOP_GRACE_MS = 10_000;

const IDLE_CHECK_MS = 100;

const OUTAGE = 'A service that Engram needs is unreachable right now.';
const TOO_LARGE = 'The request body is too large.';

const sentences: Record<string, string> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'The request body is not valid JSON.',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'This call does not accept the content type of the request body.',
  FST_ERR_CTP_BODY_TOO_LARGE: TOO_LARGE,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH:
    'The length of the request body differs from its content-length.',
  FST_ERR_BAD_URL: 'The address is malformed.',
  FST_ERR_MAX_PARAM_LENGTH: 'The address is too long.',
};

const parseTrust = (value: string | undefined): boolean | number | string[] => {
  if (!value || value === 'false') return false;
  if (value === 'true') return true;
  return /^\d+$/u.test(value) ? Number(value) : value.split(',').map((part) => part.trim());
};

/** The error for the client, without details of unexpected errors. */
export function describeError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (isOutage(error)) return new HttpError(503, 'unavailable', OUTAGE, { 'retry-after': '10' });
  const { statusCode = 500, code = '', message: original = '' } = error as Partial<FastifyError>;
  if (statusCode >= 500) {
    return new HttpError(500, 'internal', 'Something went wrong on the server. Please try again.');
  }
  const message =
    sentences[code] ??
    (/JSON/u.test(original) ? sentences['FST_ERR_CTP_INVALID_JSON_BODY'] : undefined);
  return new HttpError(statusCode, 'invalid_request', message ?? 'The request is not valid.');
}

/** Logs a failed request. Refusals are logged at debug level only. */
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

const sendError = (error: Error, response: FastifyReply): FastifyReply => {
  const { status, headers, message, code } = describeError(error);
  return response.status(status).headers(headers).send({ message, code });
};

const connectionRefusals: Record<string, { status: number; message: string }> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers of the request are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive.' },
};

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

function endConnections(server: Server, graceMs: number): void {
  const checks = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS).unref();
  const limit = setTimeout(() => server.closeAllConnections(), graceMs).unref();
  server.once('close', () => {
    clearInterval(checks);
    clearTimeout(limit);
  });
}

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
    // Uploads have no timeout while they make progress: see `boundArrival`.
    requestTimeout: 0,
    http: {
      headersTimeout: arrival.headersMs,
      connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_MS, arrival.headersMs),
    },
    connectionTimeout: IDLE_TIMEOUT_MS,
    rewriteUrl: ({ method, url = '/' }) => readableAddress(method, url),
    genReqId: requestIdOf,
    // These errors occur before any hook.
    frameworkErrors: (error, request, response) => {
      logRefusal(error, request);
      void sendError(error, response.header(REQUEST_ID_HEADER, request.id));
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
        // Components add style elements with their variables, but no style attributes.
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
  compressResponses(app);

  // Plain text would be parsed as a JSON string.
  app.removeContentTypeParser('text/plain');
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
    return sendError(error, response);
  });
  return app;
}
