import { randomUUID } from 'node:crypto';
import {
  addWebhook,
  deleteWebhook,
  listWebhookDeliveries,
  listWebhooks,
  pauseWebhook,
  resendWebhookDelivery,
  rotateWebhookSecret,
  testWebhook,
  type Webhook,
  WEBHOOK_LIMIT,
  type WebhookDelivery,
} from '@engram/contract';
import { and, desc, eq, inArray } from 'drizzle-orm';
import { assertUserWithin } from '../../platform/http/networks.ts';
import { lockName, newestPage } from '../../platform/database/sql.ts';
import type { Core } from '../../composition/core.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { HttpError, limitReached } from '../../platform/http/errors.ts';
import { reachOf } from '../../platform/http/guarded-fetch.ts';
import type { Mount } from '../../platform/http/mount.ts';
import { parseWebAddress } from '../../platform/http/web-address.ts';
import { createDeliveries, failWaiting } from './deliveries.ts';
import { enqueueDelivery } from './webhook-events.ts';
import {
  type DeliveryRow,
  webhookDeliveries,
  type WebhookRow,
  webhooks,
} from './webhooks.tables.ts';

/** Test events and resends per user, limited so that they cannot overload another server. */
const MANUAL_RATE = { perSecond: 0.2, burst: 20 };

const webhookNotFound = (): HttpError =>
  new HttpError(404, 'webhook_not_found', 'This webhook does not exist.');

const present = (row: WebhookRow): Webhook => ({
  id: row.id,
  url: row.url,
  events: row.events,
  description: row.description,
  state: row.state,
  failingSince: row.failingSince?.toISOString() ?? null,
  createdDate: row.createdAt.toISOString(),
});

const presentDelivery = (row: DeliveryRow): WebhookDelivery => ({
  id: row.id,
  type: row.type,
  createdDate: row.createdAt.toISOString(),
  state: row.state,
  attempts: row.attempts,
  attemptedAt: row.attemptedAt?.toISOString() ?? null,
  status: row.status,
  error: row.error,
  nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
});

/** Checks and normalizes the address of a new webhook. @throws HttpError 400 */
async function acceptedAddress(text: string, allow: readonly string[]): Promise<string> {
  const refuse = (code: string, message: string) => new HttpError(400, code, message);
  const address = parseWebAddress(text);
  const url = new URL(address);
  const reach = await reachOf(url, allow).catch(() => {
    throw refuse('unknown_host', `${url.hostname} cannot be found.`);
  });
  if (reach === 'closed') {
    throw refuse(
      'closed_address',
      `${url.host} is not on the public internet, so Engram sends nothing to it. The operator of this server can allow it.`,
    );
  }
  if (url.protocol === 'http:' && reach === 'open') {
    throw refuse(
      'https_needed',
      'The address of a webhook on the internet must begin with https://.',
    );
  }
  return address;
}

