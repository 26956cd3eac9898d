import { listSecurityEvents, pauseWebhook, resendWebhookDelivery } from '@engram/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { retryNow } from '../../../platform/jobs/tests/jobs.test-setup.ts';
import { answer, silence } from './receiver.test-setup.ts';
import {
  DAY,
  HOUR,
  input,
  MINUTE,
  QUEUE,
  signatureBy,
  useWebhooks,
} from './webhooks.test-setup.ts';

const context = useWebhooks();
const { add, attempted, deliveriesOf, engram, retryAfter, sendTest, upload, webhooksOf } = context;

// The database's clock is behind, so that a retry waits until the test makes it due.
beforeAll(() => engram.advance(HOUR));

describe('an attempt that fails', () => {
  test('is repeated with the same ID, a new signature and increasing delays until it succeeds', async () => {
    const { id: webhookId, secret } = await add();
    context.receiver.behave(answer(500), answer(429), answer(200));
    await upload('a.txt', 'The mill has two wheels.');
    const { id, ...first } = await attempted(webhookId, 1);
    expect(first).toMatchObject({ state: 'waiting', status: 500, error: null });
    const delayOf = ({ attemptedAt, nextAttemptAt }: typeof first) =>
      Date.parse(nextAttemptAt ?? '') - Date.parse(attemptedAt ?? '');
    expect(delayOf(first)).toBeGreaterThanOrEqual(4000);
    expect(delayOf(first)).toBeLessThanOrEqual(6000);

    await retryAfter(id, 6000);
    const second = await attempted(webhookId, 2);
    expect(second).toMatchObject({ state: 'waiting', status: 429 });
    expect(delayOf(second)).toBeGreaterThanOrEqual(4 * MINUTE);

    await retryAfter(id, 6 * MINUTE);
    expect(await attempted(webhookId, 3)).toMatchObject({ state: 'delivered', status: 200 });
    expect(new Set(context.receiver.requests.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set([id]),
    );
    const times = context.receiver.requests.map(({ headers }) =>
      Number(headers['webhook-timestamp']),
    );
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(new Set(times).size).toBe(3);
    for (const request of context.receiver.requests) {
      expect(request.headers['webhook-signature']).toBe(signatureBy(secret, request));
    }
  });

  test('seven times ends the delivery, which only its user can send again', async () => {
    const { id: webhookId } = await add();
    context.receiver.behave(answer(500));
    await upload('a.txt', 'The mill has two wheels.');
    let { id } = await attempted(webhookId, 1);
    for (let attempts = 2; attempts <= 7; attempts += 1) {
      await retryAfter(id, 12 * HOUR);
      ({ id } = await attempted(webhookId, attempts));
    }
    await engram.settled();
    expect(await deliveriesOf(webhookId)).toMatchObject([
      { state: 'failed', attempts: 7, nextAttemptAt: null },
    ]);
    context.receiver.behave(answer(200));
    await context.ann.client.call(resendWebhookDelivery, {
      params: { id: webhookId, deliveryId: id },
    });
    await engram.settled();
    expect(await deliveriesOf(webhookId)).toMatchObject([{ state: 'delivered', attempts: 8 }]);
  });

  test('for five days disables the webhook, until its user resumes it', async () => {
    const { id } = await add();
    context.receiver.behave(answer(500));
    await sendTest(id);
    expect((await webhooksOf())[0]?.failingSince).not.toBeNull();
    engram.advance(4 * DAY);
    await sendTest(id);
    expect((await webhooksOf())[0]?.state).toBe('active');
    engram.advance(DAY);
    await sendTest(id);
    expect((await webhooksOf())[0]?.state).toBe('failing');

    await upload('a.txt', 'The mill has two wheels.');
    await engram.settled();
    expect(context.receiver.requests).toHaveLength(3);
    const user = await engram.signIn(context.ann.email);
    const { data } = await user.client.call(pauseWebhook, {
      ...input(id),
      body: { paused: false },
    });
    expect(data).toMatchObject({ state: 'active', failingSince: null });
    const { data: events } = await user.client.call(listSecurityEvents, { query: {} });
    expect(events.map(({ kind }) => kind)).toContain('webhook_disabled');
  });

  test('with status 410 disables the webhook, and ends its waiting deliveries', async () => {
    const { id } = await add();
    context.receiver.behave(answer(500), answer(410));
    await upload('a.txt', 'The mill has two wheels.');
    await attempted(id, 1);
    await upload('b.txt', 'The ferry sails at noon.');
    await expect.poll(async () => (await webhooksOf())[0]?.state).toBe('gone');
    expect(await deliveriesOf(id)).toMatchObject([
      { state: 'failed', status: 410, attempts: 1 },
      {
        state: 'failed',
        status: 500,
        error: 'The webhook was disabled before this event was sent.',
        nextAttemptAt: null,
      },
    ]);
    await upload('c.txt', 'The lease ends in May.');
    await retryNow(engram.deps, QUEUE, (await deliveriesOf(id))[1]?.id ?? '');
    await engram.settled();
    expect(context.receiver.requests).toHaveLength(2);
  });

  test('because the server was killed is repeated', async () => {
    const { id } = await add();
    context.receiver.behave(silence);
    await upload('a.txt', 'The mill has two wheels.');
    await context.receiver.received(1);
    // The state after a kill: the job belongs to a process that sends no heartbeat.
    await engram.deps.database.pool.query('DELETE FROM job_workers');
    await engram.deps.jobs.stop({ graceful: false });
    context.receiver.behave(answer(200));
    await engram.deps.jobs.start();
    await engram.settled();
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'delivered', attempts: 1 }]);
    const ids = context.receiver.requests.map(({ headers }) => headers['webhook-id']);
    expect(ids).toEqual([ids[0], ids[0]]);
  });
});
