import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Admission } from '../../platform/http/admission.ts';
import { drainRequest } from '../../platform/http/arrival.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { copyHeaders } from '../../platform/http/event-stream.ts';
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

const MAX_UNUSED_APPS = 1000;

const TOO_MANY_APPS = 'Too many apps were registered. Please try again later.';
const TOO_MANY_REQUESTS = 'Your network sent too many app requests. Please wait a moment.';

const STORED = new Set<string>([OAUTH_ROUTES.authorization, OAUTH_ROUTES.device_authorization]);

/** Admits a request as a public call, and limits requests that are stored. */
async function admit(
  { service, registrations, requests }: Connections,
  admission: Pick<Admission, 'admitOpen'>,
  request: FastifyRequest,
): Promise<void> {
  try {
    await admission.admitOpen(request);
    const { 'content-length': length = 0, 'transfer-encoding': unknownLength } = request.headers;
    if (unknownLength !== undefined) {
      throw new HttpError(411, 'invalid_request', 'The request needs a Content-Length.');
    }
    if (Number(length) > BODY_LIMIT || request.url.length > MAX_ADDRESS_LENGTH) {
      throw new HttpError(413, 'invalid_request', 'The request is too large.');
    }
    const { url = '' } = request.routeOptions;
    const networks = networksOf(request);
    if (STORED.has(url)) await assertWithin(requests, networks, TOO_MANY_REQUESTS);
    if (url === OAUTH_ROUTES.registration) {
      await assertWithin(registrations, networks, TOO_MANY_APPS);
      // A new app replaces the oldest unused one, so that nobody can fill the table.
      await service.deleteUnusedClients(MAX_UNUSED_APPS - 1);
    }
  } catch (error) {
    drainRequest(request.raw, BODY_LIMIT);
    throw error;
  }
}

/** Removes `response_mode` from an address, because only 'query' is supported. */
function withoutResponseMode(address: string): string {
  const [path = '', query] = address.split('?', 2);
  if (query === undefined) return address;
  const params = new URLSearchParams(query);
  params.delete('response_mode');
  return `${path}?${params}`;
}

function refuse(error: FastifyError | HttpError, request: FastifyRequest, reply: FastifyReply) {
  const { status, headers, code, message } = describeError(error);
  logRefusal(error, request);
  const oauthError = status < 500 && status !== 429 ? 'invalid_request' : 'temporarily_unavailable';
  return reply
    .status(status)
    .headers(headers)
    .send({ error: oauthError, error_description: message, message, code });
}

export async function mountAuthorizationServer(
  app: FastifyInstance,
  connections: Connections,
  originOf: OriginOf,
  admission: Pick<Admission, 'admitOpen'>,
): Promise<void> {
  /** Passes an admitted request to the library, with forwarded headers set by this server. */
  const forward = async (
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
    raw.url = path ?? withoutResponseMode(request.url);
    copyHeaders(reply);
    reply.hijack();
    await connections.server.handle(origin, networks, raw, reply.raw);
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
        forward(request, reply, path);
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
      // For apps that use the MCP endpoint as the issuer.
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
