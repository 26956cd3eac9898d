import { and, desc, eq, lte } from 'drizzle-orm';
import type { Database } from '../../platform/database/database.ts';
import { olderThan } from '../../platform/database/older-than.ts';
import type { DatedRow } from '../../platform/http/newest-first.ts';
import { type SecurityEventRow, securityEvents } from './security-events.tables.ts';

/** SQL over security events. Every call that reads names the owner. */
export function createSecurityEventsRepository({ db }: Pick<Database, 'db'>) {
  return {
    async insert(row: SecurityEventRow): Promise<void> {
      await db.insert(securityEvents).values(row);
    },

    /** Newest first; `after` is the last one of the page before. */
    list: (userId: string, limit: number, after?: DatedRow): Promise<SecurityEventRow[]> =>
      db
        .select()
        .from(securityEvents)
        .where(and(eq(securityEvents.userId, userId), olderThan(securityEvents, after)))
        .orderBy(desc(securityEvents.createdAt), desc(securityEvents.id))
        .limit(limit),

    count: (userId: string): Promise<number> =>
      db.$count(securityEvents, eq(securityEvents.userId, userId)),

    async deleteUntil(at: Date): Promise<void> {
      await db.delete(securityEvents).where(lte(securityEvents.createdAt, at));
    },
  };
}
