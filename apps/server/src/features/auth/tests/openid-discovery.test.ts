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

/** A provider that says these things of itself, one after the other, and a clock. */
function provider(issuer: string, ...says: unknown[]) {
  const asked: string[] = [];
  const time = { now: 0 };
  const document = createDiscovery(
    issuer,
    (address) => {
      const body = says[Math.min(asked.push(address), says.length) - 1];
      return Promise.resolve({ status: body === undefined ? 404 : 200, body });
    },
    () => new Date(time.now),
  );
  return { asked, time, document };
}

test('what a provider says of itself is asked for once in an hour', async () => {
  const { asked, time, document } = provider(`${ISSUER}/`, good);
  expect(await Promise.all([document(), document()])).toEqual([good, good]);
  time.now = HOUR - 1;
  await document();
  expect(asked).toEqual([`${ISSUER}/.well-known/openid-configuration`]);
  time.now = HOUR;
  await document();
  expect(asked).toHaveLength(2);
});

test('a failure is not remembered', async () => {
  const { document } = provider(ISSUER, undefined, good);
  await expect(document()).rejects.toThrow('answers 404');
  expect(await document()).toEqual(good);
});

test.each([
  ['another provider', { ...good, issuer: 'https://evil.example' }],
  ['nobody', { ...good, issuer: undefined }],
  ['a provider without keys', { ...good, jwks_uri: undefined }],
  ['a provider that can be listened to', { ...good, token_endpoint: 'http://id.example.org/t' }],
  ['a provider that names this machine', { ...good, userinfo_endpoint: 'http://127.0.0.1/me' }],
  ['a provider of files', { ...good, jwks_uri: 'file:///etc/passwd' }],
  ['no provider', '<html>'],
])('%s is not believed', async (_, says) => {
  await expect(provider(ISSUER, says).document()).rejects.toThrow(ISSUER);
});

test('a provider is reached by https, or lies on this machine', () => {
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
