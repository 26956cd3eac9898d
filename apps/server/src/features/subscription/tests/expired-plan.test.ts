import { beforeAll, expect, test } from 'vitest';
import { formOf, plainCalls } from '../../../tests/plain-calls.test-setup.ts';
import type { SignedInUser } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';

const engram = useTestApp();
const calls = plainCalls(engram);
const EXPIRED = {
  message: 'Your subscription has expired. Please renew to continue accessing the services.',
  code: 'subscription_expired',
};
let eve: SignedInUser;
const asEve = (line: string, body?: unknown, headers = {}) =>
  calls.call(line, { token: eve.token, body, headers });

beforeAll(async () => {
  eve = await engram.signIn('eve@example.org');
  await asEve('POST /artifacts/upload', formOf({ artifactText: 'The key lies under the mat.' }));
  await engram.settled();
  await asEve('POST /search', { text: 'Where is the key?' });
  await engram.deps.database.pool.query(
    `UPDATE subscriptions SET status = 'Expired' WHERE user_id = $1`,
    [eve.userId],
  );
});

test('an expired plan blocks questions, streamed or not, and uploads, without side effects', async () => {
  const question = { text: 'Where is the key?' };
  const refusals = [
    await asEve('POST /search', question),
    await asEve('POST /search', question, { accept: 'text/event-stream' }),
    await asEve('POST /artifacts/upload', formOf({ artifactText: 'More.' })),
    await asEve('POST /account/import', formOf({}, { name: 'export.zip', content: 'PK' })),
  ];
  for (const { status, answer } of refusals) expect([status, answer]).toEqual([402, EXPIRED]);
  const { answer } = await asEve('GET /subscription/metrics');
  expect(answer['data']).toMatchObject({ status: 'Expired', daily_queries_used: 1 });
  expect((await asEve('GET /search/history/all')).answer['total']).toBe(1);
  expect((await asEve('GET /artifacts')).answer['total']).toBe(1);
});

test('an expired plan blocks nothing else', async () => {
  const { answer } = await asEve('GET /artifacts');
  const [file] = answer['data'] as { artifactId: string }[];
  calls.names['file'] = file?.artifactId ?? '';
  const lines = [
    'GET /user/profile',
    'GET /keywords',
    'POST /keywords/Mat',
    'GET /search/history/today',
    'GET /suggestions',
    'GET /questions/recommendations',
    'GET /artifacts/{file}/text',
    'GET /account/export',
    'POST /artifacts/{file}/true',
    'DELETE /artifacts/{file}',
    'DELETE /artifacts/all',
    'DELETE /search/history/delete',
  ];
  for (const line of lines) expect([line, (await asEve(line)).status]).toEqual([line, 200]);
});

test('an expired plan is replaced by one that is bought', async () => {
  const { answer } = await asEve('GET /subscription/active');
  const plans = answer['data'] as { name: string; priceId: string }[];
  const priceId = plans.find(({ name }) => name === 'Engram - Pro - weekly')?.priceId;
  const checkout = await asEve('POST /stripe/create-subscription', { priceId });
  const { clientSecret } = checkout.answer['data'] as { clientSecret: string };
  const card = { cardNumber: '4242 4242 4242 4242', expiry: '12/40', cvc: '123' };
  expect((await asEve(`POST /sandbox/checkout/${clientSecret}/pay`, card)).status).toBe(200);
  const lines: [string, unknown][] = [
    ['POST /artifacts/upload', formOf({ artifactText: 'The spare key is at Bo’s.' })],
    ['POST /search', { text: 'Where is the spare key?' }],
  ];
  for (const [line, body] of lines)
    expect([line, (await asEve(line, body)).status]).toEqual([line, 200]);
});
