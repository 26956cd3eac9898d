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
import type { OriginOf } from './origin.ts';

/** Who a call was made by, as its token or its API key tells. */
export interface Caller {
  userId: string;
  email: string;
  role: 'USER' | 'ADMIN';
  /** Null where an API key or a connected program opened the call. */
  sessionId: string | null;
  /** Null where no API key opened the call. */
  apiKeyId: string | null;
  /** Null where no connected program opened the call, by an access token. */
  connectionId: string | null;
  /** Whether what opened it only reads: such an API key, or a token without files:write. */
  readOnly: boolean;
  /** When the person last proved who they are; null where no session opened the call. */
  provenAt: Date | null;
  /** What the session was opened with, as that said; null where it did not. */
  device: string | null;
}

/** What the limits of a caller go by. */
type Counted = Pick<Caller, 'userId' | 'apiKeyId' | 'connectionId'>;

/** What a call asks of whoever makes it. */
export type Admitting = Pick<
  RouteDefinition,
  'auth' | 'apiKey' | 'fresh' | 'method' | 'reads' | 'probe'
>;

export interface AdmissionOptions {
  /** Answers who a token belongs to; throws a 401 otherwise. */
  authenticate: (request: FastifyRequest) => Promise<Caller>;
  /** Answers who an API key belongs to; throws a 401 otherwise. */
  authenticateKey: (apiKey: string) => Promise<Caller>;
  /** Whether a bearer token is an API key, as programs send it that know no other header. */
  isApiKey: (token: string) => boolean;
  /** Whether a bearer token is a connected program's, and not a session's. */
  isAccessToken: (token: string) => boolean;
  /** Answers who an access token belongs to that is for a resource; throws a 401 otherwise. */
  authenticateToken: (token: string, audience: string) => Promise<Caller>;
  originOf: OriginOf;
  limits: {
    /** Calls of a person. */
    person: Limit;
    /** Calls by an API key or a connected program, beside its person's. */
    key: Limit;
    /** Calls of a network without a token or a key, also those that are open to everybody. */
    open: Limit;
    /** Calls of a network with a token or a key that is none. */
    failed: Limit;
  };
  now: () => Date;
}

/** How many tokens and keys are remembered that were good. */
const REMEMBERED = 10_000;

const TOO_MANY = 'Too many calls. Please wait a moment.';

const TOO_MANY_FAILED =
  'Too many calls with a wrong token or API key came from your network. Please wait a moment.';

const keyRefused = (): HttpError =>
  new HttpError(
    403,
    'api_key_refused',
    'An API key does not open this call. Sign in, and send the token of the session.',
  );

const keyOnlyReads = (): HttpError =>
  new HttpError(
    403,
    'api_key_only_reads',
    'This API key only reads, and the call changes something. Use a key that may do both.',
  );

const tokenRefused = (): HttpError =>
  new HttpError(
    403,
    'access_token_refused',
    'A connected program may not do this. Sign in, and do it yourself.',
  );

/** Says which scope it would take, as RFC 6750 has it. */
const tokenOnlyReads = (metadata: string): HttpError =>
  new HttpError(
    403,
    'access_token_only_reads',
    'This access token only reads, and the call changes something. Ask for files:write.',
    {
      'www-authenticate': `Bearer error="insufficient_scope", scope="files:write", resource_metadata="${metadata}"`,
    },
  );

const freshCodeNeeded = (): HttpError =>
  new HttpError(
    403,
    FRESH_CODE_NEEDED,
    `You signed in more than ${FRESH_MINUTES} minutes ago. Please confirm with a new code that it is you.`,
  );

const twoProofs = (): HttpError =>
  new HttpError(400, 'two_credentials', 'Send either a bearer token or an API key, not both.');

const isRefusal = (error: unknown): error is HttpError =>
  error instanceof HttpError && error.status === 401;

interface Proof {
  /** What its caller is remembered by. */
  proof: string;
  apiKey?: string;
  bearer?: string;
}

/** What a call shows of who makes it; undefined where it shows nothing. */
function proofOf({ headers }: FastifyRequest): Proof | undefined {
  const { [API_KEY_HEADER.toLowerCase()]: apiKey, authorization = '' } = headers;
  const bearer = /^Bearer /iu.test(authorization)
    ? authorization.slice('Bearer '.length).trim()
    : undefined;
  if (apiKey === undefined)
    return bearer === undefined ? undefined : { proof: authorization, bearer };
  // Which of two people a call is made by is not for the server to guess.
  if (bearer !== undefined) throw twoProofs();
  return { proof: `key ${String(apiKey)}`, apiKey: String(apiKey) };
}

/** The metadata of a resource of this server (RFC 9728), from which a program finds what to ask. */
const metadataOf = (origin: string, resource: string): string =>
  `${origin}/.well-known/oauth-protected-resource${resource}`;

/**
 * Who makes a call, and whether they may. Limits come first: a token or a key that was good the last
 * time counts for its person before it is looked up again. Any other counts for the network that it
 * came from, which gets that back where it turns out good. So nobody's wrong ones cost more than
 * their network may have, and they keep out nobody who has called before.
 */
