import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../../platform/clock.ts';
import {
  type ScriptedServer,
  sendJson,
  startScriptedServer,
} from '../../../tests/scripted-server.test-setup.ts';
import { createIdentityProvider } from '../identity-provider.ts';

/** The calls to Google, each with its address and token. */
type Request = [address: string, authorization: string | undefined];

const discovery = {
  issuer: 'https://accounts.google.com',
  authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
  token_endpoint: 'https://oauth2.googleapis.com/token',
  userinfo_endpoint: 'https://openidconnect.googleapis.com/v1/userinfo',
  jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
};

let google: ScriptedServer<Request, { aud: string }>;
beforeAll(async () => {
  google = await startScriptedServer<Request, { aud: string }>({
    first: { aud: 'engram-web' },
    handle(incoming, response, record) {
      const address = `https://${(incoming.url ?? '').slice(1)}`;
      const { aud } = record([address, incoming.headers.authorization]);
      const answers: Record<string, object> = {
        'https://accounts.google.com/.well-known/openid-configuration': discovery,
        'https://oauth2.googleapis.com/tokeninfo': { aud, azp: aud, sub: '7', expires_in: '3599' },
        [discovery.userinfo_endpoint]: {
          sub: '7',
          email: 'ada@example.org',
          email_verified: true,
          name: 'Ada',
        },
      };
      sendJson(response, 200, answers[address]);
    },
  });
});
afterAll(() => google.close());

const identify = () =>
  createIdentityProvider(
    {
      issuer: 'https://accounts.google.com',
      clientId: 'engram-web',
      clientSecret: 'secret',
    },
    {
      fetch: (address, init) => fetch(String(address).replace('https:/', google.url), init),
      clock: systemClock,
      timeoutMs: 10_000,
      maxBytes: 100_000,
    },
    () => new Date(),
  ).identify({ kind: 'accessToken', accessToken: 'ya29.token' });

test("an access token is accepted if Google's tokeninfo confirms that it is for Engram", async () => {
  expect(await identify()).toEqual({ email: 'ada@example.org', name: 'Ada', picture: null });
  const bearer = 'Bearer ya29.token';
  expect(google.requests.slice(1)).toEqual([
    ['https://oauth2.googleapis.com/tokeninfo', bearer],
    ['https://openidconnect.googleapis.com/v1/userinfo', bearer],
  ]);
});

test('an access token that Google issued to another site is rejected', async () => {
  google.behave({ aud: 'another-site' });
  await expect(identify()).rejects.toThrow('The access token was not proven to be for Engram.');
});
