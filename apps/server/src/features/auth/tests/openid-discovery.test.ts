import { expect, test } from 'vitest';
import { ConfigError, loadConfig } from '../../../config.ts';
import { createDiscovery } from '../identity-provider.ts';

const HOUR = 3_600_000;
const ISSUER = 'https://id.example.org';
const good = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/auth`,
  token_endpoint: `${ISSUER}/token`,
  jwks_uri: `${ISSUER}/jwks`,
};

/** A provider that returns the given metadata one after another, and a clock. */
function provider(issuer: string, ...bodies: unknown[]) {
  const requests: string[] = [];
  const time = { now: 0 };
  const document = createDiscovery(
    issuer,
    (address) => {
      const body = bodies[Math.min(requests.push(address), bodies.length) - 1];
      return Promise.resolve({ status: body === undefined ? 404 : 200, body });
    },
    () => new Date(time.now),
  );
  return { requests, time, document };
}

test('the metadata of a provider is requested once an hour', async () => {
  const { requests, time, document } = provider(`${ISSUER}/`, good);
  expect(await Promise.all([document(), document()])).toEqual([good, good]);
  time.now = HOUR - 1;
  await document();
  expect(requests).toEqual([`${ISSUER}/.well-known/openid-configuration`]);
  time.now = HOUR;
  await document();
  expect(requests).toHaveLength(2);
});

test('a failure is not cached', async () => {
  const { document } = provider(ISSUER, undefined, good);
  await expect(document()).rejects.toThrow('responds with 404');
  expect(await document()).toEqual(good);
});

test.each([
  ['another provider', { ...good, issuer: 'https://evil.example' }],
  ['a provider without a name', { ...good, issuer: undefined }],
  ['a provider without keys', { ...good, jwks_uri: undefined }],
  ['a provider without https', { ...good, token_endpoint: 'http://id.example.org/t' }],
  ['a provider that names this machine', { ...good, userinfo_endpoint: 'http://127.0.0.1/me' }],
  ['a provider with file addresses', { ...good, jwks_uri: 'file:///etc/passwd' }],
  ['another response', '<html>'],
])('%s is rejected', async (_, body) => {
  await expect(provider(ISSUER, body).document()).rejects.toThrow(ISSUER);
});

test('a provider must use https or run on this machine', () => {
  const issuerOf = (issuer: string) =>
    loadConfig({ GOOGLE_ISSUER: issuer, ENGRAM_SECRET: 'x'.repeat(32) }).googleIssuer;
  for (const issuer of [ISSUER, 'http://127.0.0.1:9000', 'http://localhost:9000']) {
    expect(issuerOf(issuer)).toBe(issuer);
  }
  for (const issuer of [
    'http://id.example.org',
    'http://127.0.0.1.evil.example',
    'id.example.org',
  ]) {
    expect(() => issuerOf(issuer)).toThrow(ConfigError);
  }
});
