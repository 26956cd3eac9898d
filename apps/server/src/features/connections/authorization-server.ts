import { createHmac, createPrivateKey } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import {
  type Adapter,
  type Configuration,
  errors,
  interactionPolicy,
  type JWK,
  type KoaContextWithOIDC,
  Provider,
} from 'oidc-provider';
import type { Limit } from '../../platform/limits/limit.ts';
import { serializeError } from '../../platform/database/query-error.ts';
import { countFor, type Network } from '../../platform/http/networks.ts';
import { REQUEST_ID_HEADER } from '../../platform/http/request-id.ts';
import { POLLING_SECONDS } from './connections.repository.ts';
import { DEVICE_GRANT, redirectFault, settleProgram } from './program-rules.ts';
import { hashOfToken } from './record-ids.ts';
import { audienceOf, DEFAULT_SCOPE, SCOPES, scopesIn } from './resources.ts';

/** Addresses of the authorization server. The device's is a page of the web app. */
export const OAUTH_ROUTES = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  device_authorization: '/oauth/device',
  code_verification: '/device',
} as const;

const EXPOSED_HEADERS = 'access-control-expose-headers';

/** Where somebody is sent whose browser came with a request that leads nowhere. */
export const REFUSED_PAGE = '/connect/refused';

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

/** How long what is issued lives, in seconds. */
const TTL = {
  AuthorizationCode: MINUTE,
  AccessToken: 60 * MINUTE,
  /** From its last rotation. */
  RefreshToken: 60 * DAY,
  DeviceCode: 10 * MINUTE,
  Interaction: 30 * MINUTE,
  /** After it the person is asked again. */
  Grant: 365 * DAY,
  Session: 30 * MINUTE,
};

/** Bounds of how long a program's own metadata is taken for current, in seconds. */
const METADATA_AGE = { min: 5 * MINUTE, max: DAY };

const MOST_METADATA_BYTES = 16_384;

/** Issuers that are remembered where no public address is set: one for each name of the server. */
const MOST_ISSUERS = 8;

export interface AuthorizationServerOptions {
  secret: string;
  adapter: (kind: string) => Adapter;
  /** Whether a device, by the hash of its code, asks too often. */
  isPolledTooSoon: (device: string) => Promise<boolean>;
  /** Fetches the metadata of programs, from nowhere but the open internet. */
  fetchMetadata: typeof globalThis.fetch;
  /** Documents that one network may have fetched. */
  fetches: Limit;
  /** Whether there is such an account. */
  isAccount: (userId: string) => Promise<boolean>;
  log: Pick<FastifyBaseLogger, 'error'>;
}

/** Nothing is given without a person's yes to this very request. */
function createPolicy(): interactionPolicy.Prompt[] {
  const { Check, Prompt } = interactionPolicy;
  const consent = new Check(
    'consent_missing',
    'the person is asked each time',
    'consent_required',
    ({ oidc }) => !oidc.result?.consent,
  );
  return [
    new Prompt({ name: 'login', requestable: true }),
    new Prompt({ name: 'consent', requestable: true }, consent),
  ];
}

/** A page for somebody in a browser, JSON for a program; the library's own pages are never shown. */
function answerError(ctx: KoaContextWithOIDC, out: { error: string }): void {
  const isBrowser = ctx.method === 'GET' && ctx.accepts('json', 'html') === 'html';
  if (!isBrowser) {
    ctx.body = out;
    return;
  }
  // The code alone, for which the page has its own words: what a link says is not put in our mouth.
  ctx.status = 303;
  ctx.redirect(`${REFUSED_PAGE}?error=${encodeURIComponent(out.error)}`);
}

/**
 * Anybody can register a program and its address. A request that fails before its user has answered
 * leads to a page of Engram, so that no link to Engram redirects elsewhere (RFC 9700, 4.11.2).
 */
function keepErrorHere(ctx: KoaContextWithOIDC): void {
  const target = ctx.response.get('location') ?? '';
  const leadsAway = ctx.oidc?.route === 'authorization' && target !== '' && !target.startsWith('/');
  if (!leadsAway) return;
  const error = URL.parse(target)?.searchParams.get('error') ?? 'invalid_request';
  ctx.remove('location');
  ctx.status = 400;
  answerError(ctx, { error });
}

