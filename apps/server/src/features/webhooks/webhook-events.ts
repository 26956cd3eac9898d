import type { AnswerMode, WebhookEvent } from '@engram/contract';
import { sql, type SQL } from 'drizzle-orm';
import type { Database, Executor } from '../../platform/database/database.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';

export const DELIVERY_QUEUE = 'deliver-webhook';

export interface DeliveryJob {
  deliveryId: string;
}

interface FileData {
  id: string;
  name: string;
  state: 'ready' | 'failed';
  error: string | null;
}

interface AnswerData {
  id: string;
  question: string;
  grounded: boolean;
  mode: AnswerMode;
  /** The ids of the cited files. */
  files: string[];
}

/** Small, because a receiver may log it. It can read more through the API. */
type RaisedEvent = { userId: string } & (
  | { type: 'file.ready' | 'file.failed'; data: FileData }
  | { type: 'question.answered'; data: AnswerData }
);

/** Enqueues a delivery now or at `startAfter`, and replaces its waiting job. */
export const enqueueDelivery = (
  jobs: Jobs,
  tx: Executor,
  userId: string,
  { id, startAfter }: { id: string; startAfter?: Date | undefined },
): Promise<void> =>
  jobs.enqueue<DeliveryJob>(
    DELIVERY_QUEUE,
    { deliveryId: id },
    { key: id, group: userId, tx, startAfter },
  );

const isSubscribed = (type: WebhookEvent | SQL): SQL =>
  sql`webhook.state = 'active' AND ${type} = ANY(webhook.events)`;

export function createWebhookEvents({ db }: Pick<Database, 'db'>, jobs: Jobs, now: () => Date) {
  return {
    async hasSubscriber(userId: string, type: WebhookEvent): Promise<boolean> {
      const { rows } = await db.execute(sql`
        SELECT FROM webhooks AS webhook WHERE user_id = ${userId} AND ${isSubscribed(type)} LIMIT 1`);
      return rows.length > 0;
    },

    /** Stores a delivery with its job for each webhook that is subscribed to one of the events. */
    async raise(tx: Executor, events: readonly RaisedEvent[]): Promise<void> {
      if (events.length === 0) return;
      // The lock prevents the removal of a webhook, which would fail the transaction.
      const { rows } = await tx.execute<{ id: string; userId: string }>(sql`
        WITH wanted AS (
          SELECT gen_random_uuid() AS id, webhook.id AS webhook_id, webhook.user_id, event.type,
            event.data
          FROM jsonb_to_recordset(${JSON.stringify(events)}::jsonb)
            AS event ("userId" uuid, type text, data jsonb)
          JOIN webhooks AS webhook ON webhook.user_id = event."userId"
          WHERE ${isSubscribed(sql`event.type`)}
          FOR KEY SHARE OF webhook
        ), stored AS (
          INSERT INTO webhook_deliveries
            (id, webhook_id, type, data, state, next_attempt_at, created_at)
          SELECT id, webhook_id, type, data, 'waiting', raised_at, raised_at
          FROM wanted, (VALUES (${now().toISOString()}::timestamptz)) AS clock (raised_at)
        )
        SELECT id, user_id AS "userId" FROM wanted`);
      const byUser = Map.groupBy(rows, ({ userId }) => userId);
      for (const [group, deliveries] of byUser) {
        const added = deliveries.map(({ id }) => ({ key: id, data: { deliveryId: id } }));
        await jobs.enqueueAll<DeliveryJob>(DELIVERY_QUEUE, added, { group, tx });
      }
    },
  };
}

export type WebhookEvents = ReturnType<typeof createWebhookEvents>;
