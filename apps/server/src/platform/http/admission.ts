import { hash } from 'node:crypto';
import {
  API_KEY_HEADER,
  FRESH_CODE_NEEDED,
  FRESH_MINUTES,
  isReading,
  type RouteDefinition,
} from '@engram/contract';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Limit } from '../limits/limit.ts';
import { HttpError, tooManyRequests } from './errors.ts';
import { assertWithin, countFor, networksOf } from './networks.ts';
import type { OriginOf } from './hosts.ts';

export interface Caller {
  userId: string;
  email: string;
  role: 'USER' | 'ADMIN';
  /** The credentials of the call: one of these three, the others are null. */
  sessionId: string | null;
  apiKeyId: string | null;
  connectionId: string | null;
  /** Whether the API key is read-only, or the token lacks files:write. */
  readOnly: boolean;
  /** When the user last signed in or confirmed a code; null without a session. */
  provenAt: Date | null;
  device: string | null;
}

type Counted = Pick<Caller, 'userId' | 'apiKeyId' | 'connectionId'>;

type Admitting = Pick<RouteDefinition, 'auth' | 'apiKey' | 'fresh' | 'method' | 'reads' | 'probe'>;

interface AdmissionOptions {
  /** These three throw a 401 for invalid credentials. */
  authenticate: (request: FastifyRequest) => Promise<Caller>;
  authenticateKey: (apiKey: string) => Promise<Caller>;
  authenticateToken: (token: string, audience: string) => Promise<Caller>;
  /** Whether a bearer token is an API key, because some clients support no other header. */
  isApiKey: (token: string) => boolean;
  isAccessToken: (token: string) => boolean;
  originOf: OriginOf;
  limits: {
    user: Limit;
    key: Limit;
    open: Limit;
    failed: Limit;
  };
  now: () => Date;
}

const MAX_CACHED = 10_000;

const TOO_MANY = 'Too many calls. Please wait a moment.';

const TOO_MANY_FAILED =
  'Too many calls with an invalid token or API key from your network. Please wait a moment.';

const REFUSALS = {
  api_key_refused: 'This call does not accept API keys. Sign in, and send the session token.',
  api_key_only_reads:
    'This API key is read-only, but the call changes data. Use a key with write access.',
  access_token_refused: 'Connected apps may not do this. Please sign in and do it yourself.',
  access_token_only_reads:
    'This access token is read-only, but the call changes data. Request files:write.',
  admins_only: 'Only admins may do this.',
  [FRESH_CODE_NEEDED]: `You signed in more than ${FRESH_MINUTES} minutes ago. Please confirm with a new code that it is you.`,
};

const refusal = (code: keyof typeof REFUSALS, headers?: Record<string, string>): HttpError =>
  new HttpError(403, code, REFUSALS[code], headers);

/** Names the missing scope (RFC 6750). */
const scopeNeeded = (metadata: string) => ({
  'www-authenticate': `Bearer error="insufficient_scope", scope="files:write", resource_metadata="${metadata}"`,
});

const isUnauthorized = (error: unknown): error is HttpError =>
  error instanceof HttpError && error.status === 401;

function credentialsOf({ headers }: FastifyRequest): { apiKey?: string; bearer?: string } {
  const { [API_KEY_HEADER.toLowerCase()]: apiKey, authorization = '' } = headers;
  const bearer = /^Bearer /iu.test(authorization) ? authorization.slice('Bearer '.length) : null;
  // They may belong to different users.
  if (apiKey !== undefined && bearer !== null) {
    const message = 'Send either a bearer token or an API key, not both.';
    throw new HttpError(400, 'two_credentials', message);
  }
  if (apiKey !== undefined) return { apiKey: String(apiKey) };
  return bearer === null ? {} : { bearer: bearer.trim() };
}

const metadataOf = (origin: string, resource: string): string =>
  `${origin}/.well-known/oauth-protected-resource${resource}`;

/**
 * Authenticates and authorizes calls, with rate limits before any lookup. Credentials that were valid in the
 * last call count for their user, all others for the network until they prove valid. So invalid ones use up
 * only the network's limit, and do not lock out known callers.
 */
