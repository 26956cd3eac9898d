import pino from 'pino';
import { expect, test } from 'vitest';
import { createHttpServer, type PageSettings } from '../server.ts';

const contactPosition = { latitude: 52.5163, longitude: 13.3777 };

/** The directives that a server with these settings sends, by name. */
async function policyOf(pageSettings: PageSettings): Promise<Record<string, string[]>> {
  const app = await createHttpServer({
    log: pino({ level: 'silent' }),
    trustProxy: undefined,
    pageSettings,
  });
  app.get('/', () => 'a page');
  const { headers } = await app.inject('/');
  await app.close();
  const directives = String(headers['content-security-policy']).split(';');
  return Object.fromEntries(
    directives.map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources];
    }),
  );
}

test('without Stripe and without a location, the policy names no other host', async () => {
  const policy = await policyOf({});
  expect(JSON.stringify(policy)).not.toContain('https:');
  expect(policy).not.toHaveProperty('frame-src');
});

test('the map may be framed if a location is set, and nothing else may load from its host', async () => {
  const policy = await policyOf({ contactPosition });
  expect(policy['frame-src']).toEqual(["'self'", 'https://www.openstreetmap.org']);
  expect(policy['script-src']).toEqual(["'self'"]);
  expect(policy['connect-src']).toEqual(["'self'"]);
});

test('Stripe’s hosts are in the policy if its keys are set, next to the map', async () => {
  const policy = await policyOf({ payments: 'stripe', contactPosition });
  expect(policy['script-src']).toContain('https://js.stripe.com');
  expect(policy['frame-src']).toEqual([
    "'self'",
    'https://*.stripe.com',
    'https://www.openstreetmap.org',
  ]);
});
