import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { type Adapter, type AdapterPayload, Provider } from 'oidc-provider';

/** A user with an account at the provider. */
export interface ProviderAccount {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
  picture?: string;
}

/** The behavior of the provider's page: it lets the user choose an account, or chooses one. */
export type Decision = 'ask' | 'allow' | 'deny';

export interface ProviderClient {
  id: string;
  secret: string;
}

/** The result of a sign-in, with the values that the client created for it. */
export interface Authorized {
  code: string;
  codeVerifier: string;
  redirectUri: string;
  nonce: string;
}

const KEY_ID = 'key-1';
/** The client IDs of Engram and of another site. */
const ENGRAM: ProviderClient = { id: 'engram-web', secret: 'engram & its secret: 100% ours' };
const OTHER: ProviderClient = { id: 'other-site', secret: 'the-secret-of-another-site' };

const page = (uid: string, email: string | undefined): string => `<!doctype html>
<html lang="en"><head><title>Provider</title></head><body>
<h1>Sign in as ${email ?? 'nobody'}?</h1>
<p><a href="/interaction/${uid}?do=allow">Continue</a> <a href="/interaction/${uid}?do=deny">Cancel</a></p>
</body></html>`;

/** In-memory store for the data that a provider issues. */
function createAdapters(): new (model: string) => Adapter {
  const payloads = new Map<string, AdapterPayload>();
  return class {
    readonly #model: string;

    constructor(model: string) {
      this.#model = model;
    }

    async upsert(id: string, payload: AdapterPayload): Promise<void> {
      payloads.set(`${this.#model}:${id}`, payload);
    }

    async find(id: string): Promise<AdapterPayload | undefined> {
      return payloads.get(`${this.#model}:${id}`);
    }

    async findByUid(uid: string): Promise<AdapterPayload | undefined> {
      return [...payloads.values()].find((payload) => payload.uid === uid);
    }

    async findByUserCode(): Promise<undefined> {}

    async consume(id: string): Promise<void> {
      Object.assign(payloads.get(`${this.#model}:${id}`) ?? {}, { consumed: Date.now() / 1000 });
    }

    async destroy(id: string): Promise<void> {
      payloads.delete(`${this.#model}:${id}`);
    }

    async revokeByGrantId(grantId: string): Promise<void> {
      for (const [key, payload] of payloads) if (payload.grantId === grantId) payloads.delete(key);
    }
  };
}

/** The parameters of a new authorization request, as a client creates them. */
function newRequest(redirectUri: string) {
  const codeVerifier = randomBytes(32).toString('base64url');
  return {
    redirectUri,
    codeVerifier,
    codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    state: randomBytes(16).toString('base64url'),
    nonce: randomBytes(16).toString('base64url'),
  };
}

/** Follows the redirects of a sign-in at the provider, with its cookies, until they leave it. */
async function walk(start: string, origin: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = new URL(start);
  for (let steps = 0; steps < 10; steps += 1) {
    if (url.origin !== origin) return url;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/u.exec(line) ?? [];
      cookies.set(name, value);
    }
    const next = response.headers.get('location');
    if (!next)
      throw new Error(`The provider responds with ${response.status}: ${await response.text()}`);
    url = new URL(next, url);
  }
  throw new Error('The provider redirects endlessly.');
}