export function createAdmission(options: AdmissionOptions) {
  const { authenticate, authenticateKey, limits, originOf, now } = options;
  const valid = new LRUCache<string, Counted>({ max: MAX_CACHED });

  const isFresh = ({ provenAt }: Caller): boolean =>
    provenAt !== null && now().getTime() - provenAt.getTime() <= FRESH_MINUTES * 60_000;

  const challenge = (error: HttpError, request: FastifyRequest, resource: string): HttpError => {
    const invalid = request.headers.authorization === undefined ? '' : 'error="invalid_token", ';
    const metadata = metadataOf(originOf(request), resource);
    return new HttpError(error.status, error.code, error.message, {
      ...error.headers,
      'www-authenticate': `Bearer ${invalid}resource_metadata="${metadata}"`,
    });
  };

  const identify = async (request: FastifyRequest, resource = ''): Promise<Caller> => {
    const { apiKey, bearer } = credentialsOf(request);
    try {
      if (apiKey !== undefined) return await authenticateKey(apiKey);
      // A token may begin like an API key, but keys are longer.
      if (bearer !== undefined && options.isAccessToken(bearer)) {
        return await options.authenticateToken(bearer, originOf(request) + resource);
      }
      if (bearer !== undefined && options.isApiKey(bearer)) return await authenticateKey(bearer);
      return await authenticate(request);
    } catch (error) {
      throw isUnauthorized(error) ? challenge(error, request, resource) : error;
    }
  };

  const countForUser = async ({ userId, apiKeyId, connectionId }: Counted): Promise<void> => {
    const program = apiKeyId ?? connectionId;
    const wait = (program === null ? 0 : await limits.key(program)) || (await limits.user(userId));
    if (wait > 0) throw tooManyRequests(TOO_MANY, wait);
  };

  const admitOpen = (request: FastifyRequest): Promise<void> =>
    assertWithin(limits.open, networksOf(request), TOO_MANY);

  /**
   * Authenticates a call to a resource of this server. A token must be for that resource (RFC 8707).
   * @param resource its path, such as '/mcp'; '' for the API
   * @throws HttpError 401 with the resource's metadata, or 429 before any lookup
   */
  const admitTo = async (resource: string, request: FastifyRequest): Promise<Caller> => {
    const { apiKey, bearer } = credentialsOf(request);
    if (apiKey === undefined && bearer === undefined) {
      await admitOpen(request);
      return identify(request, resource);
    }
    const cacheKey = hash('sha256', JSON.stringify({ apiKey, bearer }), 'base64url');
    const known = valid.get(cacheKey);
    const networks = networksOf(request);
    const giveBack = () => {
      for (const { key, times } of networks) limits.failed.giveBack(key, times);
    };
    if (known) await countForUser(known);
    else await assertWithin(limits.failed, networks, TOO_MANY_FAILED);
    const caller = await identify(request, resource).catch(async (error: unknown) => {
      if (known && isUnauthorized(error)) {
        valid.delete(cacheKey);
        await countFor(limits.failed, networks);
      }
      if (!known && !isUnauthorized(error)) giveBack();
      throw error;
    });
    if (known) return caller;
    giveBack();
    const { userId, apiKeyId, connectionId } = caller;
    valid.set(cacheKey, { userId, apiKeyId, connectionId });
    await countForUser(caller);
    return caller;
  };

  return {
    /** Authenticates a call without counting it. @throws HttpError 401 */
    identify,
    challenge,
    admitOpen,
    admitTo,

    /** Authorizes a call; null for a public one. @throws HttpError 401, 403 or 429 */
    async admit(route: Admitting, request: FastifyRequest): Promise<Caller | null> {
      if (route.auth === 'public') {
        if (!route.probe) await admitOpen(request);
        return null;
      }
      const caller = await admitTo('', request);
      if (caller.apiKeyId && !route.apiKey) throw refusal('api_key_refused');
      if (caller.connectionId && !route.apiKey) throw refusal('access_token_refused');
      if (caller.readOnly && !isReading(route)) {
        if (caller.apiKeyId) throw refusal('api_key_only_reads');
        const metadata = metadataOf(originOf(request), '');
        throw refusal('access_token_only_reads', scopeNeeded(metadata));
      }
      if (route.auth === 'admin' && caller.role !== 'ADMIN') {
        throw refusal('admins_only');
      }
      if (route.fresh && !isFresh(caller)) throw refusal(FRESH_CODE_NEEDED);
      return caller;
    },
  };
}

export type Admission = ReturnType<typeof createAdmission>;
