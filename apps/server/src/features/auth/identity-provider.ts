import { email as emailShape } from '@engram/contract';
import { createRemoteJWKSet, customFetch, errors as jose, type JWTPayload, jwtVerify } from 'jose';
import { z } from 'zod';
import {
  type FetchBounds,
  fetchBounded,
  UnreachableError,
} from '../../platform/http/bounded-fetch.ts';
import { isLoopback } from '../../platform/http/loopback.ts';
import { clientProof, createAskProvider } from './provider-calls.ts';
import { createProviderDocument, endpointOf, type ProviderDocument } from './provider-document.ts';

const GOOGLE = 'https://accounts.google.com';
/** https://developers.google.com/identity/protocols/oauth2: Google introspects tokens here alone. */
const GOOGLE_TOKEN_INFO = 'https://oauth2.googleapis.com/tokeninfo';

/** Signatures that only the provider can make; a shared secret or none proves nothing. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
];

/** How far the provider's clock may be from ours, in seconds. */
const CLOCK_TOLERANCE = 60;

/** Who a person is, by the word of the provider. */
export interface Identity {
  /** Verified by the provider. */
  email: string;
  name: string | null;
  /** Address of their picture. */
  picture: string | null;
}

/** What a client shows of its sign-in at the provider. */
export type Proof =
  /** With the nonce that this server gave for it; null where it gave none. */
  | { kind: 'idToken'; idToken: string; nonce: string | null }
  | { kind: 'accessToken'; accessToken: string }
  | {
      kind: 'code';
      code: string;
      codeVerifier: string;
      redirectUri: string;
      nonce: string | undefined;
    };

export interface AuthorizationRequest {
  redirectUri: string;
  state: string;
  nonce: string;
  codeChallenge: string;
}

/** The provider, or the proof itself, says that this sign-in does not count. */
export class RefusedProof extends Error {
  override readonly name = 'RefusedProof';
  readonly reason: 'invalid' | 'unverified';

