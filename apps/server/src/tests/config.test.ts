import { describe, expect, test } from 'vitest';
import { ConfigError, loadConfig, settings } from '../config.ts';

const ENGRAM_SECRET = 'a secret that is long enough for tests';
const load = (env: Record<string, string>) => loadConfig({ ENGRAM_SECRET, ...env });
const STRIPE = {
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
};

const WATCH_PROBLEM =
  'must be absolute folder paths, each followed by a colon and the address of its account, such as /srv/scans:me@example.org, separated by commas';

/** The messages about an invalid environment. */
function problemsOf(env: Record<string, string>): string[] {
  try {
    load(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n');
    throw error;
  }
  return [];
}

test('no setting is required, and an empty value counts as not set', () => {
  const empty = Object.values(settings).map(({ env }) => [env, ' '] as const);
  const { limits, port, adminEmails } = loadConfig({
    ...Object.fromEntries(empty),
    ENGRAM_SECRET,
  });
  expect({ limits, port, adminEmails }).toEqual({ limits: 'off', port: 3000, adminEmails: [] });
});

describe('limit settings', () => {
  test.each<[Record<string, string>, 'enforce' | 'off']>([
    [{}, 'off'],
    [STRIPE, 'enforce'],
    [{ ...STRIPE, ENGRAM_LIMITS: 'off' }, 'off'],
    [{ ENGRAM_LIMITS: 'enforce' }, 'enforce'],
  ])('limits with %j are %s', (env, limits) => {
    expect(load(env).limits).toBe(limits);
  });
});

test('watched folders name the addresses of their accounts, on every system', () => {
  const ENGRAM_WATCH =
    '/srv/a b: Me@Example.org , C:\\Scans:me@example.org,\\\\nas\\c:d:bob@example.org,';
  expect(load({ ENGRAM_WATCH }).watch).toEqual([
    { folder: '/srv/a b', email: 'me@example.org' },
    { folder: 'C:\\Scans', email: 'me@example.org' },
    { folder: '\\\\nas\\c:d', email: 'bob@example.org' },
  ]);
});

test('a mailbox may name its account and what happens to stored messages', () => {
  const ENGRAM_MAIL_IN =
    'imaps://scans%40example.org:a%2Cb%3A%2F@imap.example.org/INBOX:Me@example.org, ' +
    'imap://bob:secret@10.0.0.5:1143/Archive/To%20do?after=move:Done:bob@example.org, ' +
    'imap+starttls://bob:secret@imap.example.org/INBOX?after=read:bob@example.org, ' +
    'imaps://scans:secret@imap.example.org/INBOX, imaps://bob:a@[::1]:1993/In?after=move:Done';
  expect(load({ ENGRAM_MAIL_IN }).mailIn).toEqual([
    {
      email: 'me@example.org',
      host: 'imap.example.org',
      port: 993,
      security: 'tls',
      username: 'scans@example.org',
      password: 'a,b:/',
      folder: 'INBOX',
      afterStoring: 'leave',
      moveTo: null,
    },
    expect.objectContaining({
      host: '10.0.0.5',
      port: 1143,
      security: 'none',
      folder: 'Archive/To do',
      afterStoring: 'move',
      moveTo: 'Done',
    }),
    expect.objectContaining({ port: 143, security: 'starttls', afterStoring: 'read' }),
    expect.objectContaining({ email: null, host: 'imap.example.org', folder: 'INBOX' }),
    expect.objectContaining({ email: null, port: 1993, folder: 'In', moveTo: 'Done' }),
  ]);
});

test.each([
  'imaps://me:hunter2@imap.example.org',
  'imaps://me:hunter2@imap.example.org:me@example.org',
  'imaps://me@imap.example.org/INBOX:me@example.org',
  'https://me:hunter2@imap.example.org/INBOX:me@example.org',
  'imaps://me:hunter2@imap.example.org/INBOX?after=delete:me@example.org',
  'hunter2',
])('an incomplete mailbox is refused, and the message contains no password: %s', (value) => {
  const [problem, ...others] = problemsOf({ ENGRAM_MAIL_IN: value });
  expect(problem).toMatch(/^ENGRAM_MAIL_IN must be imaps:\/\/user:password@host\/FOLDER, such as/u);
  expect(problem).not.toContain('hunter2');
  expect(others).toEqual([]);
});

test('files are stored in a folder or a bucket', () => {
  for (const ENGRAM_FILES of [
    '/srv/files',
    'files',
    'C:\\Files',
    's3://engram',
    's3://my.bucket/a/b/',
  ]) {
    expect(load({ ENGRAM_FILES }).files).toBe(ENGRAM_FILES);
  }
  for (const ENGRAM_FILES of [
    's3://',
    's3:engram',
    's3://B',
    's3://engram/a b',
    'https://x.example',
  ]) {
    expect(problemsOf({ ENGRAM_FILES })).toEqual([
      'ENGRAM_FILES must be a folder, or s3://bucket or s3://bucket/prefix.',
    ]);
  }
});

test('the search index is in the data folder or in OpenSearch', () => {
  const ENGRAM_SEARCH = 'https://engram:secret@search.example.org:9200/path';
  expect(load({ ENGRAM_SEARCH })).toMatchObject({ search: ENGRAM_SEARCH, searchIndex: 'engram' });
  expect(problemsOf({ ENGRAM_SEARCH: 'search.example.org', ENGRAM_SEARCH_INDEX: 'Ours' })).toEqual([
    'ENGRAM_SEARCH must be an http or https address.',
    'ENGRAM_SEARCH_INDEX must consist of lower-case letters, digits, dots, hyphens and underscores.',
  ]);
});

describe('payment settings', () => {
  const enforced = { ENGRAM_LIMITS: 'enforce' };
  const reachable = { ENGRAM_PUBLIC_URL: 'https://engram.example.org' };
  test.each<[Record<string, string>, 'stripe' | 'sandbox' | 'off']>([
    [{}, 'sandbox'],
    [enforced, 'sandbox'],
    [reachable, 'sandbox'],
    [{ HOST: '0.0.0.0' }, 'sandbox'],
    [{ ...enforced, ...reachable }, 'off'],
    [{ ...enforced, HOST: '0.0.0.0' }, 'off'],
    [{ ...enforced, HOST: '::1' }, 'sandbox'],
    [{ ...STRIPE, HOST: '0.0.0.0' }, 'stripe'],
    [{ ...STRIPE, ENGRAM_PAYMENTS: 'sandbox' }, 'sandbox'],
    [{ ...enforced, ...reachable, ENGRAM_PAYMENTS: 'sandbox' }, 'sandbox'],
    [{ ...STRIPE, ENGRAM_PAYMENTS: 'stripe' }, 'stripe'],
    [{ ENGRAM_PAYMENTS: 'off' }, 'off'],
  ])('payments with %j are %s', (env, payments) => {
    expect(load(env).payments).toBe(payments);
  });

  test('payments through Stripe need its keys', () => {
    expect(problemsOf({ ENGRAM_PAYMENTS: 'stripe' })).toEqual([
      'STRIPE_SECRET_KEY is missing: Stripe needs all three.',
      'STRIPE_PUBLISHABLE_KEY is missing: Stripe needs all three.',
      'STRIPE_WEBHOOK_SECRET is missing: Stripe needs all three.',
    ]);
  });
});

describe('invalid values', () => {
  test.each([
    ['PORT', 'eighty', 'must be a number'],
    ['PORT', '65536', 'must be at most 65535'],
    ['PORT', '80.5', 'must be a whole number'],
    ['ENGRAM_CALL_BURST', '0', 'must be above 0'],
    ['ENGRAM_RATE_LIMITS', 'never', 'must be one of: on, off'],
    ['ENGRAM_LIMITS', 'on', 'must be one of: enforce, off'],
    ['ENGRAM_SIGNUP', 'maybe', 'must be one of: open, invited, closed'],
    ['ENGRAM_SECRET', 'short', 'must have at least 32 characters'],
    ['ENGRAM_PUBLIC_URL', 'engram.example.org', 'must be an http or https address'],
    ['ENGRAM_ADMIN_EMAILS', 'ann@example.org, bob', 'must be mail addresses, separated by commas'],
    ['ENGRAM_WATCH', '/srv/scans', WATCH_PROBLEM],
    ['ENGRAM_WATCH', 'C:\\Scans', WATCH_PROBLEM],
    ['ENGRAM_WATCH', 'scans:me@example.org', WATCH_PROBLEM],
    ['ENGRAM_WATCH', '/srv/scans:me@example.org, /srv/more:bob', WATCH_PROBLEM],
    ['MAIL_FROM', 'Engram', 'must be a mail address, also as Name <address>'],
    [
      'ENGRAM_TRUST_PROXY',
      'nginx',
      'must be true, false, a number of hops, or addresses separated by commas',
    ],
    ['ENGRAM_CONTACT_EMAIL', 'me', 'must be a mail address'],
    ['ENGRAM_CONTACT_PHONE', '5'.repeat(41), 'must have at most 40 characters'],
    ['ENGRAM_CONTACT_POSITION', '91,0', 'must be a latitude up to 90 and a longitude up to 180'],
    ['ENGRAM_TIME_ZONE', 'Mars/Olympus', 'must be an IANA time zone, such as Europe/Berlin'],
    ['ENGRAM_BLOG_FEED', 'file:///etc/passwd', 'must be an http or https address'],
  ])(
    'an invalid value is reported with the name of its variable: %s=%s',
    (name, value, problem) => {
      expect(problemsOf({ [name]: value })).toEqual([`${name} ${problem}.`]);
    },
  );

  test('all invalid values are reported together', () => {
    expect(problemsOf({ PORT: '-1', ENGRAM_OCR: '1' })).toEqual([
      'PORT must be at least 0.',
      'ENGRAM_OCR must be one of: on, off.',
    ]);
  });

  test.each(['true', '2', '10.0.0.1, 2001:db8::/32', 'loopback'])(
    'ENGRAM_TRUST_PROXY=%s is accepted',
    (value) => {
      expect(problemsOf({ ENGRAM_TRUST_PROXY: value })).toEqual([]);
    },
  );
});

describe('Stripe keys', () => {
  test('all of Stripe’s keys are required, or none', () => {
    expect(problemsOf({ STRIPE_SECRET_KEY: 'sk_live_1' })).toEqual([
      'STRIPE_PUBLISHABLE_KEY is missing: Stripe needs all three.',
      'STRIPE_WEBHOOK_SECRET is missing: Stripe needs all three.',
    ]);
  });

  test('swapped keys are refused, and error messages do not repeat them', () => {
    const mixed = {
      STRIPE_SECRET_KEY: STRIPE.STRIPE_PUBLISHABLE_KEY,
      STRIPE_PUBLISHABLE_KEY: STRIPE.STRIPE_SECRET_KEY,
      STRIPE_WEBHOOK_SECRET: STRIPE.STRIPE_WEBHOOK_SECRET,
    };
    expect(problemsOf(mixed)).toEqual([
      'STRIPE_SECRET_KEY must begin with sk_ or rk_.',
      'STRIPE_PUBLISHABLE_KEY must begin with pk_.',
    ]);
  });
});
