import * as fc from 'fast-check';
import { buildOpenApi, routes } from '@engram/contract';
import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../../config.ts';
import { describeAccounts } from '../../auth/tests/accounts.test-setup.ts';
import { parseSocialLinks, timeZoneLabel } from '../system.service.ts';

describe('timeZoneLabel', () => {
  test.each([
    ['America/Los_Angeles', 'PST'],
    ['America/New_York', 'EST'],
    ['UTC', 'UTC'],
    ['Asia/Kolkata', 'GMT+5:30'],
    ['Europe/Berlin', 'Berlin time'],
    ['Australia/Lord_Howe', 'Lord Howe time'],
  ])('the label of %s is %s', (zone, label) => {
    expect(timeZoneLabel(zone)).toBe(label);
  });

  test('every time zone has a label', () => {
    for (const zone of Intl.supportedValuesOf('timeZone')) {
      expect(timeZoneLabel(zone)).toMatch(/^[\w+:()' .-]+$/u);
    }
  });
});

describe('parseSocialLinks', () => {
  test('names and addresses are parsed', () => {
    expect(parseSocialLinks(['GitHub = https://github.com/x', 'Q=https://x.org/?a=b'])).toEqual([
      { name: 'GitHub', url: 'https://github.com/x' },
      { name: 'Q', url: 'https://x.org/?a=b' },
    ]);
  });

  test('only web addresses are accepted', () => {
    for (const entry of ['https://x.org', '=https://x.org', 'X=', 'X=javascript:alert(1)']) {
      expect(() => parseSocialLinks([entry])).toThrow(ConfigError);
    }
    fc.assert(
      fc.property(fc.string(), fc.webUrl(), (name, url) => {
        fc.pre(!name.includes('=') && name.trim() !== '');
        expect(parseSocialLinks([`${name}=${url}`])).toEqual([
          { name: name.trim(), url: new URL(url).href },
        ]);
      }),
    );
  });
});

describeAccounts('the system', (accounts) => {
  const get = (path: string, token?: string, ip?: string) =>
    accounts.server.call('GET', path, { ...(token ? { token } : {}), ...(ip ? { ip } : {}) });

  test('the health and the address of the caller are returned', async () => {
    expect(await get('/health')).toMatchObject({ status: 200, data: { status: 'ok' } });
    expect((await get('/ip', undefined, '198.51.100.7')).data).toEqual({ ip: '198.51.100.7' });
  });

  test('signed-in users see which abilities are on', async () => {
    expect((await get('/status')).status).toBe(401);
    const { token } = await accounts.server.signIn('ada@example.org');
    expect((await get('/status', token)).data).toEqual({
      version: '1.2.3',
      abilities: [
        {
          name: 'mail',
          on: false,
          detail: "No mail server is set (SMTP_URL), so mails are written to the server's log.",
        },
        {
          name: 'google',
          on: false,
          detail: 'GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET are not set.',
        },
      ],
    });
  });

  test.each([
    [{}, true],
    [{ HOST: 'localhost', ENGRAM_PUBLIC_URL: 'http://localhost:3000' }, true],
    [{ HOST: '0.0.0.0' }, false],
    [{ ENGRAM_PUBLIC_URL: 'https://engram.example.org' }, false],
    [{ SMTP_URL: 'smtp://127.0.0.1:9' }, false],
  ])(
    'codes in the log are mentioned only to users of the same machine: %j',
    async (env, mentioned) => {
      await accounts.restart(env);
      expect((await get('/settings')).data).toMatchObject({ codesInLog: mentioned });
    },
  );

  test('the settings for the web app are returned', async () => {
    const defaults = {
      codesInLog: true,
      google: null,
      mediaLimitMb: 2,
      uploadLimitMb: 512,
      timeZone: 'America/Los_Angeles',
      timeZoneLabel: 'PST',
      contactEmail: null,
      contactPhone: null,
      contactAddress: null,
      contactPosition: null,
      payments: { provider: 'sandbox' },
      socialLinks: [],
      transcription: false,
    };
    expect((await get('/settings')).data).toEqual(defaults);
    await accounts.restart({
      SMTP_URL: 'smtp://user:secret@127.0.0.1:9',
      ENGRAM_MEDIA_LIMIT_MB: '5',
      ENGRAM_TIME_ZONE: 'Europe/Berlin',
      ENGRAM_CONTACT_EMAIL: 'hello@example.org',
      ENGRAM_CONTACT_PHONE: '+49 30 1234',
      ENGRAM_CONTACT_ADDRESS: 'Pariser Platz 1, Berlin',
      ENGRAM_CONTACT_POSITION: '52.5163, 13.3777',
      ENGRAM_SOCIAL_LINKS: 'GitHub=https://github.com/x',
    });
    expect((await get('/settings')).data).toEqual({
      ...defaults,
      codesInLog: false,
      mediaLimitMb: 5,
      timeZone: 'Europe/Berlin',
      timeZoneLabel: 'Berlin time',
      contactEmail: 'hello@example.org',
      contactPhone: '+49 30 1234',
      contactAddress: 'Pariser Platz 1, Berlin',
      contactPosition: { latitude: 52.5163, longitude: 13.3777 },
      socialLinks: [{ name: 'GitHub', url: 'https://github.com/x' }],
    });
  });

  test('the public key of Stripe is returned if plans are paid for there', async () => {
    await accounts.restart({
      STRIPE_SECRET_KEY: 'sk_test_secret',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_public',
      STRIPE_WEBHOOK_SECRET: 'whsec_secret',
    });
    const { data } = await get('/settings');
    expect(data).toMatchObject({
      payments: { provider: 'stripe', publishableKey: 'pk_test_public' },
    });
    expect(JSON.stringify(data)).not.toContain('secret');
  });

  test('the contract is served as OpenAPI', async () => {
    const response = await accounts.server.raw('/openapi.json');
    expect(response.headers['content-type']).toMatch(/^application\/json/u);
    expect(response.json()).toEqual(JSON.parse(JSON.stringify(buildOpenApi(routes, '1.2.3'))));
  });

  test('the reference page runs only its own files', async () => {
    const page = await accounts.server.raw('/reference');
    expect((await accounts.server.raw('/reference/')).body).toBe(page.body);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).not.toContain('unsafe-eval');

    const scripts = [...page.body.matchAll(/<script([^>]*)>([^<]*)<\/script>/gu)];
    expect(scripts.length).toBe(2);
    expect(scripts.every(([, attributes, inline]) => attributes?.includes('src=') && !inline)).toBe(
      true,
    );
    const files = [...page.body.matchAll(/(?:src|href)="\/v1(\/reference\/[^"]+)"/gu)];
    expect(files).toHaveLength(4);
    for (const [, file = ''] of files) {
      expect((await accounts.server.raw(file)).statusCode).toBe(200);
    }
    const initializer = await accounts.server.raw('/reference/initializer.js');
    expect(initializer.headers['content-type']).toMatch(/^text\/javascript/u);
    expect(initializer.body).toContain("url: '/v1/openapi.json'");
  });

  test('other files of the same folder are not served', async () => {
    for (const file of [
      'package.json',
      'index.html',
      'swagger-ui.js',
      '..%2fnodemailer%2fpackage.json',
    ]) {
      expect((await accounts.server.raw(`/reference/${file}`)).statusCode).toBeGreaterThanOrEqual(
        400,
      );
    }
  });
});
