import { createHmac, randomUUID } from 'node:crypto';
import {
  addWebhook,
  type BodyOf,
  listWebhookDeliveries,
  listWebhooks,
  search,
  testWebhook,
  uploadArtifacts,
} from '@engram/contract';
import { afterEach, beforeEach, expect } from 'vitest';
import { retryNow } from '../../../platform/jobs/tests/jobs.test-setup.ts';
import type { SignedInUser } from '../../../tests/app.test-setup.ts';
import { useTestApp } from '../../../tests/use-app.test-setup.ts';
import { type Receiver, startReceiver } from './receiver.test-setup.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const QUEUE = 'deliver-webhook';

export const input = (id: string) => ({ params: { id } });

/** The app, with a receiver and a user for each test. */
export function useWebhooks() {
  const engram = useTestApp({ env: { ENGRAM_FETCH_ALLOW: '127.0.0.1' } });
  const context = {} as { ann: SignedInUser; receiver: Receiver };

  const newUser = (): Promise<SignedInUser> => engram.signIn(`${randomUUID()}@example.org`);

  beforeEach(async () => {
    context.receiver = await startReceiver();
    context.ann = await newUser();
  });
  afterEach(async () => {
    // Retries would keep the queue from becoming idle.
    await engram.deps.database.pool.query('DELETE FROM jobs WHERE queue = $1', [QUEUE]);
    await context.receiver.close();
  });

  const deliveriesOf = async (id: string) =>
    (await context.ann.client.call(listWebhookDeliveries, { ...input(id), query: {} })).data;

  return Object.assign(context, {
    engram,
    newUser,
    deliveriesOf,

    async add(fields: Partial<BodyOf<typeof addWebhook>> = {}) {
      const events = ['file.ready' as const, 'file.failed' as const, 'question.answered' as const];
      const body = { url: context.receiver.url, events, ...fields };
      return (await context.ann.client.call(addWebhook, { body })).data;
    },

    async upload(name: string, text: string, user = context.ann): Promise<string> {
      const content = new Blob([text]);
      const { data } = await user.client.upload(uploadArtifacts, [{ name, content }], {});
      return data.artifacts[0]?.artifactId ?? '';
    },

    ask: async (text: string, user = context.ann) =>
      (await user.client.call(search, { body: { text, audio: false } })).data,

    /** Sends a test event, and waits until its delivery has ended. */
    async sendTest(id: string): Promise<void> {
      await context.ann.client.call(testWebhook, input(id));
      await engram.settled();
    },

    webhooksOf: async () => (await context.ann.client.call(listWebhooks, {})).data,

    /** The newest delivery of a webhook, once it has been attempted `attempts` times. */
    async attempted(id: string, attempts: number) {
      await expect.poll(async () => (await deliveriesOf(id))[0]?.attempts).toBe(attempts);
      const [delivery] = await deliveriesOf(id);
      return delivery!;
    },

    /** Advances the clock to the next attempt. */
    async retryAfter(id: string, ms: number): Promise<void> {
      engram.advance(ms);
      expect(await retryNow(engram.deps, QUEUE, id)).toBe(true);
    },
  });
}

/** The signature by the algorithm of Standard Webhooks. */
export function signatureBy(
  secret: string,
  { headers, body }: Receiver['requests'][number],
): string {
  const key = Buffer.from(secret.replace(/^whsec_/u, ''), 'base64');
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}
