import {
  deleteAccount,
  deleteWebhook,
  listSecurityEvents,
  pauseWebhook,
  rotateWebhookSecret,
} from '@engram/contract';
import { describe, expect, test } from 'vitest';
import { answer } from './receiver.test-setup.ts';
import { DAY, input, MINUTE, QUEUE, signatureBy, useWebhooks } from './webhooks.test-setup.ts';

const context = useWebhooks();
const {
  add,
  ask,
  attempted,
  deliveriesOf,
  engram,
  newUser,
  retryAfter,
  sendTest,
  upload,
  webhooksOf,
} = context;

const bodies = () =>
  context.receiver.requests.map(({ body }) => JSON.parse(body) as { data: object });

describe('what is sent', () => {
  test('a ready file and an answered question are sent signed, with IDs and small fields', async () => {
    const { secret } = await add();
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/u);
    const file = await upload('Lease.txt', 'The lease ends with three months notice.');
    await engram.settled();
    const answer = await ask('When does the lease end?');
    await engram.settled();

    expect(bodies()).toEqual([
      {
        id: context.receiver.requests[0]?.headers['webhook-id'],
        type: 'file.ready',
        createdAt: expect.any(String),
        data: { id: file, name: 'Lease.txt', state: 'ready', error: null },
      },
      {
        id: context.receiver.requests[1]?.headers['webhook-id'],
        type: 'question.answered',
        createdAt: expect.any(String),
        data: {
          id: answer.history_id,
          question: 'When does the lease end?',
          grounded: true,
          mode: 'found',
          files: [file],
        },
      },
    ]);
    for (const request of context.receiver.requests) {
      const { headers } = request;
      expect(headers['webhook-signature']).toBe(signatureBy(secret, request));
      expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(60);
      expect(headers).toMatchObject({ 'content-type': 'application/json' });
      expect(headers['user-agent']).toMatch(/^Engram\//u);
    }
  });

  test('a failed file is sent with the reason', async () => {
    await add({ events: ['file.failed'] });
    const id = await upload('broken.pdf', '%PDF-1.4 and no more');
    await upload('fine.txt', 'The mill has two wheels.');
    await engram.settled();
    expect(bodies().map(({ data }) => data)).toEqual([
      { id, name: 'broken.pdf', state: 'failed', error: expect.stringMatching(/\.$/u) },
    ]);
  });

  test("another user's events are never sent, and neither are those of a paused webhook", async () => {
    const bob = await newUser();
    const { id } = await add();
    await upload('bobs.txt', 'The mill has two wheels.', bob);
    await ask('How many wheels has the mill?', bob);
    await engram.settled();
    expect(context.receiver.requests).toEqual([]);

    await context.ann.client.call(pauseWebhook, { ...input(id), body: { paused: true } });
    await upload('while-paused.txt', 'The ferry sails at noon.');
    await engram.settled();
    expect(context.receiver.requests).toEqual([]);

    await context.ann.client.call(pauseWebhook, { ...input(id), body: { paused: false } });
    await upload('resumed.txt', 'The ferry sails at one.');
    await engram.settled();
    expect(bodies()).toMatchObject([{ data: { name: 'resumed.txt' } }]);
  });

  test('a test is sent once, even to a paused webhook, and is listed with its response', async () => {
    const { id } = await add();
    await context.ann.client.call(pauseWebhook, { ...input(id), body: { paused: true } });
    context.receiver.behave(answer(503));
    await sendTest(id);
    expect(bodies()).toMatchObject([{ type: 'webhook.test', data: {} }]);
    expect(await deliveriesOf(id)).toMatchObject([
      { type: 'webhook.test', state: 'failed', status: 503, attempts: 1, nextAttemptAt: null },
    ]);
  });
});

