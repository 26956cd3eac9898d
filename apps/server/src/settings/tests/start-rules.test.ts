import { describe, expect, test } from 'vitest';
import { ConfigError, loadConfig } from '../../config.ts';
import { assertMayStart, warningsAtStart } from '../start-rules.ts';

type Env = Record<string, string>;

const load = (env: Env) =>
  loadConfig({ ENGRAM_SECRET: 'a secret that is long enough for tests', ...env });
const OPEN = { HOST: '0.0.0.0' };
const MAIL = { SMTP_URL: 'smtp://mail.example.org' };
const HTTPS = { ENGRAM_PUBLIC_URL: 'https://engram.example.org' };

describe('checks at the start', () => {
  test.each<[Env]>([
    [{}],
    [{ HOST: 'localhost' }],
    [{ HOST: '::1' }],
    [{ HOST: '127.0.0.2' }],
    [{ ...OPEN, ...MAIL }],
    [{ ...OPEN, GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' }],
    [{ ...OPEN, ENGRAM_CODES_IN_LOG: 'yes' }],
  ])('a server starts with %j', (env) => {
    expect(() => assertMayStart(load(env))).not.toThrow();
  });

  test.each<[Env]>([
    [OPEN],
    [{ HOST: '::' }],
    [{ HOST: '192.168.1.4' }],
    [{ ...OPEN, GOOGLE_CLIENT_ID: 'id' }],
    [{ ...OPEN, ENGRAM_CODES_IN_LOG: 'no' }],
  ])('a server does not start with %j, and the message says what to set', (env) => {
    const start = () => assertMayStart(load(env));
    expect(start).toThrow(ConfigError);
    expect(start).toThrow(
      `HOST is ${env['HOST']}, so others can reach this server, but it cannot mail sign-in codes. Set SMTP_URL, or GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET, or ENGRAM_CODES_IN_LOG=yes if codes may be printed in the log.`,
    );
  });

  const watching = (folder: string) => () =>
    assertMayStart(
      load({ ENGRAM_WATCH: `${folder}:me@example.org`, ENGRAM_DATA_DIR: '/srv/engram/data' }),
    );

  test.each(['/srv/engram/database', '/srv/scans'])('a server may watch %s', (folder) => {
    expect(watching(folder)).not.toThrow();
  });

  test.each(['/srv/engram/data', '/srv', '/srv/engram/data/files'])(
    'a server may not watch %s, where Engram stores its own files',
    (folder) => {
      expect(watching(folder)).toThrow('Neither may contain the other.');
    },
  );

  const backingUp =
    (place: string, env: Env = {}) =>
    () =>
      assertMayStart(load({ ENGRAM_BACKUP: place, ENGRAM_DATA_DIR: '/srv/engram/data', ...env }));

  test.each(['/srv/engram/data', '/srv/engram', '/srv/engram/data/backup', '/mnt/files/backup'])(
    'a backup may not be in %s, where it would be lost with the data',
    (place) => {
      const start = backingUp(place, { ENGRAM_FILES: '/mnt/files' });
      expect(start).toThrow('Neither may contain the other.');
    },
  );

  test('a backup may be elsewhere, but not with a database server', () => {
    for (const place of ['/mnt/backup', 's3://backups/engram']) {
      expect(backingUp(place)).not.toThrow();
      const withServer = backingUp(place, { DATABASE_URL: 'postgres://localhost/engram' });
      expect(withServer).toThrow('docs/how-to/back-up-and-restore.md');
    }
  });
});

describe('warnings at the start', () => {
  const QUOTAS = { ENGRAM_LIMITS: 'enforce' };
  const NO_QUOTAS = 'Set ENGRAM_SIGNUP to invited or closed';
  const PAID = { ENGRAM_LLM: 'openai:gpt-5', OPENAI_API_KEY: 'x' };
  test.each<[Env, string[]]>([
    [{}, []],
    [{ ...OPEN, ...MAIL, ...HTTPS }, [NO_QUOTAS]],
    [{ ...OPEN, ...MAIL, ...HTTPS, ...QUOTAS }, []],
    [{ ...OPEN, ...MAIL, ...HTTPS, ENGRAM_SIGNUP: 'closed' }, []],
    [{ ...PAID, ...HTTPS, ...QUOTAS }, []],
    [{ ENGRAM_TRUST_PROXY: 'loopback' }, []],
    [PAID, []],
    [{ ...PAID, ...HTTPS, ENGRAM_SIGNUP: 'invited' }, []],
    [{ ...PAID, ...HTTPS, OPENAI_BASE_URL: 'http://127.0.0.1:8000/v1' }, [NO_QUOTAS]],
    [{ ...HTTPS, ENGRAM_LLM: 'ollama:qwen' }, [NO_QUOTAS]],
    [{ ENGRAM_TRUST_PROXY: 'true' }, ['ENGRAM_TRUST_PROXY=true']],
    [{ ENGRAM_BACKUP: '/nowhere/backup' }, ['which does not exist']],
    [{ ENGRAM_BACKUP: 's3://backups/engram' }, []],
    [{ ENGRAM_RATE_LIMITS: 'off' }, ['ENGRAM_RATE_LIMITS=off']],
    [{ ...OPEN, ...MAIL, ...QUOTAS }, ['without an https address']],
    [
      { ...OPEN, ...MAIL, ENGRAM_PUBLIC_URL: 'http://nas.lan' },
      ['without an https address', NO_QUOTAS],
    ],
    [{ ...OPEN, ...HTTPS, ENGRAM_CODES_IN_LOG: 'yes' }, ['ENGRAM_CODES_IN_LOG=yes', NO_QUOTAS]],
    [{ ...PAID, ...HTTPS }, ['including openai:gpt-5, which you pay for']],
    [
      { ...PAID, ...OPEN, ...MAIL, ENGRAM_SPEECH: 'openai:tts-1' },
      ['without an https address', 'including openai:gpt-5 and openai:tts-1, which you pay for'],
    ],
  ])('the warnings for %j contain %j', (env, parts) => {
    expect(warningsAtStart(load(env))).toEqual(
      parts.map((part) => expect.stringContaining(part) as string),
    );
  });
});
