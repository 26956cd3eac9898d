import { email as emailShape } from '@engram/contract';
import { createRemoteJWKSet, customFetch, errors as jose, jwtVerify } from 'jose';
import { z } from 'zod';
import {
  type FetchBounds,
  fetchBounded,
  UnreachableError,
} from '../../platform/http/bounded-fetch.ts';
import { isLoopback } from '../../platform/http/hosts.ts';
import { parseJson } from '../../platform/parse-json.ts';

const GOOGLE = 'https://accounts.google.com';
/** https://developers.google.com/identity/protocols/oauth2: Google's replacement for introspection. */
const GOOGLE_TOKEN_INFO = 'https://oauth2.googleapis.com/tokeninfo';

const ALGORITHMS = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA'.split(' ');

/** Accepted clock skew in seconds. */
const CLOCK_TOLERANCE = 60;

export interface Identity {
  email: string;
  name: string | null;
  picture: string | null;
}

type CodeProof = {
  kind: 'code';
  code: string;
  codeVerifier: string;
  redirectUri: string;
  nonce: string | undefined;
};

/** The client's proof from the provider. The nonce is null unless this server issued it. */
export type Proof =
  | { kind: 'idToken'; idToken: string; nonce: string | null }
  | { kind: 'accessToken'; accessToken: string }
  | CodeProof;

export interface AuthorizationRequest {
  redirectUri: string;
  state: string;
  nonce: string;
  codeChallenge: string;
}

/** The proof is not valid, or the provider did not verify the address. */
export class RefusedProof extends Error {
  override readonly name = 'RefusedProof';
  readonly isUnverified: boolean;

  constructor(message: string, options: ErrorOptions & { isUnverified?: boolean } = {}) {
    super(message, options);
    this.isUnverified = options.isUnverified ?? false;
  }
}

const claimsShape = z.object({
  sub: z.string().min(1),
  email: z.string().optional().catch(undefined),
  // Some providers send booleans as text.
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
  sub: z.string(),
});

const cleanName = (name: string | undefined): string | null =>
  name
    ?.replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 200) || null;

function identityOf({ email, email_verified: verified, name, picture }: Claims): Identity {
  const address = emailShape.safeParse(email);
  if (!address.success || verified !== true) {
    throw new RefusedProof('The provider has not verified an e-mail address.', {
      isUnverified: true,
    });
  }
  return { email: address.data, name: cleanName(name), picture: picture || null };
}

const CACHE_MS = 3_600_000;

/**
 * Sends a GET, or a POST with a form, and parses the JSON response, which may be an error.
 * @throws UnreachableError if there is no response or the provider failed
 */
async function callProvider(
  bounds: FetchBounds,
  address: string,
  { form, headers = {} }: { form?: Record<string, string>; headers?: Record<string, string> } = {},
): Promise<{ status: number; body: unknown }> {
  const init = {
    headers: { accept: 'application/json', ...headers },
    ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
  };
  const { status, body } = await fetchBounded(address, init, bounds);
  if (status === 429 || status >= 500)
    throw new UnreachableError(`${address} responds with ${status}.`);
  return { status, body: parseJson(body.toString('utf8')) };
}

const authMethods = z.array(z.string()).optional();

/** https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderMetadata */
const metadataShape = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.url().optional(),
  introspection_endpoint: z.url().optional(),
  token_endpoint_auth_methods_supported: authMethods,
  introspection_endpoint_auth_methods_supported: authMethods,
});

type ProviderMetadata = z.output<typeof metadataShape>;

const withoutSlash = (address: string): string => address.replace(/(?<!\/)\/+$/u, '');

/** Whether a URL is https, or http on this machine if the provider runs here too. */
export const isSecure = ({ protocol, hostname }: URL, issuer: string): boolean =>
  protocol === 'https:' ||
  (protocol === 'http:' && isLoopback(hostname) && isLoopback(new URL(issuer).hostname));

