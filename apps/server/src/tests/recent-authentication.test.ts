import {
  confirmSession,
  deleteAccount,
  generateApiKey,
  generateCode,
  getProfile,
  routes,
  signExport,
} from '@engram/contract';
import { expect, test } from 'vitest';
import { plainCalls } from './plain-calls.test-setup.ts';
import type { SignedInUser } from './app.test-setup.ts';
import { useTestApp } from './use-app.test-setup.ts';

const MINUTE = 60_000;
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const STALE = {
  status: 403,
  code: 'fresh_code_needed',
  message: 'You signed in more than 15 minutes ago. Please confirm with a new code that it is you.',
};

const engram = useTestApp({ env: { ENGRAM_RATE_LIMITS: 'on' } });
let userCount = 0;

/** A user who signed in slightly too long ago for sensitive calls. */
async function newUser(ageMs = 15 * MINUTE + 1000): Promise<SignedInUser> {
  userCount += 1;
  const person = await engram.signIn(`ann${userCount}@example.org`);
  engram.advance(ageMs);
  return person;
}

async function newCode({ email }: SignedInUser): Promise<string> {
  await engram.anonymous.call(generateCode, { body: { email } });
  const mail = engram.mails.findLast(({ to }) => to === email)?.text ?? '';
  return /\b\d{6}\b/u.exec(mail)?.[0] ?? '';
}

const confirm = ({ client }: SignedInUser, code: string) =>
  client.call(confirmSession, { body: { code } });

/** The response to an export link for a session of 16 minutes that was just renewed. */
async function renewedCall(ann: SignedInUser): Promise<{ status: number }> {
  const { call } = plainCalls(engram);
  const body = { email: ann.email, code: await newCode(ann) };
  const { headers } = await call('POST /auth/otp/validate', { body });
  const [cookie = ''] = headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
  engram.advance(16 * MINUTE);
  const renewed = await call('POST /auth/refresh', { headers: { cookie }, body: {} });
  const { token } = renewed.answer['data'] as { token: string };
  return call('POST /account/export/link', { token });
}

test('without recent authentication exactly the calls that the contract names are refused', async () => {
  const ann = await newUser();
  const { call } = plainCalls(engram);
  const fresh = routes.filter((route) => route.fresh);
  expect(fresh.map(({ id }) => id).toSorted()).toEqual([
    'apiKeys.generateApiKey',
    'connections.allowConnection',
    'connections.allowDevice',
    'passkeys.addPasskey',
    'passkeys.startPasskey',
    'portability.exportAccount',
    'portability.signExport',
    'profile.deleteAccount',
    'profile.deleteAccountByPut',
    'webhooks.addWebhook',
    'webhooks.rotateWebhookSecret',
  ]);
  for (const { method, path } of fresh) {
    const line = `${method} ${path.replace('{name}', 'Laptop')}`;
    const body = method === 'GET' ? undefined : { email: ann.email };
    const { status, answer } = await call(line, { token: ann.token, body });
    expect({ status, ...answer }).toEqual(STALE);
  }
  expect((await ann.client.call(getProfile, {})).data.email).toBe(ann.email);
});

test('a code gives recent authentication to one session only, and renewing the session does not', async () => {
  const ann = await newUser(0);
  const other = await engram.signIn(ann.email);
  engram.advance(14 * MINUTE);
  await ann.client.call(signExport, {});
  expect((await renewedCall(ann)).status).toBe(403);
  await expect(ann.client.call(signExport, {})).rejects.toMatchObject(STALE);

  await confirm(ann, await newCode(ann));
  await ann.client.call(signExport, {});
  await ann.client.call(generateApiKey, { params: { name: 'Laptop' } });
  await expect(other.client.call(signExport, {})).rejects.toMatchObject(STALE);
  engram.advance(15 * MINUTE + 1000);
  await expect(ann.client.call(signExport, {})).rejects.toMatchObject(STALE);
  await confirm(ann, await newCode(ann));
  await ann.client.call(deleteAccount, { body: { email: ann.email } });
});

test('a wrong code ends no session, and allows five tries', async () => {
  const ann = await newUser();
  const code = await newCode(ann);
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
  const outcomes: string[] = [];
  for (let n = 0; n < 6; n += 1) {
    await confirm(ann, n < 5 ? wrong : code).catch(
      (error: { status: number; code: string }) =>
        void outcomes.push(`${error.status} ${error.code}`),
    );
  }
  expect(outcomes).toEqual([
    ...Array<string>(4).fill('403 wrong_code'),
    '403 code_used_up',
    '403 code_used_up',
  ]);
  await expect(ann.client.call(signExport, {})).rejects.toMatchObject(STALE);
  await confirm(ann, await newCode(ann));
  await ann.client.call(signExport, {});
});

test('another user’s code and a used code are refused', async () => {
  const [ann, bob] = [await newUser(), await newUser()];
  const codeOfBob = await newCode(bob);
  await expect(confirm(ann, codeOfBob)).rejects.toMatchObject({ status: 403, code: 'wrong_code' });
  await confirm(bob, codeOfBob);
  await expect(confirm(bob, codeOfBob)).rejects.toMatchObject({ status: 403 });
});

test('a page of another site can neither request nor enter a code', async () => {
  const ann = await newUser();
  const { call } = plainCalls(engram);
  for (const line of ['generate', 'validate'].map((verb) => `POST /auth/otp/${verb}`)) {
    const headers = { 'sec-fetch-site': 'cross-site' };
    const sent = { headers, body: { email: ann.email, code: '000000' } };
    expect(await call(line, sent)).toMatchObject({ status: 403, answer: { code: 'cross_origin' } });
  }
  const headers = { origin: 'https://evil.example' };
  const sent = { token: ann.token, headers, body: { code: '000000' } };
  expect(await call('POST /auth/confirm', sent)).toMatchObject({
    answer: { code: 'cross_origin' },
  });
  expect(await call(`DELETE /sessions/${UNKNOWN}`, { token: ann.token })).toMatchObject({
    status: 404,
  });
});