/** A real OpenID provider on a free port of this machine, with its own accounts and clients. */
export async function startIdentityProvider() {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), kid: KEY_ID, alg: 'RS256', use: 'sig' };
  let handle: (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;
  // Idle connections stay open, so that no request fails on a slow machine.
  const server = createServer(
    { keepAliveTimeout: 0 },
    (request, response) => void handle(request, response),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const state = {
    account: { sub: 'nobody' } as ProviderAccount,
    decision: 'allow' as Decision,
    picture: null as Buffer | null,
    /** Paths of all requests, in order. */
    requests: [] as string[],
    /** While set, requests whose path contains this are not answered. */
    hangsAt: null as string | null,
    /** Resolves with the next request that hangs. */
    hung: Promise.withResolvers<void>(),
  };

  function configure({
    redirectUris = ['http://localhost/'],
    emailInIdToken = true,
    introspection = true,
    authMethod = 'client_secret_basic' as 'client_secret_basic' | 'client_secret_post',
  } = {}): void {
    const client = ({ id, secret }: ProviderClient) => ({
      client_id: id,
      client_secret: secret,
      redirect_uris: redirectUris,
      token_endpoint_auth_method: authMethod,
    });
    const provider = new Provider(issuer, {
      adapter: createAdapters(),
      clients: [client(ENGRAM), client(OTHER)],
      clientAuthMethods: [authMethod],
      jwks: { keys: [jwk] },
      cookies: { keys: ['a key for the cookies of tests'] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'picture'] },
      conformIdTokenClaims: !emailInIdToken,
      features: {
        devInteractions: { enabled: false },
        introspection: { enabled: introspection, allowedPolicy: () => true },
      },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      ttl: {
        AccessToken: 3600,
        AuthorizationCode: 60,
        IdToken: 3600,
        Grant: 3600,
        Interaction: 600,
        Session: 600,
      },
      findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ ...state.account, sub }) }),
      async loadExistingGrant({ oidc }) {
        const grant = new oidc.provider.Grant({
          clientId: oidc.client?.clientId ?? '',
          accountId: oidc.session?.accountId ?? '',
        });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    });
    const callback = provider.callback();

    handle = async (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', issuer);
      state.requests.push(pathname);
      if (state.hangsAt !== null && pathname.includes(state.hangsAt)) {
        state.hung.resolve();
        return;
      }
      if (pathname === '/picture' && state.picture) {
        response.writeHead(200, { 'content-type': 'image/png' }).end(state.picture);
        return;
      }
      const uid = /^\/interaction\/([\w-]+)$/u.exec(pathname)?.[1];
      if (!uid) return callback(request, response);
      const chosen = searchParams.get('do') ?? state.decision;
      if (chosen === 'ask') {
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(page(uid, state.account.email));
        return;
      }
      const result =
        chosen === 'allow'
          ? { login: { accountId: state.account.sub } }
          : { error: 'access_denied', error_description: 'The user denied access.' };
      await provider.interactionFinished(request, response, result);
    };
  }
  configure();

  return Object.assign(state, {
    issuer,
    /** Resets the provider with other settings, and deletes the codes and tokens that it issued. */
    configure,
    /** For the settings of a server that trusts this provider. */
    env: {
      GOOGLE_ISSUER: issuer,
      GOOGLE_CLIENT_ID: ENGRAM.id,
      GOOGLE_CLIENT_SECRET: ENGRAM.secret,
    },
    newRequest,

    /** An ID token with any claims, signed by the provider's key unless another is given. */
    sign: (
      claims: JWTPayload,
      header: { alg?: string; kid?: string } = {},
      key: Parameters<SignJWT['sign']>[0] = privateKey,
    ): Promise<string> =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: KEY_ID, ...header }).sign(key),
    publicKey,

    /** Follows a sign-in from a client's authorization URL. Returns the final redirect. */
    follow: (authorizationUrl: string): Promise<URL> => walk(authorizationUrl, issuer),

    /** Signs the account in at a client. Returns the parameters of the redirect. */
    async authorize(
      client: ProviderClient = ENGRAM,
      redirectUri = 'http://localhost/',
      ownNonce?: string,
    ) {
      const { codeChallenge, ...request } = newRequest(redirectUri);
      const nonce = ownNonce ?? request.nonce;
      const url = new URL(`${issuer}/auth`);
      url.search = new URLSearchParams({
        client_id: client.id,
        response_type: 'code',
        scope: 'openid email profile',
        redirect_uri: redirectUri,
        state: request.state,
        nonce,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
      }).toString();
      const code = (await walk(url.href, issuer)).searchParams.get('code') ?? '';
      const { codeVerifier } = request;
      return { code, codeVerifier, redirectUri, nonce } satisfies Authorized;
    },

    /** The tokens that a client gets for a sign-in. */
    async tokens(client: ProviderClient = ENGRAM, ownNonce?: string) {
      const authorization = await this.authorize(client, undefined, ownNonce);
      const { code, codeVerifier, redirectUri, nonce } = authorization;
      const basic = [client.id, client.secret].map(encodeURIComponent).join(':');
      const response = await fetch(`${issuer}/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(basic).toString('base64')}` },
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code,
          code_verifier: codeVerifier,
          redirect_uri: redirectUri,
        }),
      });
      const body = (await response.json()) as { id_token: string; access_token: string };
      return { idToken: body.id_token, accessToken: body.access_token, nonce };
    },
    otherClient: OTHER,

    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}

export type IdentityProviderServer = Awaited<ReturnType<typeof startIdentityProvider>>;