/** Reads the metadata of a provider, cached for an hour. @throws UnreachableError */
export function createDiscovery(
  issuer: string,
  call: (address: string) => Promise<{ status: number; body: unknown }>,
  now: () => Date,
): () => Promise<ProviderMetadata> {
  let cached: { at: number; metadata: Promise<ProviderMetadata> } | null = null;

  async function load(): Promise<ProviderMetadata> {
    const address = `${withoutSlash(issuer)}/.well-known/openid-configuration`;
    const { status, body } = await call(address);
    if (status !== 200) throw new UnreachableError(`${address} responds with ${status}.`);
    const { data: metadata } = metadataShape.safeParse(body);
    if (!metadata) throw new UnreachableError(`${issuer} does not describe an OpenID provider.`);
    if (withoutSlash(metadata.issuer) !== withoutSlash(issuer)) {
      throw new UnreachableError(`${issuer} reports the issuer ${metadata.issuer}.`);
    }
    const endpoints = [
      metadata.authorization_endpoint,
      metadata.token_endpoint,
      metadata.jwks_uri,
      metadata.userinfo_endpoint,
      metadata.introspection_endpoint,
    ];
    const insecure = endpoints.find((url) => url !== undefined && !isSecure(new URL(url), issuer));
    if (insecure) throw new UnreachableError(`${issuer} names ${insecure}, which is not secure.`);
    return metadata;
  }

  return () => {
    const time = now().getTime();
    if (cached && time - cached.at < CACHE_MS) return cached.metadata;
    const loading = { at: time, metadata: load() };
    cached = loading;
    loading.metadata.catch(() => {
      if (cached === loading) cached = null;
    });
    return loading.metadata;
  };
}

/**
 * An OpenID provider. Calls reject with a {@link RefusedProof} if it does not confirm the user, and with
 * an {@link UnreachableError} if it cannot be reached.
 */
