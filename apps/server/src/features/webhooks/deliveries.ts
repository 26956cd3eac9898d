import { and, eq, lte, ne, or, sql } from 'drizzle-orm';
import type { Core } from '../../composition/core.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Job } from '../../platform/jobs/jobs.ts';
import { retryDelayMs } from './retry-delay.ts';
import { type Attempt, createWebhookSecrets, sendWebhook } from './send-webhook.ts';
import { DELIVERY_QUEUE, type DeliveryJob, enqueueDelivery } from './webhook-events.ts';
import {
  type DeliveryRow,
  webhookDeliveries,
  type WebhookRow,
  webhooks,
} from './webhooks.tables.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How long the previous secret also signs. */
const ROTATION_MS = DAY_MS;
/** If all deliveries fail for this time, the webhook is disabled. */
const FAILING_MS = 5 * DAY_MS;

const RETENTION_MS = 30 * DAY_MS;
const MAX_STORED = 100;

const CONCURRENCY = 16;
/** Prevents one user's slow receivers from delaying other users' events. */
const USER_CONCURRENCY = 4;
const TIMEOUT_SECONDS = 60;

const GONE = 410;

/** The state of a delivery after an attempt. It waits if there is a retry. */
function nextState(
  webhook: WebhookRow,
  { type, attempts }: DeliveryRow,
  { status }: Attempt,
): DeliveryRow['state'] {
  if (status !== null && status >= 200 && status < 300) return 'delivered';
  const isRetried = webhook.state === 'active' && type !== 'webhook.test' && status !== GONE;
  return isRetried && retryDelayMs(attempts + 1) !== null ? 'waiting' : 'failed';
}

/** Why an attempt disables an active webhook, or null. */
function disabledBy(
  { status }: Attempt,
  state: DeliveryRow['state'],
  failingSince: Date | null,
  time: Date,
): 'gone' | 'failing' | null {
  if (status === GONE) return 'gone';
  const isFailing = failingSince !== null && failingSince.getTime() <= time.getTime() - FAILING_MS;
  // A pending retry may still succeed.
  return isFailing && state === 'failed' ? 'failing' : null;
}

/** Fails the waiting deliveries of a webhook. Their jobs then do nothing. */
export const failWaiting = (tx: Transaction, webhookId: string, error: string) =>
  tx
    .update(webhookDeliveries)
    .set({ state: 'failed', error, nextAttemptAt: null })
    .where(and(eq(webhookDeliveries.webhookId, webhookId), eq(webhookDeliveries.state, 'waiting')));

