import { randomUUID } from 'node:crypto';
import {
  addWebhook,
  type BodyOf,
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
import type { Core } from '../../composition/core.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { lockName, olderThan } from '../../platform/database/sql.ts';
import { HttpError, limitReached, tooManyRequests } from '../../platform/http/errors.ts';
import { reachOf } from '../../platform/http/guarded-fetch.ts';
import type { Mount } from '../../platform/http/mount.ts';
import { pageOf, readCursor } from '../../platform/http/newest-first.ts';
import type { PageRequest } from '../../platform/http/paged-answer.ts';
import { parseWebAddress } from '../../platform/http/web-address.ts';
import type { SecurityEvents } from '../security-events/security-events.service.ts';
import { createDeliveries, failWaiting } from './deliveries.ts';
import { enqueueDelivery } from './webhook-events.ts';
import {
  type DeliveryRow,
  webhookDeliveries,
  type WebhookRow,
  webhooks,
} from './webhooks.tables.ts';

/** The tests and repeats of one user, limited so that they cannot overload another server. */
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

export function createWebhooksService(
  core: Core,
  securityEvents: Pick<SecurityEvents, 'by' | 'record'>,
) {
  const { config, storage, limits, now } = core;
  const { database, jobs } = storage;
  const { db } = database;
  const deliveries = createDeliveries(core, securityEvents);
  const manualLimit = limits.limitOf('webhook sends', MANUAL_RATE);

  const isOwn = (userId: string, id: string) =>
    and(eq(webhooks.id, id), eq(webhooks.userId, userId));

  const find = async (userId: string, id: string): Promise<WebhookRow> => {
    const [row] = await db.select().from(webhooks).where(isOwn(userId, id));
    if (!row) throw webhookNotFound();
    return row;
  };

  const assertMaySend = async (userId: string): Promise<void> => {
    const wait = await manualLimit(userId);
    if (wait > 0)
      throw tooManyRequests('You are sending too many events. Please wait a moment.', wait);
  };

  return {
    async list(userId: string): Promise<Webhook[]> {
      const rows = await db
        .select()
        .from(webhooks)
        .where(eq(webhooks.userId, userId))
        .orderBy(desc(webhooks.createdAt), desc(webhooks.id));
      return rows.map(present);
    },

    /** @throws HttpError 400 for an address that is not allowed, 409 */
    async add(userId: string, { url, events, description }: BodyOf<typeof addWebhook>) {
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
      return { ...present(row), secret: deliveries.secretTextOf(row.secretId) };
    },

    /** Pauses a webhook and ends its retries, or resumes it. @throws HttpError 404 */
    pause: (userId: string, id: string, paused: boolean): Promise<Webhook> =>
      database.transaction(async (tx) => {
        const changes = paused
          ? ({ state: 'paused' } as const)
          : ({ state: 'active', failingSince: null } as const);
        const [row] = await tx.update(webhooks).set(changes).where(isOwn(userId, id)).returning();
        if (!row) throw webhookNotFound();
        if (paused) await failWaiting(tx, id, 'The webhook was paused before this event was sent.');
        return present(row);
      }),

    /** @throws HttpError 404 */
    rotateSecret: (userId: string, id: string) =>
      database.transaction(async (tx) => {
        const [row] = await tx
          .update(webhooks)
          .set({ previousSecretId: webhooks.secretId, secretId: randomUUID(), rotatedAt: now() })
          .where(isOwn(userId, id))
          .returning();
        if (!row) throw webhookNotFound();
        return { ...present(row), secret: deliveries.secretTextOf(row.secretId) };
      }),

    /** Sends a test event, even if the webhook is paused. @throws HttpError 404, 429 */
    async test(userId: string, id: string): Promise<WebhookDelivery> {
      await find(userId, id);
      await assertMaySend(userId);
      const delivery = { id: randomUUID(), webhookId: id, type: 'webhook.test', data: {} } as const;
      const at = now();
      return database.transaction(async (tx) => {
        const [row] = await tx
          .insert(webhookDeliveries)
          .values({ ...delivery, state: 'waiting', nextAttemptAt: at, createdAt: at })
          .returning();
        await enqueueDelivery(jobs, tx, userId, delivery);
        return presentDelivery(row as DeliveryRow);
      });
    },

    /** @throws HttpError 404 */
    async deliveries(userId: string, webhookId: string, { limit, cursor }: PageRequest) {
      await find(userId, webhookId);
      const ofWebhook = eq(webhookDeliveries.webhookId, webhookId);
      const query = db
        .select()
        .from(webhookDeliveries)
        .where(and(ofWebhook, olderThan(webhookDeliveries, readCursor(cursor))))
        .orderBy(desc(webhookDeliveries.createdAt), desc(webhookDeliveries.id));
      const rows = await (limit === undefined ? query : query.limit(limit + 1));
      const { shown, nextCursor } = pageOf(rows, limit);
      const total = await db.$count(webhookDeliveries, ofWebhook);
      return { data: shown.map(presentDelivery), nextCursor, total };
    },

    /** Sends a delivery again, even if the webhook is paused. @throws HttpError 404, 429 */
    async resend(userId: string, webhookId: string, deliveryId: string): Promise<WebhookDelivery> {
      await assertMaySend(userId);
      return database.transaction(async (tx) => {
        const owned = tx.select({ id: webhooks.id }).from(webhooks).where(isOwn(userId, webhookId));
        const [row] = await tx
          .update(webhookDeliveries)
          .set({ state: 'waiting', nextAttemptAt: now() })
          .where(
            and(eq(webhookDeliveries.id, deliveryId), inArray(webhookDeliveries.webhookId, owned)),
          )
          .returning();
        if (!row) throw new HttpError(404, 'delivery_not_found', 'This delivery does not exist.');
        await enqueueDelivery(jobs, tx, userId, row);
        return presentDelivery(row);
      });
    },

    /** @throws HttpError 404 */
    async remove(userId: string, id: string): Promise<WebhookRow> {
      const [row] = await db.delete(webhooks).where(isOwn(userId, id)).returning();
      if (!row) throw webhookNotFound();
      return row;
    },

    async removeAll(tx: Transaction, userId: string): Promise<void> {
      await tx.delete(webhooks).where(eq(webhooks.userId, userId));
    },

    cancelDeliveries: deliveries.cancel,

    cleanUp: deliveries.cleanUp,
  };
}

export type WebhooksService = ReturnType<typeof createWebhooksService>;

export function mountWebhooksRoutes(
  mount: Mount,
  service: WebhooksService,
  events: Pick<SecurityEvents, 'by'>,
): void {
  const hostOf = ({ url }: { url: string }): string => new URL(url).host;

  mount(listWebhooks, async ({ caller }) => ({ data: await service.list(caller.userId) }));

  mount(addWebhook, async ({ caller, body, ip }) => {
    const data = await service.add(caller.userId, body);
    await events.by('webhook_added', caller, ip, hostOf(data));
    return { data };
  });

  mount(pauseWebhook, async ({ caller, params, body }) => ({
    data: await service.pause(caller.userId, params.id, body.paused),
  }));

  mount(rotateWebhookSecret, async ({ caller, params, ip }) => {
    const data = await service.rotateSecret(caller.userId, params.id);
    await events.by('webhook_secret_rotated', caller, ip, hostOf(data));
    return { data };
  });

  mount(testWebhook, async ({ caller, params }) => ({
    data: await service.test(caller.userId, params.id),
  }));

  mount(listWebhookDeliveries, ({ caller, params, query }) =>
    service.deliveries(caller.userId, params.id, query),
  );

  mount(resendWebhookDelivery, async ({ caller, params }) => ({
    data: await service.resend(caller.userId, params.id, params.deliveryId),
  }));

  mount(deleteWebhook, async ({ caller, params, ip }) => {
    const removed = await service.remove(caller.userId, params.id);
    await events.by('webhook_removed', caller, ip, hostOf(removed));
    return { data: null };
  });
}
