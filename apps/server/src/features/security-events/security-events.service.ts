import type { SecurityEvent, SecurityEventKind } from '@engram/contract';
import type { FastifyBaseLogger } from 'fastify';
import { randomUUID } from 'node:crypto';
import { createBackground } from '../../platform/background.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/http/mount.ts';
import { pageOf, readCursor } from '../../platform/http/newest-first.ts';
import { createSecurityEventsRepository } from './security-events.repository.ts';
import type { SecurityEventRow } from './security-events.tables.ts';

/** How long an event is kept for its person, in milliseconds. */
const KEPT_MS = 90 * 24 * 60 * 60_000;

/** Events that are answered where no limit is given. */
const MOST_AT_ONCE = 1000;

/** Where a call came from. */
export interface EventOrigin {
  ip: string;
  device?: string | null;
  /** The name of the connected app or device that the event is about. */
  app?: string | null;
}

/** What happened; without a user where it is nobody's in particular, or nobody's yet. */
export interface NotedEvent extends EventOrigin {
  kind: SecurityEventKind;
  userId?: string | undefined;
}

export interface SecurityEventsDependencies {
  database: Pick<Database, 'db'>;
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
  now: () => Date;
}

const present = ({ id, kind, ip, device, app, createdAt }: SecurityEventRow): SecurityEvent => ({
  id,
  at: createdAt.toISOString(),
  kind,
  ip,
  device,
  app,
});

/**
 * What happens to the safety of accounts, in one shape: a line of the log with `event`, and a row for
 * the person whose account it is. No code, token, key or mail address is in either.
 */
export function createSecurityEvents({ database, log, now }: SecurityEventsDependencies) {
  const repository = createSecurityEventsRepository(database);
  // Its own, as whoever reads events waits for them, and not for somebody's mail.
  const { run, drain } = createBackground(log);

  const write = async (
    { kind, userId, ip, device = null, app = null }: NotedEvent,
    kept: boolean,
    createdAt = now(),
  ) => {
    log.info({ event: kind, userId: userId ?? null, ip, device }, 'security event');
    if (userId === undefined || !kept) return;
    await repository.insert({ id: randomUUID(), userId, kind, ip, device, app, createdAt });
  };

  /** Beside everything else: what cannot be noted holds nobody up. */
  const track = (noting: Promise<void>): Promise<void> =>
    run(noting, 'a security event was not kept');

  return {
    /** Notes an event of somebody who is known. Never rejects. */
    record: (event: NotedEvent): Promise<void> => track(write(event, true)),

    /** Records what the caller has done. Never rejects. */
    by: (
      kind: SecurityEventKind,
      { userId, device }: Caller,
      ip: string,
      app?: string,
    ): Promise<void> => track(write({ kind, userId, ip, device, app: app ?? null }, true)),

    /** Only logs an event: of nobody, or of an account that goes. */
    log: (event: NotedEvent): Promise<void> => track(write(event, false)),

    /**
     * Notes what a stranger did to an address, after the answer: neither it nor the time it takes tells
     * whether the address has an account.
     */
    recordUnseen(event: NotedEvent, findUserId: () => Promise<string | undefined>): void {
      const at = now();
      void track(findUserId().then((userId) => write({ ...event, userId }, true, at)));
    },

    /** A person's events, newest first; at most 1,000 at once. */
    async list(userId: string, { limit = MOST_AT_ONCE, cursor }: ListRequest) {
      await drain();
      const rows = await repository.list(userId, limit + 1, readCursor(cursor));
      const { shown, nextCursor } = pageOf(rows, limit);
      return { data: shown.map(present), nextCursor, total: await repository.count(userId) };
    },

    /** Deletes what is older than 90 days. */
    cleanUp: (): Promise<void> => repository.deleteUntil(new Date(now().getTime() - KEPT_MS)),

    /** Waits for what is being noted. */
    drain,
  };
}

interface ListRequest {
  limit?: number | undefined;
  cursor?: string | undefined;
}

export type SecurityEvents = ReturnType<typeof createSecurityEvents>;
