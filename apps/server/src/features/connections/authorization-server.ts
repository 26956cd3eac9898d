import { createHmac, createPrivateKey } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sql } from 'drizzle-orm';
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
import type { Core } from '../../composition/core.ts';
import type { Database } from '../../platform/database/database.ts';
import { serializeError } from '../../platform/database/query-error.ts';
import { countFor, type Network } from '../../platform/http/networks.ts';
import { REQUEST_ID_HEADER } from '../../platform/http/request-id.ts';
import {
  audienceOf,
  DEFAULT_SCOPE,
  DEVICE_GRANT,
  normalizeClient,
  redirectFault,
  SCOPES,
  scopesIn,
} from './client-rules.ts';
import { hashOfToken } from './record-adapter.ts';

/** The routes of the authorization server. The code verification is a page of the web app. */
export const OAUTH_ROUTES = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  device_authorization: '/oauth/device',
  code_verification: '/device',
} as const;

const EXPOSED_HEADERS = 'access-control-expose-headers';

const EXTENSION_ORIGIN = /^(?:chrome|moz)-extension:\/\//u;

const REFUSED_PAGE = '/connect/refused';

/** In seconds, as the library expects. */
const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

const TTL = {
  AuthorizationCode: MINUTE,
  AccessToken: 60 * MINUTE,
  /** Since its last rotation. */
  RefreshToken: 60 * DAY,
  DeviceCode: 10 * MINUTE,
  Interaction: 30 * MINUTE,
  /** After this time the user must consent again. */
  Grant: 365 * DAY,
  Session: 30 * MINUTE,
};

/** How long an app's metadata document is cached, in seconds. */
const METADATA_AGE = { min: 5 * MINUTE, max: DAY };

const MAX_METADATA_BYTES = 16_384;

const MAX_ISSUERS = 8;

/** Fetches of metadata documents per network: one every ten seconds, in bursts of up to 30. */
const METADATA_RATE = { perSecond: 0.1, burst: 30 };

/** The minimum time between two polls of a device, in seconds. It grows after each early poll. */
const POLLING_SECONDS = 5;

/** Whether a device polls too often. Each early poll adds five seconds (RFC 8628, 3.5). */
export async function isPolledTooSoon(
  { db }: Pick<Database, 'db'>,
  device: string,
  time: Date,
): Promise<boolean> {
  const { rows } = await db.execute<{ tooSoon: boolean }>(sql`
    WITH last AS (
      SELECT id, coalesce(poll_seconds, ${POLLING_SECONDS}) AS seconds,
        coalesce(polled_at + coalesce(poll_seconds, ${POLLING_SECONDS}) * interval '1 second'
          > ${time}, false) AS too_soon
      FROM oauth_records WHERE kind = 'DeviceCode' AND id = ${device} FOR UPDATE)
    UPDATE oauth_records AS device SET polled_at = ${time},
      poll_seconds = last.seconds + CASE WHEN last.too_soon THEN ${POLLING_SECONDS} ELSE 0 END
    FROM last WHERE device.kind = 'DeviceCode' AND device.id = last.id
    RETURNING last.too_soon AS "tooSoon"`);
  return rows[0]?.tooSoon ?? false;
}

function createPolicy(): interactionPolicy.Prompt[] {
  const { Check, Prompt } = interactionPolicy;
  const consent = new Check(
    'consent_missing',
    'the user must consent each time',
    'consent_required',
    ({ oidc }) => !oidc.result?.consent,
  );
  return [
    new Prompt({ name: 'login', requestable: true }),
    new Prompt({ name: 'consent', requestable: true }, consent),
  ];
}

/** Sends browsers to a page of the web app. Other clients get JSON. */
function renderError(ctx: KoaContextWithOIDC, out: { error: string }): void {
  const isBrowser = ctx.method === 'GET' && ctx.accepts('json', 'html') === 'html';
  if (!isBrowser) {
    ctx.body = out;
    return;
  }
  // Only the error code, so that a link cannot put its own text on the page.
  ctx.status = 303;
  ctx.redirect(`${REFUSED_PAGE}?error=${encodeURIComponent(out.error)}`);
}

/**
 * Anyone can register an app with a redirect URI. Requests that fail before the user's decision lead to a
 * page of Engram, so that Engram is not an open redirector (RFC 9700, 4.11.2).
 */
function showErrorLocally(ctx: KoaContextWithOIDC): void {
  const target = ctx.response.get('location') ?? '';
  const leadsAway = ctx.oidc?.route === 'authorization' && target !== '' && !target.startsWith('/');
  if (!leadsAway) return;
  const error = URL.parse(target)?.searchParams.get('error') ?? 'invalid_request';
  ctx.remove('location');
  ctx.status = 400;
  renderError(ctx, { error });
}

const unused = (): never => {
  throw new Error('The web app has these pages.');
};

/** The PKCS #8 header of a 32-byte Ed25519 key (RFC 8410). */
const ED25519_PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The library requires a key for ID tokens, although the server does not issue any. */
function signingKey(secret: string): JWK {
  const seed = createHmac('sha256', secret).update('connections:signing').digest();
  const key = Buffer.concat([ED25519_PKCS8, seed]);
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' }).export({ format: 'jwk' }) as JWK;
}