  constructor(message: string, reason: RefusedProof['reason'] = 'invalid', options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

const claimsShape = z.object({
  sub: z.string().min(1),
  email: z.string().optional().catch(undefined),
  // Some providers write their booleans as text.
  email_verified: z.union([z.boolean(), z.stringbool()]).optional().catch(undefined),
  name: z.string().optional().catch(undefined),
  picture: z.string().optional().catch(undefined),
});
type Claims = z.output<typeof claimsShape>;

const tokensShape = z.object({ id_token: z.string(), access_token: z.string().optional() });
const refusalShape = z.object({ error: z.string() });
const tokenInfoShape = z.object({ aud: z.string(), sub: z.string() });
const introspectionShape = z.object({
  active: z.literal(true),
  client_id: z.string(),
  sub: z.string().optional(),
});

/** The name as it is kept: one line of moderate length. */
const cleanName = (name: string | undefined): string | null =>
  name
    ?.replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 200) || null;

function identityOf({ email, email_verified: verified, name, picture }: Claims): Identity {
  const address = emailShape.safeParse(email);
  if (!address.success || verified !== true) {
    throw new RefusedProof('The provider has not verified an e-mail address.', 'unverified');
  }
  return { email: address.data, name: cleanName(name), picture: picture || null };
}

export interface IdentityProviderOptions {
  issuer: string;
  clientId: string;
  clientSecret: string;
  bounds: FetchBounds;
  now: () => Date;
}

/**
 * An OpenID provider as a witness of who people are. Every call rejects with a {@link RefusedProof}
 * when it does not vouch for them, and with an {@link UnreachableError} when it cannot be asked.
 */
export function createIdentityProvider(options: IdentityProviderOptions) {
  const { issuer, clientId, clientSecret, bounds, now } = options;
  const client = { id: clientId, secret: clientSecret };
  const isGoogle = issuer.replace(/(?<!\/)\/+$/u, '') === GOOGLE;
  const ask = createAskProvider(bounds);
  const document = createProviderDocument({ issuer, ask, now });
  const keySets = new Map<string, ReturnType<typeof createRemoteJWKSet>>();

  const fetchKeys = async (address: string): Promise<Response> => {
    const { status, body } = await fetchBounded(address, {}, bounds);
    if (status !== 200) throw new UnreachableError(`${address} answers ${status}.`);
    return new Response(body);
  };

  function keysAt(address: string) {
    const known = keySets.get(address);
    if (known) return known;
    const keys = createRemoteJWKSet(new URL(address), {
      timeoutDuration: bounds.timeoutMs,
      [customFetch]: fetchKeys,
    });
    keySets.clear();
    keySets.set(address, keys);
    return keys;
  }

  async function readIdToken(
    provider: ProviderDocument,
    token: string,
    nonce: string | undefined,
  ): Promise<Claims> {
    const verify = jwtVerify(token, keysAt(provider.jwks_uri), {
      // Google's own tokens also name it without the scheme.
      issuer: isGoogle ? [provider.issuer, 'accounts.google.com'] : provider.issuer,
      audience: clientId,
      algorithms: ALGORITHMS,
      currentDate: now(),
      clockTolerance: CLOCK_TOLERANCE,
      requiredClaims: ['sub', 'iat', 'exp'],
    });
    const { payload } = await verify.catch((error: unknown): never => {
      if (error instanceof jose.JWKSTimeout || error instanceof jose.JWKSInvalid) {
        throw new UnreachableError('The keys of the provider cannot be had.', { cause: error });
      }
      if (!(error instanceof jose.JOSEError)) throw error;
      throw new RefusedProof('The ID token is not valid.', 'invalid', { cause: error });
    });
    assertMeantForUs(payload, nonce);
    const claims = claimsShape.safeParse(payload);
    if (!claims.success) throw new RefusedProof('The ID token does not say whose it is.');
    return claims.data;
  }

  /** https://openid.net/specs/openid-connect-core-1_0.html#IDTokenValidation, points 4, 5 and 11. */
  function assertMeantForUs({ azp, aud, nonce }: JWTPayload, expected: string | undefined): void {
    const shared = Array.isArray(aud) && aud.length > 1;
    if ((azp !== undefined || shared) && azp !== clientId) {
      throw new RefusedProof('The ID token was made for another client.');
    }
    if (nonce !== expected) throw new RefusedProof('The ID token belongs to another sign-in.');
  }

  async function userInfo(provider: ProviderDocument, accessToken: string, sub?: string) {
    if (!provider.userinfo_endpoint)
      throw new RefusedProof('The provider tells nothing of people.');
    const { status, body } = await ask(provider.userinfo_endpoint, {
      headers: { authorization: `Bearer ${accessToken}` },
    });
    const claims = claimsShape.safeParse(body);
    if (status !== 200 || !claims.success || (sub !== undefined && claims.data.sub !== sub)) {
      throw new RefusedProof('The provider does not say who this is.');
    }
    return claims.data;
  }

  /**
   * Whose access token this is, once it is proven that it was made for Engram: a token that some
   * other site was given would otherwise sign its owner in here.
   */
  async function ownerOf(
    provider: ProviderDocument,
    accessToken: string,
  ): Promise<string | undefined> {
    if (isGoogle) {
      const headers = { authorization: `Bearer ${accessToken}` };
      const info = tokenInfoShape.safeParse(
        (await ask(GOOGLE_TOKEN_INFO, { form: {}, headers })).body,
      );
      if (info.success && info.data.aud === clientId) return info.data.sub;
    } else if (provider.introspection_endpoint) {
      const { form, headers } = clientProof(
        client,
        provider.introspection_endpoint_auth_methods_supported ??
          provider.token_endpoint_auth_methods_supported,
      );
      const { body } = await ask(provider.introspection_endpoint, {
        form: { ...form, token: accessToken, token_type_hint: 'access_token' },
        headers,
      });
      const found = introspectionShape.safeParse(body);
      if (found.success && found.data.client_id === clientId && found.data.sub)
        return found.data.sub;
    } else if (isLoopback(new URL(issuer).hostname)) {
      // A provider on this machine is the owner's own: whoever it vouches for needs no further proof.
      return undefined;
    }
    throw new RefusedProof('The access token is not known to be for Engram.');
  }

  async function exchange(provider: ProviderDocument, proof: Extract<Proof, { kind: 'code' }>) {
    const { form, headers } = clientProof(client, provider.token_endpoint_auth_methods_supported);
    const { body } = await ask(endpointOf(provider, 'token_endpoint'), {
      form: {
        ...form,
        grant_type: 'authorization_code',
        code: proof.code,
        code_verifier: proof.codeVerifier,
        redirect_uri: proof.redirectUri,
      },
      headers,
    });
    const tokens = tokensShape.safeParse(body);
    if (tokens.success) return tokens.data;
    const refusal = refusalShape.safeParse(body).data?.error;
    // Only a bad code is the caller's; that our own name or secret is refused is not.
    if (refusal === 'invalid_grant') throw new RefusedProof('The code is not valid.');
    throw new UnreachableError(
      `The provider refuses to exchange codes: ${refusal ?? 'no reason'}.`,
    );
  }

  async function identifyByCode(proof: Extract<Proof, { kind: 'code' }>): Promise<Identity> {
    const provider = await document();
    const tokens = await exchange(provider, proof);
    const claims = await readIdToken(provider, tokens.id_token, proof.nonce);
    // Providers may leave the person's details to the userinfo endpoint.
    if (claims.email !== undefined || !tokens.access_token) return identityOf(claims);
    return identityOf(await userInfo(provider, tokens.access_token, claims.sub));
  }

  return {
    /** The address of the provider's page that asks the person. */
    async authorizationUrl(request: AuthorizationRequest): Promise<string> {
      const url = new URL(endpointOf(await document(), 'authorization_endpoint'));
      const query = {
        client_id: clientId,
        response_type: 'code',
        scope: 'openid email profile',
        redirect_uri: request.redirectUri,
        state: request.state,
        nonce: request.nonce,
        code_challenge: request.codeChallenge,
        code_challenge_method: 'S256',
        // Whoever logged out may want to come back as somebody else; not every provider knows this.
        ...(isGoogle ? { prompt: 'select_account' } : {}),
      };
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      return url.href;
    },

    /**
     * Who a person is. ID tokens must be signed by the provider, for Engram, for a nonce that this
     * server gave, and not expired. Access tokens must be proven to be made for Engram, by Google's tokeninfo or
     * the provider's introspection; where it offers neither they are refused, unless the provider
     * runs on this machine.
     */
    async identify(proof: Proof): Promise<Identity> {
      if (proof.kind === 'code') return identifyByCode(proof);
      const provider = await document();
      if (proof.kind === 'idToken') {
        // Whoever holds a token can read the nonce in it, and could ask for one with any other.
        if (proof.nonce === null)
          throw new RefusedProof('The nonce is not one that was given out.');
        return identityOf(await readIdToken(provider, proof.idToken, proof.nonce));
      }
      const sub = await ownerOf(provider, proof.accessToken);
      return identityOf(await userInfo(provider, proof.accessToken, sub));
    },
  };
}
