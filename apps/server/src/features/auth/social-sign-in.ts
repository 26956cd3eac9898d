import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Core } from '../../composition/core.ts';
import { fetchBounded, UnreachableError } from '../../platform/http/bounded-fetch.ts';
import { HttpError } from '../../platform/http/errors.ts';
import type { Network } from '../../platform/http/networks.ts';
import { createSignedTokens } from '../../platform/http/signed-tokens.ts';
import {
  type AuthorizationRequest,
  createIdentityProvider,
  type Identity,
  isSecure,
  type Proof,
  RefusedProof,
} from './identity-provider.ts';
import type { SignInLimits } from './sign-in-limits.ts';

const CALL_BOUNDS = { timeoutMs: 8000, maxBytes: 262_144 };
const PHOTO_BOUNDS = { timeoutMs: 8000, maxBytes: 5_000_000 };

const MAX_REDIRECTS = 3;

const NONCE_TTL_MS = 60 * 60_000;

const nonceClaims = z.tuple([z.string(), z.number(), z.string()]);

/** Google's picture addresses end with the size. */
const largerPhoto = (url: URL): URL =>
  url.hostname.endsWith('.googleusercontent.com')
    ? new URL(url.href.replace(/=s\d+-c$/u, '=s256-c'))
    : url;

export function createSocialSignIn({ config, providers, log, now }: Core, limits: SignInLimits) {
  const {
    googleClientId: clientId,
    googleClientSecret: clientSecret,
    googleIssuer: issuer,
  } = config;
  const outside = providers.outside(issuer);
  const provider =
    clientId && clientSecret
      ? createIdentityProvider(
          { issuer, clientId, clientSecret },
          { ...outside, ...CALL_BOUNDS },
          now,
        )
      : null;
  const nonces = createSignedTokens(config.secret, 'id-token-nonces');

  const assertEnabled = (): NonNullable<typeof provider> => {
    if (provider) return provider;
    const message =
      'Signing in with Google is not set up on this server. Please sign in with a code sent to your e-mail.';
    throw new HttpError(503, 'google_off', message);
  };

  function toHttpError(error: unknown): unknown {
    if (error instanceof RefusedProof) {
      return error.isUnverified
        ? new HttpError(
            401,
            'email_unverified',
            'Google has not verified the e-mail address of this account. Please sign in with a code sent to your e-mail.',
          )
        : new HttpError(401, 'google_refused', 'Google did not confirm this sign-in.');
    }
    if (!(error instanceof UnreachableError)) return error;
    log.warn({ err: error }, 'Google sign-in: the provider cannot be used');
    return new HttpError(
      503,
      'google_unavailable',
      "Google can't be reached. Please try again in a few minutes, or sign in with a code sent to your e-mail.",
    );
  }

  return {
    describe(): { on: boolean; detail: string } {
      if (provider) return { on: true, detail: `Users can sign in with ${issuer}.` };
      const missing = [
        ...(clientId ? [] : ['GOOGLE_CLIENT_ID']),
        ...(clientSecret ? [] : ['GOOGLE_CLIENT_SECRET']),
      ];
      const verb = missing.length > 1 ? 'are' : 'is';
      return { on: false, detail: `${missing.join(' and ')} ${verb} not set.` };
    },

    assertEnabled,

    /** A nonce for ID tokens, bound to a browser by the hash of its cookie. */
    issueNonce: (browser: string): string =>
      nonces.sign([randomBytes(9).toString('base64url'), now().getTime() + NONCE_TTL_MS, browser]),

    isIssuedTo(browser: string, nonce: string): boolean {
      const claims = nonceClaims.safeParse(nonces.read(nonce)).data;
      if (!claims) return false;
      const [, expiresAt, owner] = claims;
      return owner === browser && expiresAt > now().getTime();
    },

    authorizationUrl: (request: AuthorizationRequest): Promise<string> =>
      assertEnabled()
        .authorizationUrl(request)
        .catch((error: unknown) => {
          throw toHttpError(error);
        }),

    /** @throws HttpError 401 for an invalid proof, 429 after too many failures, 503 */
    async identify(proof: Proof, networks: readonly Network[], time: Date): Promise<Identity> {
      const enabled = assertEnabled();
      const undoFailure = await limits.presumeFailure('provider', networks, time);
      try {
        const identity = await enabled.identify(proof);
        await undoFailure();
        return identity;
      } catch (error) {
        // Only invalid proofs count as failed.
        if (!(error instanceof RefusedProof)) await undoFailure();
        throw toHttpError(error);
      }
    },

    async fetchPhoto(address: string): Promise<Uint8Array> {
      let url = largerPhoto(new URL(address));
      for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
        if (!isSecure(url, issuer)) throw new Error(`${url.origin} is not secure.`);
        const bounds = { ...outside, ...PHOTO_BOUNDS };
        const { status, headers, body } = await fetchBounded(url.href, {}, bounds);
        if (status === 200) return body;
        const next = headers.get('location');
        if (status < 300 || status >= 400 || !next) {
          throw new Error(`${url.host} responds with ${status}.`);
        }
        url = new URL(next, url);
      }
      throw new Error(`${url.host} redirects too often.`);
    },
  };
}