export function createIdentityProvider(
  { issuer, clientId, clientSecret }: Record<'issuer' | 'clientId' | 'clientSecret', string>,
  bounds: FetchBounds,
  now: () => Date,
) {
  const isGoogle = withoutSlash(issuer) === GOOGLE;
  const call = callProvider.bind(null, bounds);
  const discover = createDiscovery(issuer, call, now);
  let keySet: { address: string; keys: ReturnType<typeof createRemoteJWKSet> } | null = null;

  const fetchKeys = async (address: string): Promise<Response> => {
    const { status, body } = await fetchBounded(address, {}, bounds);
    if (status !== 200) throw new UnreachableError(`${address} responds with ${status}.`);
    return new Response(body);
  };

  function keysAt(address: string) {
    if (keySet?.address !== address) {
      const options = { timeoutDuration: bounds.timeoutMs, [customFetch]: fetchKeys };
      keySet = { address, keys: createRemoteJWKSet(new URL(address), options) };
    }
    return keySet.keys;
  }

  /** The form fields and headers that authenticate Engram (RFC 6749, 2.3.1). */
  function clientAuthentication(
    methods: readonly string[] = ['client_secret_basic'],
  ): Record<'form' | 'headers', Record<string, string>> {
    if (methods.includes('client_secret_post')) {
      return { form: { client_id: clientId, client_secret: clientSecret }, headers: {} };
    }
    const encode = (part: string) => new URLSearchParams({ part }).toString().slice('part='.length);
    const basic = Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString('base64');
    return { form: {}, headers: { authorization: `Basic ${basic}` } };
  }

  async function readIdToken(
    metadata: ProviderMetadata,
    token: string,
    expectedNonce: string | undefined,
  ): Promise<Claims> {
    const verify = jwtVerify(token, keysAt(metadata.jwks_uri), {
      // In Google's tokens the issuer may lack the scheme.
      issuer: isGoogle ? [metadata.issuer, 'accounts.google.com'] : metadata.issuer,
      audience: clientId,
      algorithms: ALGORITHMS,
      currentDate: now(),
      clockTolerance: CLOCK_TOLERANCE,
      requiredClaims: ['sub', 'iat', 'exp'],
    });
    const { payload } = await verify.catch((error: unknown): never => {
      if (error instanceof jose.JWKSTimeout || error instanceof jose.JWKSInvalid) {
        throw new UnreachableError('The provider keys could not be fetched.', { cause: error });
      }
      if (!(error instanceof jose.JOSEError)) throw error;
      throw new RefusedProof('The ID token is not valid.', { cause: error });
    });
    const { azp, aud, nonce } = payload;
    const hasAudiences = Array.isArray(aud) && aud.length > 1;
    if ((azp !== undefined || hasAudiences) && azp !== clientId) {
      throw new RefusedProof('The ID token was issued to another client.');
    }
    if (nonce !== expectedNonce) {
      throw new RefusedProof('The ID token belongs to another sign-in.');
    }
    const claims = claimsShape.safeParse(payload);
    if (!claims.success) throw new RefusedProof('The ID token does not identify a user.');
    return claims.data;
  }

  async function userInfo(
    { userinfo_endpoint: address }: ProviderMetadata,
    accessToken: string,
    sub?: string,
  ): Promise<Claims> {
    if (!address) throw new RefusedProof('The provider has no userinfo endpoint.');
    const headers = { authorization: `Bearer ${accessToken}` };
    const { status, body } = await call(address, { headers });
    const claims = claimsShape.safeParse(body);
    if (status !== 200 || !claims.success || (sub !== undefined && claims.data.sub !== sub)) {
      throw new RefusedProof('The provider did not identify the user.');
    }
    return claims.data;
  }

  /**
   * The subject of an access token that is proven to be for Engram. Otherwise another site could sign in
   * here with the tokens of its users.
   */
  async function subjectOf(
    metadata: ProviderMetadata,
    accessToken: string,
  ): Promise<string | undefined> {
    if (isGoogle) {
      const headers = { authorization: `Bearer ${accessToken}` };
      const { body } = await call(GOOGLE_TOKEN_INFO, { form: {}, headers });
      const { data } = tokenInfoShape.safeParse(body);
      if (data?.aud === clientId) return data.sub;
    } else if (metadata.introspection_endpoint) {
      const { form, headers } = clientAuthentication(
        metadata.introspection_endpoint_auth_methods_supported ??
          metadata.token_endpoint_auth_methods_supported,
      );
      const { body } = await call(metadata.introspection_endpoint, {
        form: { ...form, token: accessToken, token_type_hint: 'access_token' },
        headers,
      });
      const { data } = introspectionShape.safeParse(body);
      if (data?.client_id === clientId) return data.sub;
    } else if (isLoopback(new URL(issuer).hostname)) {
      // A provider on this machine belongs to the operator, so its tokens need no further proof.
      return undefined;
    }
    throw new RefusedProof('The access token was not proven to be for Engram.');
  }

  async function exchange(metadata: ProviderMetadata, proof: CodeProof) {
    const { form, headers } = clientAuthentication(metadata.token_endpoint_auth_methods_supported);
    const { body } = await call(metadata.token_endpoint, {
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
    // Other errors concern Engram's settings, not the code.
    if (refusal === 'invalid_grant') throw new RefusedProof('The code is not valid.');
    throw new UnreachableError(
      `The provider did not exchange the code: ${refusal ?? 'no reason'}.`,
    );
  }

  return {
    async authorizationUrl(request: AuthorizationRequest): Promise<string> {
      const url = new URL((await discover()).authorization_endpoint);
      const query = {
        client_id: clientId,
        response_type: 'code',
        scope: 'openid email profile',
        redirect_uri: request.redirectUri,
        state: request.state,
        nonce: request.nonce,
        code_challenge: request.codeChallenge,
        code_challenge_method: 'S256',
        // Lets users choose another account. Some providers do not support this parameter.
        ...(isGoogle ? { prompt: 'select_account' } : {}),
      };
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      return url.href;
    },

    /**
     * The user of a proof. ID tokens must be issued to Engram and have a nonce from this server. Google's
     * tokeninfo or introspection must confirm that access tokens are for Engram, unless the provider
     * runs on this machine.
     */
    async identify(proof: Proof): Promise<Identity> {
      const metadata = await discover();
      if (proof.kind === 'accessToken') {
        const sub = await subjectOf(metadata, proof.accessToken);
        return identityOf(await userInfo(metadata, proof.accessToken, sub));
      }
      if (proof.kind === 'idToken') {
        // A thief could read the nonce in the token, so it must have been issued to this browser.
        if (proof.nonce === null) throw new RefusedProof('The nonce was not issued here.');
        return identityOf(await readIdToken(metadata, proof.idToken, proof.nonce));
      }
      const tokens = await exchange(metadata, proof);
      const claims = await readIdToken(metadata, tokens.id_token, proof.nonce);
      // Some providers return the address only from the userinfo endpoint.
      if (claims.email !== undefined || !tokens.access_token) return identityOf(claims);
      return identityOf(await userInfo(metadata, tokens.access_token, claims.sub));
    },
  };
}