export function createWebhooksService(core: Core) {
  const { config, storage, limits, securityEvents, now } = core;
  const { database, jobs } = storage;
  const { db } = database;
  const deliveries = createDeliveries(core);
  const manualLimit = limits.limitOf('webhook sends', MANUAL_RATE);

  const isOwn = (userId: string, id: string) =>
    and(eq(webhooks.id, id), eq(webhooks.userId, userId));

  const find = async (userId: string, id: string): Promise<WebhookRow> => {
    const [row] = await db.select().from(webhooks).where(isOwn(userId, id));
    if (!row) throw webhookNotFound();
    return row;
  };

  const assertMaySend = (userId: string): Promise<void> =>
    assertUserWithin(manualLimit, userId, 'You are sending too many events. Please wait a moment.');

  /** Pauses a webhook and ends its retries, or resumes it. */
  const pause = (userId: string, id: string, paused: boolean): Promise<Webhook> =>
    database.transaction(async (tx) => {
      const changes = paused
        ? ({ state: 'paused' } as const)
        : ({ state: 'active', failingSince: null } as const);
      const [row] = await tx.update(webhooks).set(changes).where(isOwn(userId, id)).returning();
      if (!row) throw webhookNotFound();
      if (paused) await failWaiting(tx, id, 'The webhook was paused before this event was sent.');
      return present(row);
    });

  const hostOf = ({ url }: Pick<WebhookRow, 'url'>): string => new URL(url).host;

  return {
    routes(mount: Mount): void {
      mount(listWebhooks, async ({ caller }) => {
        const rows = await db
          .select()
          .from(webhooks)
          .where(eq(webhooks.userId, caller.userId))
          .orderBy(desc(webhooks.createdAt), desc(webhooks.id));
        return { data: rows.map(present) };
      });
      mount(addWebhook, async ({ caller, body: { url, events, description }, ip }) => {
        const { userId } = caller;
        const row: WebhookRow = {
          id: randomUUID(),
          userId,
          url: await acceptedAddress(url, config.fetchAllow),
          events: [...new Set(events)],
          description: description || null,
          state: 'active',
          secretId: randomUUID(),
          previousSecretId: null,
          rotatedAt: null,
          failingSince: null,
          createdAt: now(),
        };
        await database.transaction(async (tx) => {
          await lockName(tx, `webhooks:${userId}`);
          if ((await tx.$count(webhooks, eq(webhooks.userId, userId))) >= WEBHOOK_LIMIT) {
            throw limitReached('too_many_webhooks', WEBHOOK_LIMIT, 'webhooks');
          }
          await tx.insert(webhooks).values(row);
        });
        await securityEvents.by('webhook_added', caller, ip, hostOf(row));
        return { data: { ...present(row), secret: deliveries.secretTextOf(row.secretId) } };
      });
      mount(pauseWebhook, async ({ caller, params, body }) => ({
        data: await pause(caller.userId, params.id, body.paused),
      }));
      mount(rotateWebhookSecret, async ({ caller, params, ip }) => {
        const [row] = await db
          .update(webhooks)
          .set({ previousSecretId: webhooks.secretId, secretId: randomUUID(), rotatedAt: now() })
          .where(isOwn(caller.userId, params.id))
          .returning();
        if (!row) throw webhookNotFound();
        await securityEvents.by('webhook_secret_rotated', caller, ip, hostOf(row));
        return { data: { ...present(row), secret: deliveries.secretTextOf(row.secretId) } };
      });
      // A test event is sent even if the webhook is paused, and so is a repeated delivery.
      mount(testWebhook, async ({ caller: { userId }, params: { id: webhookId } }) => {
        await find(userId, webhookId);
        await assertMaySend(userId);
        const time = now();
        const delivery = { id: randomUUID(), webhookId, type: 'webhook.test', data: {} } as const;
        const row = await database.transaction(async (tx) => {
          const [added] = await tx
            .insert(webhookDeliveries)
            .values({ ...delivery, state: 'waiting', nextAttemptAt: time, createdAt: time })
            .returning();
          await enqueueDelivery(jobs, tx, userId, delivery);
          return added as DeliveryRow;
        });
        return { data: presentDelivery(row) };
      });
      mount(listWebhookDeliveries, async ({ caller, params: { id }, query }) => {
        await find(caller.userId, id);
        const ofWebhook = eq(webhookDeliveries.webhookId, id);
        const { rows, ...page } = await newestPage(database, webhookDeliveries, ofWebhook, query);
        return { data: rows.map(presentDelivery), ...page };
      });
      mount(resendWebhookDelivery, async ({ caller: { userId }, params }) => {
        await assertMaySend(userId);
        const row = await database.transaction(async (tx) => {
          const owned = tx
            .select({ id: webhooks.id })
            .from(webhooks)
            .where(isOwn(userId, params.id));
          const isOwned = inArray(webhookDeliveries.webhookId, owned);
          const [resent] = await tx
            .update(webhookDeliveries)
            .set({ state: 'waiting', nextAttemptAt: now() })
            .where(and(eq(webhookDeliveries.id, params.deliveryId), isOwned))
            .returning();
          if (!resent) {
            throw new HttpError(404, 'delivery_not_found', 'This delivery does not exist.');
          }
          await enqueueDelivery(jobs, tx, userId, resent);
          return resent;
        });
        return { data: presentDelivery(row) };
      });
      mount(deleteWebhook, async ({ caller, params, ip }) => {
        const isOwned = isOwn(caller.userId, params.id);
        const [row] = await db.delete(webhooks).where(isOwned).returning();
        if (!row) throw webhookNotFound();
        await securityEvents.by('webhook_removed', caller, ip, hostOf(row));
        return { data: null };
      });
    },
    async removeAll(tx: Transaction, userId: string): Promise<void> {
      await tx.delete(webhooks).where(eq(webhooks.userId, userId));
    },

    cancelDeliveries: deliveries.cancel,

    cleanUp: deliveries.cleanUp,
  };
}

export type WebhooksService = ReturnType<typeof createWebhooksService>;
