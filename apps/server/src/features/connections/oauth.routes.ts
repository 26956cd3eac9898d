import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Admission } from '../../platform/http/admission.ts';
import { drainRequest } from '../../platform/http/arrival.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { keepHeaders } from '../../platform/http/event-stream.ts';
import { assertWithin, networksOf } from '../../platform/http/networks.ts';
import { MCP_PATH, type OriginOf } from '../../platform/http/hosts.ts';
import { REQUEST_ID_HEADER } from '../../platform/http/request-id.ts';
import { describeError, logRefusal } from '../../platform/http/server.ts';
import { OAUTH_ROUTES } from './authorization-server.ts';
import { SCOPES } from './client-rules.ts';
import type { Connections } from './connections.service.ts';

const SERVER_METADATA = '/.well-known/oauth-authorization-server';
const RESOURCE_METADATA = '/.well-known/oauth-protected-resource';

const BODY_LIMIT = 16_384;

const MAX_ADDRESS_LENGTH = 4096;

const MAX_UNUSED = 1000;

const TOO_MANY_PROGRAMS = 'Too many programs were registered. Please try again later.';
const TOO_MANY = 'Too many requests of programs came from your network. Please wait a moment.';

/** The requests that are stored until a user has answered them. */
const STORED = new Set<string>([OAUTH_ROUTES.authorization, OAUTH_ROUTES.device_authorization]);

/** Admits a request like any public call, and limits those that store something. */
async function admit(
  { service, registrations, requests }: Connections,
  admission: Pick<Admission, 'admitOpen'>,
  request: FastifyRequest,
): Promise<void> {
  try {
    await admission.admitOpen(request);
    const { 'content-length': length = 0, 'transfer-encoding': unknownLength } = request.headers;
    if (unknownLength !== undefined) {
      const message = 'Say how long the body is (Content-Length).';
      throw new HttpError(411, 'invalid_request', message);
    }
    if (Number(length) > BODY_LIMIT || request.url.length > MAX_ADDRESS_LENGTH) {
      throw new HttpError(413, 'invalid_request', 'The request is too large.');
    }
    const { url = '' } = request.routeOptions;
    const networks = networksOf(request);
    if (STORED.has(url)) await assertWithin(requests, networks, TOO_MANY);
    if (url === OAUTH_ROUTES.registration) {
      await assertWithin(registrations, networks, TOO_MANY_PROGRAMS);
      // The oldest are deleted for a new one, so that nobody can use up the space.
      await service.keepUnusedClients(MAX_UNUSED - 1);
    }
  } catch (error) {
    drainRequest(request.raw, BODY_LIMIT);
    throw error;
  }
}

/** An address without `response_mode`, because only the query is supported. */
function queryModeOf(address: string): string {
  const [path = '', query] = address.split('?', 2);
  if (query === undefined) return address;
  const params = new URLSearchParams(query);
  params.delete('response_mode');
  return `${path}?${params}`;
}

/** An error in the form of OAuth (RFC 6749, 5.2), with Engram's own fields. */
function refuse(error: FastifyError | HttpError, request: FastifyRequest, reply: FastifyReply) {
  const { status, headers, code, message } = describeError(error);
  logRefusal(error, request);
  const oauthError = status < 500 && status !== 429 ? 'invalid_request' : 'temporarily_unavailable';
  return reply
    .status(status)
    .headers(headers)
    .send({ error: oauthError, error_description: message, message, code });
}

/** Mounts the authorization server and its metadata, and no other route of the library. */
export async function mountAuthorizationServer(
  app: FastifyInstance,
  connections: Connections,
  originOf: OriginOf,
  admission: Pick<Admission, 'admitOpen'>,
): Promise<void> {
  /**
   * Passes an admitted request to the library. Its forwarded headers are replaced, so that the library
   * knows the caller and the origin as this server does, and the response gets this server's headers.
   */
  const passOn = async (
    request: FastifyRequest,
    reply: FastifyReply,
    path: string | undefined,
  ): Promise<void> => {
    const origin = originOf(request);
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
    await connections.server.answer(origin, networks, raw, reply.raw);
  };

  await app.register(async (scope) => {
    scope.setErrorHandler(refuse);
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    const rules = {
      config: { admits: true },
      onRequest: (request: FastifyRequest) => admit(connections, admission, request),
    };
    const bind = (method: 'GET' | 'POST' | 'OPTIONS', url: string, path?: string): void => {
      const handler = (request: FastifyRequest, reply: FastifyReply) =>
        passOn(request, reply, path);
      scope.route({ ...rules, method, url, handler });
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
      // For apps that take the MCP endpoint for the issuer.
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
