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
import { HttpError, tooManyRequests } from './errors.ts';
import { countFor, type Network, networksOf } from './networks.ts';
import type { Limit } from './token-bucket.ts';

/** Who a call was made by, as its token or its API key tells. */
export interface Caller {
  userId: string;
  email: string;
  role: 'USER' | 'ADMIN';
  /** Null where an API key opened the call. */
  sessionId: string | null;
  /** Null where a session opened the call. */
  apiKeyId: string | null;
  /** Whether an API key that only reads opened it. */
  readOnly: boolean;
  /** When the person last proved who they are; null where an API key opened the call. */
  provenAt: Date | null;
  /** What the session was opened with, as that said; null where it did not. */
  device: string | null;
}

/** What the limits of a caller go by. */
type Counted = Pick<Caller, 'userId' | 'apiKeyId'>;

/** What a call asks of whoever makes it. */
export type Admitting = Pick<RouteDefinition, 'auth' | 'apiKey' | 'fresh' | 'method' | 'reads'>;

export interface AdmissionOptions {
  /** Answers who a token belongs to; throws a 401 otherwise. */
  authenticate: (request: FastifyRequest) => Promise<Caller>;
  /** Answers who an API key belongs to; throws a 401 otherwise. */
  authenticateKey: (apiKey: string) => Promise<Caller>;
  limits: {
    /** Calls of a person. */
    person: Limit;
    /** Calls by an API key, beside its person's. */
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

const freshCodeNeeded = (): HttpError =>
  new HttpError(
    403,
    FRESH_CODE_NEEDED,
    `You signed in more than ${FRESH_MINUTES} minutes ago. Please confirm with a new code that it is you.`,
  );

const twoProofs = (): HttpError =>
  new HttpError(400, 'two_credentials', 'Send either a bearer token or an API key, not both.');

const isRefusal = (error: unknown): boolean => error instanceof HttpError && error.status === 401;

/** @throws HttpError 429 where a network has too many. */
function assertWithin(limit: Limit, networks: readonly Network[], message: string): void {
  const wait = countFor(limit, networks);
  if (wait > 0) throw tooManyRequests(message, wait);
}

/** What a call shows of who makes it; undefined where it shows nothing. */
function proofOf({ headers }: FastifyRequest): { proof: string; apiKey?: string } | undefined {
  const { [API_KEY_HEADER.toLowerCase()]: apiKey, authorization = '' } = headers;
  const hasToken = /^Bearer /iu.test(authorization);
  if (apiKey === undefined) return hasToken ? { proof: authorization } : undefined;
  // Which of two people a call is made by is not for the server to guess.
  if (hasToken) throw twoProofs();
  return { proof: `key ${String(apiKey)}`, apiKey: String(apiKey) };
}

/**
 * Who makes a call, and whether they may. Limits come first: a token or a key that was good the last
 * time counts for its person before it is looked up again. Any other counts for the network that it
 * came from, which gets that back where it turns out good. So nobody's wrong ones cost more than
 * their network may have, and they keep out nobody who has called before.
 */
export function createAdmission({ authenticate, authenticateKey, limits, now }: AdmissionOptions) {
  const good = new LRUCache<string, Counted>({ max: REMEMBERED });

  const isFresh = ({ provenAt }: Caller): boolean =>
    provenAt !== null && now().getTime() - provenAt.getTime() <= FRESH_MINUTES * 60_000;

  const identify = (request: FastifyRequest): Promise<Caller> => {
    const apiKey = proofOf(request)?.apiKey;
    return apiKey === undefined ? authenticate(request) : authenticateKey(apiKey);
  };

  const countForPerson = ({ userId, apiKeyId }: Counted): void => {
    const wait = (apiKeyId === null ? 0 : limits.key(apiKeyId)) || limits.person(userId);
    if (wait > 0) throw tooManyRequests(TOO_MANY, wait);
  };

  const admitKnown = async (request: FastifyRequest, name: string, known: Counted) => {
    countForPerson(known);
    try {
      return await identify(request);
    } catch (error) {
      if (isRefusal(error)) {
        good.delete(name);
        countFor(limits.failed, networksOf(request));
      }
      throw error;
    }
  };

  const admitStranger = async (request: FastifyRequest, name: string): Promise<Caller> => {
    const networks = networksOf(request);
    assertWithin(limits.failed, networks, TOO_MANY_FAILED);
    const giveBack = () => {
      for (const { key, times } of networks) limits.failed.giveBack(key, times);
    };
    const caller = await identify(request).catch((error: unknown) => {
      if (!isRefusal(error)) giveBack();
      throw error;
    });
    giveBack();
    good.set(name, { userId: caller.userId, apiKeyId: caller.apiKeyId });
    countForPerson(caller);
    return caller;
  };

  return {
    /** @throws what tells that a call's token or key opens nothing any more; counts nothing. */
    identify,

    /**
     * Who makes a call; null where it is open to everybody.
     * @throws HttpError 401, 403, or 429 before anything is looked up
     */
    async admit(route: Admitting, request: FastifyRequest): Promise<Caller | null> {
      if (route.auth === 'public') {
        assertWithin(limits.open, networksOf(request), TOO_MANY);
        return null;
      }
      const shown = proofOf(request);
      if (!shown) {
        assertWithin(limits.open, networksOf(request), TOO_MANY);
        return identify(request);
      }
      const name = hash('sha256', shown.proof, 'base64url');
      const known = good.get(name);
      const admitted = known ? admitKnown(request, name, known) : admitStranger(request, name);
      const caller = await admitted;
      if (caller.apiKeyId && !route.apiKey) throw keyRefused();
      if (caller.readOnly && !isReading(route)) throw keyOnlyReads();
      if (route.auth === 'admin' && caller.role !== 'ADMIN') {
        throw new HttpError(403, 'admins_only', 'Only admins may do this.');
      }
      if (route.fresh && !isFresh(caller)) throw freshCodeNeeded();
      return caller;
    },
  };
}
