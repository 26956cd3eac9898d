import { createHash, randomBytes } from 'node:crypto';

/** The response of the token endpoint and related endpoints. */
export interface OauthAnswer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

/** How a client asks a user for authorization. */
export interface AuthorizationRequest {
  clientId: string;
  redirectUri: string;
  scope?: string;
  resource?: string;
}

/** An authorization request that is open in a user's browser. */
export interface Visit {
  status: number;
  /** Where the server redirected the browser. */
  location: URL;
  uid: string;
  /** The browser's cookies for an address of the server. */
  cookieFor: (path: string) => string;
  /** Opens an address of the server in that browser. Returns where it leads. */
  open: (address: string) => Promise<URL>;
}

/** An authorization request that a client with known redirect URIs started. */
export interface AuthorizationVisit extends Visit {
  codeVerifier: string;
  state: string;
}

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

async function answerOf(response: Response): Promise<OauthAnswer> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  const body = isJson ? (JSON.parse(text) as Record<string, unknown>) : {};
  return { status: response.status, headers: response.headers, body };
}

/** The cookies of one browser, sent only below their path. */
function createCookieJar() {
  const cookies = new Map<string, { value: string; path: string }>();
  return {
    keep({ headers }: Response): void {
      for (const line of headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/u.exec(line) ?? [];
        const path = /;\s*path=([^;]+)/iu.exec(line)?.[1] ?? '/';
        if (/expires=Thu, 01 Jan 1970/iu.test(line)) cookies.delete(name);
        else cookies.set(name, { value, path });
      }
    },
    cookieFor: (address: string): string =>
      [...cookies]
        .filter(
          ([, { path }]) => address === path || address.startsWith(path.replace(/\/?$/u, '/')),
        )
        .map(([name, { value }]) => `${name}=${value}`)
        .join('; '),
  };
}

/** A client that knows the address of a server, and the RFCs. */
export function oauthProgram(origin: string) {
  const post = async (path: string, form: Record<string, string>): Promise<OauthAnswer> =>
    answerOf(
      await fetch(origin + path, {
        method: 'POST',
        body: new URLSearchParams(form),
        redirect: 'manual',
      }),
    );

  /** Where a client sends a user's browser (RFC 6749 4.1.1, with PKCE). */
  const request = (authorization: AuthorizationRequest, more: Record<string, string> = {}) => {
    const codeVerifier = randomBytes(32).toString('base64url');
    const state = randomBytes(8).toString('base64url');
    const url = new URL('/oauth/authorize', origin);
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: authorization.clientId,
      redirect_uri: authorization.redirectUri,
      state,
      code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...(authorization.scope === undefined ? {} : { scope: authorization.scope }),
      ...(authorization.resource === undefined ? {} : { resource: authorization.resource }),
      ...more,
    }).toString();
    return { address: url.href, codeVerifier, state };
  };

  /** Opens an address of the server in a new browser. */
  const visit = async (first: string): Promise<Visit> => {
    const jar = createCookieJar();
    const open = async (address: string): Promise<{ status: number; location: URL }> => {
      const { pathname, href } = new URL(address, origin);
      const headers = { cookie: jar.cookieFor(pathname), accept: 'text/html' };
      const response = await fetch(href, { redirect: 'manual', headers });
      jar.keep(response);
      const location = new URL(response.headers.get('location') ?? href, origin);
      return { status: response.status, location };
    };
    const { status, location } = await open(first);
    return {
      status,
      location,
      uid: location.pathname.split('/').at(-1) ?? '',
      cookieFor: jar.cookieFor,
      open: async (address) => (await open(address)).location,
    };
  };

  return {
    post,
    visit,

    metadata: async (path = '/.well-known/oauth-authorization-server'): Promise<OauthAnswer> =>
      answerOf(await fetch(origin + path)),

    /** Registers a client (RFC 7591). */
    register: async (metadata: Record<string, unknown>): Promise<OauthAnswer> =>
      answerOf(
        await fetch(`${origin}/oauth/register`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(metadata),
        }),
      ),

    request,

    /** Sends a new browser to the server. */
    async begin(
      authorization: AuthorizationRequest,
      more: Record<string, string> = {},
    ): Promise<AuthorizationVisit> {
      const { address, codeVerifier, state } = request(authorization, more);
      return { ...(await visit(address)), codeVerifier, state };
    },

    /** Exchanges a code for tokens. */
    redeem: (
      { clientId, redirectUri }: AuthorizationRequest,
      code: string,
      codeVerifier: string,
      more: Record<string, string> = {},
    ): Promise<OauthAnswer> =>
      post('/oauth/token', {
        grant_type: 'authorization_code',
        client_id: clientId,
        redirect_uri: redirectUri,
        code,
        code_verifier: codeVerifier,
        ...more,
      }),

    refresh: (clientId: string, refreshToken: string): Promise<OauthAnswer> =>
      post('/oauth/token', {
        grant_type: 'refresh_token',
        client_id: clientId,
        refresh_token: refreshToken,
      }),

    /** Polls whether a device was authorized (RFC 8628). */
    poll: (clientId: string, deviceCode: string): Promise<OauthAnswer> =>
      post('/oauth/token', {
        grant_type: DEVICE_GRANT,
        client_id: clientId,
        device_code: deviceCode,
      }),
  };
}

export type OauthProgram = ReturnType<typeof oauthProgram>;
