import { desc } from 'drizzle-orm';
import { addressOf } from '../../platform/database/address-of.ts';
import type { Database } from '../../platform/database/database.ts';
import { olderThan } from '../../platform/database/older-than.ts';
import type { DatedRow } from '../../platform/http/newest-first.ts';
import { auditLog } from './admin.tables.ts';

/** An entry of the audit log with the addresses of those it is about, where they are still there. */
export type AuditRow = typeof auditLog.$inferSelect & {
  actorEmail: string | null;
  subjectEmail: string | null;
};

/** SQL over the audit log. */
export function createAdminRepository({ db }: Pick<Database, 'db'>) {
  return {
    /** Newest first; `after` is the last one of the page before. */
    entries: (limit: number, after?: DatedRow): Promise<AuditRow[]> =>
      db
        .select({
          id: auditLog.id,
          actorId: auditLog.actorId,
          action: auditLog.action,
          subjectId: auditLog.subjectId,
          details: auditLog.details,
          createdAt: auditLog.createdAt,
          actorEmail: addressOf(auditLog.actorId),
          subjectEmail: addressOf(auditLog.subjectId),
        })
        .from(auditLog)
        .where(olderThan(auditLog, after))
        .orderBy(desc(auditLog.createdAt), desc(auditLog.id))
        .limit(limit),

    countEntries: (): Promise<number> => db.$count(auditLog),
  };
}