const unused = (): never => {
  throw new Error('The web app has these pages.');
};

/** What stands before the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410). */
const ED25519_PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * The library wants a key for ID tokens. None are issued, and tokens are opaque, so that nothing is
 * signed by it; it is this server's own all the same, and the same after each start.
 */
function signingKey(secret: string): JWK {
  const seed = createHmac('sha256', secret).update('connections:signing').digest();
  const key = Buffer.concat([ED25519_PKCS8, seed]);
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' }).export({ format: 'jwk' }) as JWK;
}

/** What the requests under way count for. */
type Asking = WeakMap<IncomingMessage, readonly Network[]>;

function configure(
  options: AuthorizationServerOptions,
  origin: string,
  asking: Asking,
): Configuration {
  const { secret, adapter, isAccount, fetches, fetchMetadata } = options;
  const isAsking = ({ oidc }: KoaContextWithOIDC): boolean =>
    oidc.route === 'authorization' || oidc.route === 'device_authorization';

  /** The scopes of a resource. A request without a scope is for reading, and writing includes it. */
  const resourceInfo = (ctx: KoaContextWithOIDC, named: string) => {
    const audience = audienceOf(named, origin);
    if (audience === undefined) {
      throw new errors.InvalidTarget('this server issues tokens for itself alone');
    }
    const { params } = ctx.oidc;
    if (params && isAsking(ctx)) {
      const asked = String(params['scope'] ?? DEFAULT_SCOPE);
      if (scopesIn(asked).length === 0) throw new errors.InvalidScope('unknown scope', asked);
      params['scope'] = [...new Set([DEFAULT_SCOPE, ...asked.split(' ')])].join(' ');
    }
    return { scope: SCOPES.join(' '), audience, accessTokenTTL: TTL.AccessToken };
  };

  return {
    adapter,
    clientAuthMethods: ['none'],
    // A program that is a page calls from where it is sent back to.
    clientBasedCORS: (_ctx, from, { redirectUris = [] }) =>
      redirectUris.some((uri) => URL.parse(uri)?.origin === from),
    clientDefaults: {
      grant_types: ['authorization_code'],
      id_token_signed_response_alg: 'EdDSA',
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    clockTolerance: 0,
    conformIdTokenClaims: false,
    cookies: {
      keys: [createHmac('sha256', secret).update('connections:cookies').digest('base64url')],
      names: {
        session: 'engram_oauth',
        interaction: 'engram_connect',
        resume: 'engram_connect_resume',
      },
      long: { httpOnly: true, sameSite: 'lax', path: '/oauth', signed: true },
      short: { httpOnly: true, sameSite: 'lax', signed: true },
    },
    expiresWithSession: () => false,
    extraClientMetadata: {
      properties: ['software_id'],
      validator(_ctx, _key, _value, metadata) {
        const fault = redirectFault(metadata);
        if (fault !== null) throw new errors.InvalidClientMetadata(fault);
        settleProgram(metadata);
      },
    },
    features: {
      claimsParameter: { enabled: false },
      clientCredentials: { enabled: false },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        cacheDuration: METADATA_AGE,
        // Outside of a request there is nobody to count it for: a person's answer to one.
        allowFetch: async (ctx) =>
          (await countFor(fetches, (ctx && asking.get(ctx.req)) ?? [])) === 0,
      },
      deviceFlow: {
        enabled: true,
        charset: 'base-20',
        mask: '****-****',
        deviceInfo: () => ({}),
        userCodeInputSource: unused,
        userCodeConfirmSource: unused,
        successSource: unused,
      },
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: async (_ctx, _client, oneOf) => oneOf ?? origin,
        getResourceServerInfo: resourceInfo,
      },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
    },
    fetch: (url, init) => fetchMetadata(url, init as RequestInit),
    fetchResponseBodyLimits: { 'client_id metadata document': MOST_METADATA_BYTES },
    findAccount: async (_ctx, sub) =>
      (await isAccount(sub)) ? { accountId: sub, claims: () => ({ sub }) } : undefined,
    interactions: {
      policy: createPolicy(),
      // Its cookie belongs to this address, under which the consent's calls are; it leads to the page.
      url: (_ctx, { uid }) => `/v1/connect/${uid}`,
    },
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    jwks: { keys: [signingKey(secret)] },
    async loadExistingGrant({ oidc }) {
      const grantId = oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : oidc.provider.Grant.find(grantId);
    },
    pkce: { required: () => true },
    renderError: answerError,
    responseTypes: ['code'],
    revokeGrantPolicy: () => true,
    rotateRefreshToken: () => true,
    routes: OAUTH_ROUTES,
    scopes: [...SCOPES, 'offline_access'],
    // Nothing that a program names is fetched but its own metadata.
    sectorIdentifierUriValidate: () => false,
    ttl: TTL,
  };
}