/** Runs the jobs that send events, and records their attempts. */
export function createDeliveries(core: Core) {
  const { storage, providers, config, securityEvents, log, now, userAgent } = core;
  const { database, jobs } = storage;
  const { db } = database;
  const sender = { ...providers.outside(), userAgent };
  const secrets = createWebhookSecrets(config.secret);

  const secretsOf = ({ secretId, previousSecretId, rotatedAt }: WebhookRow): Buffer[] => {
    const isRecent = rotatedAt && rotatedAt.getTime() > now().getTime() - ROTATION_MS;
    const ids = previousSecretId && isRecent ? [secretId, previousSecretId] : [secretId];
    return ids.map(secrets.secretOf);
  };

  const send = (
    webhook: WebhookRow,
    { id, type, data, createdAt }: DeliveryRow,
    signal: AbortSignal,
  ) => {
    const body = JSON.stringify({ id, type, createdAt: createdAt.toISOString(), data });
    const message = { url: webhook.url, id, sentAt: now(), body, secrets: secretsOf(webhook) };
    return sendWebhook(message, sender, signal);
  };

  /** Stores an attempt and updates the webhook. Returns whether the webhook was disabled. */
  const record = (webhookId: string, deliveryId: string, attempt: Attempt): Promise<boolean> =>
    database.transaction(async (tx) => {
      const isWebhook = eq(webhooks.id, webhookId);
      const isWaiting = and(
        eq(webhookDeliveries.id, deliveryId),
        eq(webhookDeliveries.state, 'waiting'),
      );
      const [webhook] = await tx.select().from(webhooks).where(isWebhook).for('no key update');
      const [delivery] = await tx.select().from(webhookDeliveries).where(isWaiting);
      // The webhook was just removed or paused.
      if (!webhook || !delivery) return false;
      const time = now();
      const attempts = delivery.attempts + 1;
      const state = nextState(webhook, delivery, attempt);
      const nextAttemptAt =
        state === 'waiting' ? new Date(time.getTime() + (retryDelayMs(attempts) ?? 0)) : null;
      await tx
        .update(webhookDeliveries)
        .set({ ...attempt, state, attempts, attemptedAt: time, nextAttemptAt })
        .where(isWaiting);
      if (nextAttemptAt) {
        const next = { id: deliveryId, startAfter: nextAttemptAt };
        await enqueueDelivery(jobs, tx, webhook.userId, next);
      }
      const failingSince = state === 'delivered' ? null : (webhook.failingSince ?? time);
      const disabled =
        webhook.state === 'active' ? disabledBy(attempt, state, failingSince, time) : null;
      if (disabled === null && failingSince === webhook.failingSince) return false;
      const changes = { failingSince, ...(disabled === null ? {} : { state: disabled }) };
      await tx.update(webhooks).set(changes).where(isWebhook);
      if (disabled === null) return false;
      await failWaiting(tx, webhookId, 'The webhook was disabled before this event was sent.');
      return true;
    });

  const handle = async ({ data: { deliveryId }, signal }: Job<DeliveryJob>): Promise<void> => {
    const [row] = await db
      .select({ webhook: webhooks, delivery: webhookDeliveries })
      .from(webhookDeliveries)
      .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
      .where(and(eq(webhookDeliveries.id, deliveryId), eq(webhookDeliveries.state, 'waiting')));
    if (!row) return;
    const { webhook, delivery } = row;
    const attempt = await send(webhook, delivery, signal);
    // Rethrown, so that an interrupted attempt is repeated.
    if (signal.aborted && attempt.status === null) throw signal.reason;
    if (!(await record(webhook.id, deliveryId, attempt))) return;
    const { userId, url } = webhook;
    const app = new URL(url).host;
    await securityEvents.record({ kind: 'webhook_disabled', userId, ip: '', app });
  };

  jobs.define<DeliveryJob>(DELIVERY_QUEUE, {
    handler: handle,
    concurrency: CONCURRENCY,
    groupConcurrency: USER_CONCURRENCY,
    timeoutSeconds: TIMEOUT_SECONDS,
    // For failures of this server. Failed receivers have a separate schedule.
    retryLimit: 12,
    retryDelaySeconds: 5,
    onFailed: async ({ deliveryId }, error) => {
      log.error({ err: error, deliveryId }, 'a webhook delivery was not sent');
      await db
        .update(webhookDeliveries)
        .set({ state: 'failed', error: 'Engram could not send this event.', nextAttemptAt: null })
        .where(eq(webhookDeliveries.id, deliveryId));
    },
  });

  return {
    secretTextOf: secrets.textOf,

    /** Deletes a user's jobs, and aborts running ones. */
    async cancel(userId: string): Promise<void> {
      const unfinished = (await jobs.unfinished(DELIVERY_QUEUE, userId)) as DeliveryJob[];
      await jobs.cancel(DELIVERY_QUEUE, ...unfinished.map(({ deliveryId }) => deliveryId));
    },

    /** Deletes deliveries that are older than 30 days, or than the last 100 of their webhook. */
    async cleanUp(): Promise<void> {
      const before = new Date(now().getTime() - RETENTION_MS);
      const { id, webhookId, createdAt, state } = webhookDeliveries;
      const surplus = sql`${id} IN (
        SELECT id FROM (
          SELECT id, row_number() OVER (PARTITION BY ${webhookId}
            ORDER BY ${createdAt} DESC, ${id} DESC) AS position
          FROM ${webhookDeliveries}) AS ranked
        WHERE position > ${MAX_STORED})`;
      await db
        .delete(webhookDeliveries)
        .where(and(ne(state, 'waiting'), or(lte(createdAt, before), surplus)));
    },
  };
}

export type Deliveries = ReturnType<typeof createDeliveries>;