export function createAdmission(options: AdmissionOptions) {
  const { authenticate, authenticateKey, limits, originOf, now } = options;
  const good = new LRUCache<string, Counted>({ max: REMEMBERED });

  const isFresh = ({ provenAt }: Caller): boolean =>
    provenAt !== null && now().getTime() - provenAt.getTime() <= FRESH_MINUTES * 60_000;

  const lookUp = (request: FastifyRequest, resource: string): Promise<Caller> => {
    const { apiKey, bearer } = proofOf(request) ?? {};
    if (apiKey !== undefined) return authenticateKey(apiKey);
    if (bearer === undefined) return authenticate(request);
    // A token may begin like a key, and no key is as short as a token.
    if (options.isAccessToken(bearer)) {
      return options.authenticateToken(bearer, originOf(request) + resource);
    }
    return options.isApiKey(bearer) ? authenticateKey(bearer) : authenticate(request);
  };

  /** A refusal that tells a program where it finds out how to be let in. */
  const challenge = (error: HttpError, request: FastifyRequest, resource: string): HttpError => {
    const wrong = request.headers.authorization === undefined ? '' : 'error="invalid_token", ';
    const metadata = metadataOf(originOf(request), resource);
    return new HttpError(error.status, error.code, error.message, {
      ...error.headers,
      'www-authenticate': `Bearer ${wrong}resource_metadata="${metadata}"`,
    });
  };

  const identify = (request: FastifyRequest, resource = ''): Promise<Caller> =>
    lookUp(request, resource).catch((error: unknown) => {
      throw isRefusal(error) ? challenge(error, request, resource) : error;
    });

  const countForPerson = async ({ userId, apiKeyId, connectionId }: Counted): Promise<void> => {
    const program = apiKeyId ?? connectionId;
    const wait =
      (program === null ? 0 : await limits.key(program)) || (await limits.person(userId));
    if (wait > 0) throw tooManyRequests(TOO_MANY, wait);
  };

  const admitKnown = async (
    request: FastifyRequest,
    resource: string,
    name: string,
    known: Counted,
  ) => {
    await countForPerson(known);
    try {
      return await identify(request, resource);
    } catch (error) {
      if (isRefusal(error)) {
        good.delete(name);
        await countFor(limits.failed, networksOf(request));
      }
      throw error;
    }
  };

  const admitStranger = async (
    request: FastifyRequest,
    resource: string,
    name: string,
  ): Promise<Caller> => {
    const networks = networksOf(request);
    await assertWithin(limits.failed, networks, TOO_MANY_FAILED);
    const giveBack = () => {
      for (const { key, times } of networks) limits.failed.giveBack(key, times);
    };
    const caller = await identify(request, resource).catch((error: unknown) => {
      if (!isRefusal(error)) giveBack();
      throw error;
    });
    giveBack();
    const { userId, apiKeyId, connectionId } = caller;
    good.set(name, { userId, apiKeyId, connectionId });
    await countForPerson(caller);
    return caller;
  };

  /** Counts a call of a network that shows nothing. */
  const admitOpen = (request: FastifyRequest): Promise<void> =>
    assertWithin(limits.open, networksOf(request), TOO_MANY);

  /**
   * Who makes a call to a resource of this server, by a session, an API key or a connected program's
   * token. A token must be for that very resource (RFC 8707).
   * @param resource its path, such as '/mcp'; '' for the API, which is the origin itself
   * @throws HttpError 401 that names the resource's metadata, or 429 before anything is looked up
   */
  const admitTo = async (resource: string, request: FastifyRequest): Promise<Caller> => {
    const shown = proofOf(request);
    if (!shown) {
      await admitOpen(request);
      return identify(request, resource);
    }
    const name = hash('sha256', shown.proof, 'base64url');
    const known = good.get(name);
    return known
      ? admitKnown(request, resource, name, known)
      : admitStranger(request, resource, name);
  };

  return {
    /** @throws what tells that a call's token or key opens nothing any more; counts nothing. */
    identify,
    challenge,
    admitOpen,
    admitTo,

    /**
     * Who makes a call; null where it is open to everybody.
     * @throws HttpError 401, 403, or 429 before anything is looked up
     */
    async admit(route: Admitting, request: FastifyRequest): Promise<Caller | null> {
      if (route.auth === 'public') {
        if (!route.probe) await admitOpen(request);
        return null;
      }
      const caller = await admitTo('', request);
      if (caller.apiKeyId && !route.apiKey) throw keyRefused();
      if (caller.connectionId && !route.apiKey) throw tokenRefused();
      if (caller.readOnly && !isReading(route)) {
        throw caller.apiKeyId ? keyOnlyReads() : tokenOnlyReads(metadataOf(originOf(request), ''));
      }
      if (route.auth === 'admin' && caller.role !== 'ADMIN') {
        throw new HttpError(403, 'admins_only', 'Only admins may do this.');
      }
      if (route.fresh && !isFresh(caller)) throw freshCodeNeeded();
      return caller;
    },
  };
}

export type Admission = ReturnType<typeof createAdmission>;
