import type { AccessScope, ConnectionRequest } from '@engram/contract';
import {
  type AuthorizationRequest,
  type OauthAnswer,
  type OauthProgram,
  type Visit,
} from './oauth-program.test-setup.ts';
import type { SignedInUser, TestApp } from './app.test-setup.ts';

export const CALLBACK = 'http://127.0.0.1/callback';

export interface Tokens {
  access_token: string;
  refresh_token: string;
  scope: string;
}

/** The metadata of a client that supports every grant type. */
export const aProgram = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
  client_name: 'Reading Lamp',
  redirect_uris: [CALLBACK],
  grant_types: [
    'authorization_code',
    'refresh_token',
    'urn:ietf:params:oauth:grant-type:device_code',
  ],
  ...over,
});

export const clientIdOf = ({ body }: OauthAnswer): string => body['client_id'] as string;

/** Calls the server as the web app does, with the user's token and the browser's cookies. */
export async function callAs(
  engram: Pick<TestApp, 'baseUrl'>,
  user: Pick<SignedInUser, 'token'>,
  method: string,
  path: string,
  { cookie = '', body }: { cookie?: string; body?: unknown } = {},
) {
  const response = await fetch(engram.baseUrl + path, {
    method,
    headers: {
      authorization: `Bearer ${user.token}`,
      cookie,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as { data: unknown; code: string };
  return { status: response.status, data: answer.data, code: answer.code };
}

/**
 * Shows and answers an authorization request as the web app does. Returns where the browser is
 * redirected.
 */
export function createDesk(engram: Pick<TestApp, 'baseUrl'>, program: OauthProgram) {
  const answer = async (
    user: SignedInUser,
    started: Visit,
    decision: 'allow' | 'deny',
    body?: { scopes: AccessScope[] },
  ) => {
    const path = `/connect/${started.uid}/${decision}`;
    const cookie = started.cookieFor(`/v1${path}`);
    const { status, data } = await callAs(engram, user, 'POST', path, { cookie, body });
    if (status !== 200) throw new Error(`The answer is refused with ${status}.`);
    return started.open((data as { returnTo: string }).returnTo);
  };

  return {
    answer,

    async shown(user: SignedInUser, started: Visit): Promise<ConnectionRequest> {
      const path = `/connect/${started.uid}/request`;
      const cookie = started.cookieFor(`/v1${path}`);
      const { data } = await callAs(engram, user, 'GET', path, { cookie });
      return data as ConnectionRequest;
    },

    /** Completes the authorization flow. Returns the tokens that the client gets. */
    async connect(user: SignedInUser, request: AuthorizationRequest) {
      const started = await program.begin(request);
      const redirect = await answer(user, started, 'allow');
      const code = redirect.searchParams.get('code') ?? '';
      const redeemed = await program.redeem(request, code, started.codeVerifier);
      return { code, started, redeemed, tokens: redeemed.body as unknown as Tokens };
    },
  };
}

/** The status of a call that a client makes. */
export const statusOf = async (
  engram: Pick<TestApp, 'baseUrl'>,
  token: string,
  method = 'GET',
  path = '/artifacts',
): Promise<number> =>
  (
    await fetch(engram.baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${token}` },
    })
  ).status;