function configure(
  { config: { secret }, storage }: Core,
  adapter: (kind: string) => Adapter,
  fetchMetadata: typeof globalThis.fetch,
  mayFetch: (request: IncomingMessage | undefined) => Promise<boolean>,
  origin: string,
): Configuration {
  const isAuthorizing = ({ oidc }: KoaContextWithOIDC): boolean =>
    oidc.route === 'authorization' || oidc.route === 'device_authorization';

  /** The scopes of a resource. files:write includes files:read, which is the default. */
  const resourceInfo = (ctx: KoaContextWithOIDC, resource: string) => {
    const audience = audienceOf(resource, origin);
    if (audience === undefined) {
      throw new errors.InvalidTarget('this server issues tokens only for itself');
    }
    const { params } = ctx.oidc;
    if (params && isAuthorizing(ctx)) {
      const scope = String(params['scope'] ?? DEFAULT_SCOPE);
      if (scopesIn(scope).length === 0) throw new errors.InvalidScope('unknown scope', scope);
      params['scope'] = [...new Set([DEFAULT_SCOPE, ...scope.split(' ')])].join(' ');
    }
    return { scope: SCOPES.join(' '), audience, accessTokenTTL: TTL.AccessToken };
  };

  return {
    adapter,
    clientAuthMethods: ['none'],
    // An app in a browser calls from the origin of its redirect URI. An extension has none, and the
    // browser lets it call this server only if its user has permitted that.
    clientBasedCORS: (_ctx, from, { redirectUris = [] }) =>
      redirectUris.length === 0
        ? EXTENSION_ORIGIN.test(from)
        : redirectUris.some((uri) => URL.parse(uri)?.origin === from),
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
        normalizeClient(metadata);
      },
    },
    features: {
      claimsParameter: { enabled: false },
      clientCredentials: { enabled: false },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        cacheDuration: METADATA_AGE,
        allowFetch: async (ctx) => mayFetch(ctx?.req),
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
    fetchResponseBodyLimits: { 'client_id metadata document': MAX_METADATA_BYTES },
    findAccount: async (_ctx, sub) =>
      (await storage.emailOf(sub)) !== undefined
        ? { accountId: sub, claims: () => ({ sub }) }
        : undefined,
    interactions: {
      policy: createPolicy(),
      // The interaction's cookie is set for this path, which all calls of the consent page share.
      url: (_ctx, { uid }) => `/v1/connect/${uid}`,
    },
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    jwks: { keys: [signingKey(secret)] },
    async loadExistingGrant({ oidc }) {
      const grantId = oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : oidc.provider.Grant.find(grantId);
    },
    pkce: { required: () => true },
    renderError,
    responseTypes: ['code'],
    revokeGrantPolicy: () => true,
    rotateRefreshToken: () => true,
    routes: OAUTH_ROUTES,
    scopes: [...SCOPES, 'offline_access'],
    sectorIdentifierUriValidate: () => false,
    ttl: TTL,
  };
}

/** The library's metadata (RFC 8414) without OpenID Connect, which is not supported. */
function metadataOf(body: Record<string, unknown>): Record<string, unknown> {
  const names = [
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
  const supported = Object.fromEntries(names.map((name) => [name, body[name]]));
  return {
    ...supported,
    response_modes_supported: ['query'],
    scopes_supported: [...SCOPES, 'offline_access'],
    revocation_endpoint_auth_methods_supported: body['token_endpoint_auth_methods_supported'],
  };
}

/** An OAuth 2.1 authorization server for each address of this server. */
export function createAuthorizationServer(
  core: Core,
  adapter: (kind: string) => Adapter,
  fetchMetadata: typeof globalThis.fetch,
) {
  const { storage, limits, log, now } = core;
  const fetches = limits.limitOf('fetched metadata', METADATA_RATE);
  const networksOf = new WeakMap<IncomingMessage, readonly Network[]>();

  // The user's decision is not a request of the app, so a fetch for it is not counted.
  const mayFetch = async (request: IncomingMessage | undefined): Promise<boolean> =>
    (await countFor(fetches, (request && networksOf.get(request)) ?? [])) === 0;

  /** Adds the polling interval of devices, and the metadata of enabled features, to responses. */
  const completeResponse = async (ctx: KoaContextWithOIDC): Promise<void> => {
    const body = ctx.body as Record<string, unknown> | undefined;
    if (!ctx.oidc || typeof body !== 'object') return;
    const { route, params } = ctx.oidc;
    if (route === 'discovery') ctx.body = metadataOf(body);
    if (route === 'device_authorization' && ctx.status === 200) body['interval'] = POLLING_SECONDS;
    const isPending = route === 'token' && body['error'] === 'authorization_pending';
    if (!isPending || params?.['grant_type'] !== DEVICE_GRANT) return;
    const device = hashOfToken(String(params['device_code']));
    if (await isPolledTooSoon(storage.database, device, now())) {
      ctx.body = { error: 'slow_down', error_description: 'wait five seconds more each time' };
    }
  };

  const create = (origin: string): Provider => {
    const configuration = configure(core, adapter, fetchMetadata, mayFetch, origin);
    const provider = new Provider(origin, configuration);
    // Forwarded headers are trusted because oauth.routes.ts sets them.
    provider.proxy = true;
    provider.use(async (ctx, next) => {
      await next();
      showErrorLocally(ctx as KoaContextWithOIDC);
      await completeResponse(ctx as KoaContextWithOIDC);
      // Allows pages of other sites to read the request ID.
      if (ctx.response.get('access-control-allow-origin'))
        ctx.append(EXPOSED_HEADERS, REQUEST_ID_HEADER);
    });
    provider.on('server_error', (_ctx, error) => {
      log.error({ err: serializeError(error) }, 'an authorization failed');
    });
    return provider;
  };

  const providers = new LRUCache<string, Provider>({ max: MAX_ISSUERS, memoMethod: create });

  return {
    providerFor: (origin: string): Provider => providers.memo(origin),

    /** Handles a request. Its metadata fetches count against the networks. */
    handle(
      origin: string,
      networks: readonly Network[],
      request: IncomingMessage,
      response: ServerResponse,
    ): Promise<void> {
      networksOf.set(request, networks);
      return providers.memo(origin).callback()(request, response);
    },
  };
}