/** What of the library's metadata (RFC 8414) is true here: it is no OpenID provider. */
function metadataOf(body: Record<string, unknown>): Record<string, unknown> {
  const told = [
    'issuer',
    'authorization_endpoint',
    'token_endpoint',
    'device_authorization_endpoint',
    'registration_endpoint',
    'revocation_endpoint',
    'grant_types_supported',
    'response_types_supported',
    'code_challenge_methods_supported',
    'token_endpoint_auth_methods_supported',
    'authorization_response_iss_parameter_supported',
    'client_id_metadata_document_supported',
  ];
  const kept = Object.fromEntries(told.map((name) => [name, body[name]]));
  return {
    ...kept,
    response_modes_supported: ['query'],
    scopes_supported: [...SCOPES, 'offline_access'],
    revocation_endpoint_auth_methods_supported: body['token_endpoint_auth_methods_supported'],
  };
}

/** What the library leaves out: a pace for devices, and metadata of what is there alone. */
async function complete(ctx: KoaContextWithOIDC, options: AuthorizationServerOptions) {
  const body = ctx.body as Record<string, unknown> | undefined;
  if (!ctx.oidc || typeof body !== 'object') return;
  const { route, params } = ctx.oidc;
  if (route === 'discovery') ctx.body = metadataOf(body);
  if (route === 'device_authorization' && ctx.status === 200) body['interval'] = POLLING_SECONDS;
  const isPending = route === 'token' && body['error'] === 'authorization_pending';
  if (isPending && params?.['grant_type'] === DEVICE_GRANT) {
    const device = hashOfToken(String(params['device_code']));
    if (await options.isPolledTooSoon(device)) {
      ctx.body = { error: 'slow_down', error_description: 'wait five seconds more each time' };
    }
  }
}

/** The authorization server (OAuth 2.1) of each address under which this server is reached. */
export function createAuthorizationServer(options: AuthorizationServerOptions) {
  const providers = new LRUCache<string, Provider>({ max: MOST_ISSUERS });
  const asking: Asking = new WeakMap();

  const create = (origin: string): Provider => {
    const provider = new Provider(origin, configure(options, origin, asking));
    // Where it is reached is told by what hands requests over, and by nothing that a caller sends.
    provider.proxy = true;
    provider.use(async (ctx, next) => {
      await next();
      keepErrorHere(ctx as KoaContextWithOIDC);
      await complete(ctx as KoaContextWithOIDC, options);
      // A page on another site that reads the answer can then say which one it was.
      if (ctx.response.get('access-control-allow-origin'))
        ctx.append(EXPOSED_HEADERS, REQUEST_ID_HEADER);
    });
    provider.on('server_error', (_ctx, error) => {
      options.log.error({ err: serializeError(error) }, 'an authorization failed');
    });
    return provider;
  };

  /** The one of an address. */
  const of = (origin: string): Provider => {
    const provider = providers.get(origin) ?? create(origin);
    providers.set(origin, provider);
    return provider;
  };

  return {
    of,

    /** Answers a request to an address; what it has us fetch counts for the networks that it came by. */
    answer(
      origin: string,
      networks: readonly Network[],
      request: IncomingMessage,
      response: ServerResponse,
    ): Promise<void> {
      asking.set(request, networks);
      return of(origin).callback()(request, response);
    },
  };
}

export type AuthorizationServer = ReturnType<typeof createAuthorizationServer>;
