import { listSecurityEvents, type SecurityEvent, type SecurityEventKind } from '@engram/contract';
import type { FastifyBaseLogger } from 'fastify';
import { randomUUID } from 'node:crypto';
import { eq, lte } from 'drizzle-orm';
import { pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant, newestPage } from '../../platform/database/sql.ts';
import { createBackground } from '../../platform/background.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Caller, Mount } from '../../platform/http/mount.ts';

const RETENTION_MS = 90 * 24 * 60 * 60_000;

const DEFAULT_LIMIT = 1000;

const securityEvents = pgTable('security_events', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  kind: text().$type<SecurityEventKind>().notNull(),
  ip: text(),
  device: text(),
  /** The name of the connected app or device. */
  app: text(),
  createdAt: instant('created_at').notNull(),
});

/** Without a user if the event concerns no account, or the account is not known yet. */
interface NewSecurityEvent {
  kind: SecurityEventKind;
  userId?: string | undefined;
  ip: string;
  device?: string | null;
  app?: string | null;
}

const present = ({
  id,
  kind,
  ip,
  device,
  app,
  createdAt,
}: typeof securityEvents.$inferSelect): SecurityEvent => ({
  id,
  at: createdAt.toISOString(),
  kind,
  ip,
  device,
  app,
});

/**
 * Records security events of accounts as a log line with `event` and a row for the user, without codes,
 * tokens, keys or email addresses.
 */
export function createSecurityEvents(
  { db }: Pick<Database, 'db'>,
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>,
  now: () => Date,
) {
  // Separate from the server's background work, because listing events waits for these writes only.
  const { run, drain } = createBackground(log);

  const write = async (
    { kind, userId, ip, device = null, app = null }: NewSecurityEvent,
    { stored = true, createdAt = now() } = {},
  ) => {
    log.info({ event: kind, userId: userId ?? null, ip, device }, 'security event');
    if (userId === undefined || !stored) return;
    const row = { id: randomUUID(), userId, kind, ip, device, app, createdAt };
    await db.insert(securityEvents).values(row);
  };

  const track = (writing: Promise<void>): Promise<void> =>
    run(writing, 'a security event was not stored');

  return {
    record: (event: NewSecurityEvent): Promise<void> => track(write(event)),

    /** Records an action of the caller. Never rejects. */
    by: (
      kind: SecurityEventKind,
      { userId, device }: Caller,
      ip: string,
      app?: string,
    ): Promise<void> => track(write({ kind, userId, ip, device, app: app ?? null })),

    /** Only logs an event that concerns no account, or one that is being deleted. */
    log: (event: NewSecurityEvent): Promise<void> => track(write(event, { stored: false })),

    /**
     * Records an event about an address in the background, so that neither the response nor its timing
     * reveals whether the address has an account.
     */
    recordInBackground(
      event: NewSecurityEvent,
      findUserId: () => Promise<string | undefined>,
    ): void {
      const createdAt = now();
      void track(findUserId().then((userId) => write({ ...event, userId }, { createdAt })));
    },

    routes(mount: Mount): void {
      mount(listSecurityEvents, async ({ caller, query }) => {
        await drain();
        const request = { ...query, limit: query.limit ?? DEFAULT_LIMIT };
        const ofUser = eq(securityEvents.userId, caller.userId);
        const { rows, ...page } = await newestPage({ db }, securityEvents, ofUser, request);
        return { data: rows.map(present), ...page };
      });
    },

    async cleanUp(): Promise<void> {
      const until = new Date(now().getTime() - RETENTION_MS);
      await db.delete(securityEvents).where(lte(securityEvents.createdAt, until));
    },

    drain,
  };
}

export type SecurityEvents = ReturnType<typeof createSecurityEvents>;
