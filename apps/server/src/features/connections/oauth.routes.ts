import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Admission } from '../../platform/http/admission.ts';
import { drainRequest } from '../../platform/http/arrival.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { keepHeaders } from '../../platform/http/keep-headers.ts';
import { assertWithin, networksOf } from '../../platform/http/networks.ts';
import { MCP_PATH, type OriginOf } from '../../platform/http/origin.ts';
import { REQUEST_ID_HEADER } from '../../platform/http/request-id.ts';
import { describeError, logRefusal } from '../../platform/http/server.ts';
import type { Limit } from '../../platform/limits/limit.ts';
import { type AuthorizationServer, OAUTH_ROUTES } from './authorization-server.ts';
import type { ConnectionsRepository } from './connections.repository.ts';
import { SCOPES } from './resources.ts';

export interface AuthorizationMountOptions {
  server: AuthorizationServer;
  /** Programs that one network may register: anybody may, and most of them are never used. */
  registrations: Limit;
  keepUnusedClients: ConnectionsRepository['keepUnusedClients'];
  /** Requests of programs that one network may leave with us: each is kept for a while. */
  requests: Limit;
  originOf: OriginOf;
  /** Calls to it count as any other that is open to everybody. */
  admission: Pick<Admission, 'admitOpen'>;
}

const SERVER_METADATA = '/.well-known/oauth-authorization-server';
const RESOURCE_METADATA = '/.well-known/oauth-protected-resource';

/** Largest request of a program, in bytes. */
const BODY_LIMIT = 16_384;

/** Longest address of a program's request, in letters. */
const LONGEST_ADDRESS = 4096;

const tooLarge = (): HttpError =>
  new HttpError(413, 'invalid_request', 'The request is too large.');

const noLength = (): HttpError =>
  new HttpError(411, 'invalid_request', 'Say how long the body is (Content-Length).');

/** Programs that are kept without anybody having let them in; a day takes these away, too. */
const MOST_UNUSED = 1000;

const TOO_MANY_PROGRAMS = 'Too many programs were registered. Please try again later.';
const TOO_MANY = 'Too many requests of programs came from your network. Please wait a moment.';

/** The requests that are kept until somebody has answered them. */
const KEPT = new Set<string>([OAUTH_ROUTES.authorization, OAUTH_ROUTES.device_authorization]);

/** Lets a request in as any other open call is, and counts those that register something. */
async function admit(
  { registrations, requests, keepUnusedClients, admission }: AuthorizationMountOptions,
  request: FastifyRequest,
): Promise<void> {
  try {
    await admission.admitOpen(request);
    const { 'content-length': length = 0, 'transfer-encoding': unknownLength } = request.headers;
    if (unknownLength !== undefined) throw noLength();
    if (Number(length) > BODY_LIMIT || request.url.length > LONGEST_ADDRESS) throw tooLarge();
    const { url = '' } = request.routeOptions;
    const networks = networksOf(request);
    if (KEPT.has(url)) await assertWithin(requests, networks, TOO_MANY);
    if (url === OAUTH_ROUTES.registration) {
      await assertWithin(registrations, networks, TOO_MANY_PROGRAMS);
      // The oldest go for a new one, so that nobody keeps others out.
      await keepUnusedClients(MOST_UNUSED - 1);
    }
  } catch (error) {
    drainRequest(request.raw, BODY_LIMIT);
    throw error;
  }
}

/** An address without a wish for another way back than the query, which is the only one there is. */
function queryModeOf(address: string): string {
  const [path = '', query] = address.split('?', 2);
  if (query === undefined) return address;
  const params = new URLSearchParams(query);
  params.delete('response_mode');
  return `${path}?${params}`;
}

/** Says why nothing was done, in the words of OAuth (RFC 6749, chapter 5.2) beside our own. */
function refuse(error: FastifyError | HttpError, request: FastifyRequest, reply: FastifyReply) {
  const { status, headers, code, message } = describeError(error);
  logRefusal(error, request);
  const told = status < 500 && status !== 429 ? 'invalid_request' : 'temporarily_unavailable';
  return reply
    .status(status)
    .headers(headers)
    .send({ error: told, error_description: message, message, code });
}

/**
 * Hands a request over that was let in. The library is told by whom and where it was reached as we know
 * it, whatever the caller's headers say; what we answer every request with stands on its answer too.
 */
async function handOver(
  { server, originOf }: AuthorizationMountOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  path?: string,
): Promise<void> {
  const origin = originOf(request);
  // Before the headers are made to say what we know.
  const networks = networksOf(request);
  const { host, protocol } = new URL(origin);
  const { raw } = request;
  Object.assign(raw.headers, {
    host,
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.slice(0, -1),
    'x-forwarded-for': request.ip,
  });
  raw.url = path ?? queryModeOf(request.url);
  keepHeaders(reply);
  reply.hijack();
  await server.answer(origin, networks, raw, reply.raw);
}

/**
 * Binds the authorization server (OAuth 2.1) and the metadata by which programs find it. Of what the
 * library could answer nothing else can be reached.
 */
export async function mountAuthorizationServer(
  app: FastifyInstance,
  options: AuthorizationMountOptions,
): Promise<void> {
  const { originOf } = options;
  await app.register(async (scope) => {
    // The library reads bodies itself, within bounds of its own and of what arrives at all.
    scope.setErrorHandler(refuse);
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    const rules = {
      config: { admits: true },
      onRequest: (request: FastifyRequest) => admit(options, request),
    };
    const bind = (method: 'GET' | 'POST' | 'OPTIONS', url: string, path?: string): void => {
      scope.route({
        ...rules,
        method,
        url,
        handler: (request, reply) => handOver(options, request, reply, path),
      });
    };
    bind('GET', OAUTH_ROUTES.authorization);
    bind('GET', `${OAUTH_ROUTES.authorization}/:uid`);
    bind('POST', OAUTH_ROUTES.registration);
    for (const name of ['token', 'revocation', 'device_authorization'] as const) {
      bind('POST', OAUTH_ROUTES[name]);
      bind('OPTIONS', OAUTH_ROUTES[name]);
    }
    for (const method of ['GET', 'OPTIONS'] as const) {
      bind(method, SERVER_METADATA);
      // Where a program looks that takes the endpoint for the issuer.
      bind(method, SERVER_METADATA + MCP_PATH, SERVER_METADATA);
    }
    for (const resource of ['', MCP_PATH]) {
      scope.get(RESOURCE_METADATA + resource, rules, async (request, reply) => {
        const origin = originOf(request);
        void reply.headers({
          'access-control-allow-origin': '*',
          'access-control-expose-headers': REQUEST_ID_HEADER,
        });
        return {
          resource: origin + resource,
          authorization_servers: [origin],
          scopes_supported: SCOPES,
          bearer_methods_supported: ['header'],
          resource_name: 'Engram',
        };
      });
    }
  });
}
