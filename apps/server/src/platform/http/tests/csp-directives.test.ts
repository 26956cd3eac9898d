import pino from 'pino';
import { expect, test } from 'vitest';
import { createHttpServer, type PageSettings } from '../server.ts';

const contactPosition = { latitude: 52.5163, longitude: 13.3777 };

/** The directives that a server with these settings sends, by their names. */
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

test('where neither Stripe nor a position is set, no other host is named', async () => {
  const policy = await policyOf({});
  expect(JSON.stringify(policy)).not.toContain('https:');
  expect(policy).not.toHaveProperty('frame-src');
});

test('the map may be framed where a position is set, and nothing more comes from its host', async () => {
  const policy = await policyOf({ contactPosition });
  expect(policy['frame-src']).toEqual(["'self'", 'https://www.openstreetmap.org']);
  expect(policy['script-src']).toEqual(["'self'"]);
  expect(policy['connect-src']).toEqual(["'self'"]);
});

test('Stripe’s hosts are in the policy where its keys are set, beside the map', async () => {
  const policy = await policyOf({ payments: 'stripe', contactPosition });
  expect(policy['script-src']).toContain('https://js.stripe.com');
  expect(policy['frame-src']).toEqual([
    "'self'",
    'https://*.stripe.com',
    'https://www.openstreetmap.org',
  ]);
});