describe('a webhook', () => {
  test.each([
    [
      'ftp://example.org/',
      'not_a_web_address',
      'A web address must begin with https:// or http://.',
    ],
    [
      'https://10.0.0.1/hook',
      'closed_address',
      '10.0.0.1 is not on the public internet, so Engram sends nothing to it. The operator of this server can allow it.',
    ],
    ['https://[::1]:8443/', 'closed_address', expect.stringMatching(/^\[::1\]:8443 is not on/u)],
    ['https://169.254.169.254/', 'closed_address', expect.any(String)],
    [
      'http://1.1.1.1/hook',
      'https_needed',
      'The address of a webhook on the internet must begin with https://.',
    ],
    [
      'https://user:word@1.1.1.1/',
      'address_with_password',
      'Please remove the user name and password from the address.',
    ],
    ['', 'invalid_request', 'Please enter a web address.'],
  ])('with the address %s is refused with the reason', async (url, code, message) => {
    await expect(add({ url })).rejects.toMatchObject({ status: 400, code, message });
  });

  test('needs an event, and a user can have ten', async () => {
    await expect(add({ events: [] })).rejects.toMatchObject({
      message: 'Please choose at least one event.',
    });
    for (let count = 0; count < 10; count += 1) await add({ url: `https://1.1.1.1/${count}` });
    await expect(add()).rejects.toMatchObject({ status: 409, code: 'too_many_webhooks' });
    expect(await webhooksOf()).toHaveLength(10);
  });

  test('whose address becomes private gets nothing', async () => {
    const { id } = await add({ description: 'Home server' });
    await engram.deps.database.pool.query(
      `UPDATE webhooks SET url = 'https://10.0.0.1/hook' WHERE id = $1`,
      [id],
    );
    await sendTest(id);
    expect(await deliveriesOf(id)).toMatchObject([
      {
        status: null,
        error: '10.0.0.1 is not on the public internet, so Engram sends nothing to it.',
      },
    ]);
  });

  test('signs with its old secret too for a day after a rotation, and no list shows a secret', async () => {
    const { id, secret } = await add();
    const { data: rotated } = await context.ann.client.call(rotateWebhookSecret, input(id));
    expect(rotated.secret).not.toBe(secret);
    const signed = async () => {
      await sendTest(id);
      const request = context.receiver.requests.at(-1)!;
      return { request, signature: request.headers['webhook-signature'] };
    };
    const soon = await signed();
    expect(soon.signature).toBe(
      [rotated.secret, secret].map((key) => signatureBy(key, soon.request)).join(' '),
    );
    engram.advance(DAY);
    const later = await signed();
    expect(later.signature).toBe(signatureBy(rotated.secret, later.request));

    const { rows } = await engram.deps.database.pool.query<{ text: string }>(
      'SELECT row::text AS text FROM webhooks AS row WHERE id = $1',
      [id],
    );
    const listed = JSON.stringify(await webhooksOf());
    for (const shown of [secret, rotated.secret]) {
      const [, key = ''] = shown.split('whsec_');
      expect(listed + rows[0]?.text).not.toContain(key);
    }
  });

  test('that is removed while a retry is waiting gets no more events', async () => {
    const { id: webhookId } = await add();
    context.receiver.behave(answer(500));
    await upload('a.txt', 'The mill has two wheels.');
    const { id } = await attempted(webhookId, 1);
    await context.ann.client.call(deleteWebhook, input(webhookId));
    await retryAfter(id, MINUTE);
    await engram.settled();
    expect(context.receiver.requests).toHaveLength(1);
    const { data: events } = await context.ann.client.call(listSecurityEvents, { query: {} });
    expect(events.map(({ kind, app }) => ({ kind, app }))).toEqual(
      expect.arrayContaining([
        { kind: 'webhook_removed', app: new URL(context.receiver.url).host },
        { kind: 'webhook_added', app: new URL(context.receiver.url).host },
      ]),
    );
  });

  test('of a deleted account gets no more events, and leaves no job', async () => {
    const { id: webhookId } = await add();
    context.receiver.behave(answer(500));
    await upload('a.txt', 'The mill has two wheels.');
    await attempted(webhookId, 1);
    await context.ann.client.call(deleteAccount, { body: { email: context.ann.email } });
    await engram.settled();
    const { rows } = await engram.deps.database.pool.query('SELECT FROM jobs WHERE queue = $1', [
      QUEUE,
    ]);
    expect(rows).toEqual([]);
    expect(context.receiver.requests).toHaveLength(1);
  });

  test('keeps its last 100 deliveries for 30 days, and all that are waiting', async () => {
    const { id } = await add();
    const { pool } = engram.deps.database;
    const insert = (state: string, count: number) =>
      pool.query(
        `INSERT INTO webhook_deliveries (id, webhook_id, type, data, state, created_at)
         SELECT gen_random_uuid(), $1, 'file.ready', '{}', $2, $3::timestamptz + n * interval '1 s'
         FROM generate_series(1, $4) AS n`,
        [id, state, engram.deps.now(), count],
      );
    await insert('waiting', 5);
    await insert('delivered', 120);
    const { cleanUp } = engram.deps.services.webhooks;
    await cleanUp();
    const states = async () =>
      Map.groupBy(await deliveriesOf(id), ({ state }) => state)
        .entries()
        .map(([state, { length }]) => `${length} ${state}`)
        .toArray()
        .toSorted();
    expect(await states()).toEqual(['100 delivered', '5 waiting']);
    engram.advance(31 * DAY);
    await cleanUp();
    context.ann = await engram.signIn(context.ann.email);
    expect(await states()).toEqual(['5 waiting']);
  });
});
