import type { AuditEntry } from '@engram/contract';
import { and, eq, gt } from 'drizzle-orm';
import { pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { randomUUID } from 'node:crypto';
import type { Core } from '../../composition/core.ts';
import { instant } from '../../platform/database/sql.ts';
import type { Executor } from '../../platform/database/database.ts';

/** Reads of further pages within this time belong to the same entry. */
const CONTINUED_MS = 3_600_000;

/** Actions of admins. The IDs of deleted accounts are null. */
export const auditLog = pgTable('audit_log', {
  id: uuid().primaryKey(),
  actorId: uuid('actor_id'),
  action: text().$type<AuditEntry['action']>().notNull(),
  subjectId: uuid('subject_id'),
  /** A sentence without names, because entries outlive accounts. */
  details: text().notNull(),
  createdAt: instant('created_at').notNull(),
});

export type AuditedAction = Omit<typeof auditLog.$inferSelect, 'id' | 'createdAt' | 'actorId'> & {
  actorId: string;
};

export function createAudit({ storage, now }: Pick<Core, 'storage' | 'now'>) {
  const { db } = storage.database;
  return {
    /** Logs an action, within its transaction if it changes data. */
    async record(action: AuditedAction, executor: Executor = db): Promise<void> {
      await executor.insert(auditLog).values({ ...action, id: randomUUID(), createdAt: now() });
    },

    async isContinued({ actorId, action, details }: AuditedAction): Promise<boolean> {
      const isSame = and(
        eq(auditLog.actorId, actorId),
        eq(auditLog.action, action),
        eq(auditLog.details, details),
      );
      const since = new Date(now().getTime() - CONTINUED_MS);
      return (await db.$count(auditLog, and(gt(auditLog.createdAt, since), isSame))) > 0;
    },
  };
}

export type Audit = ReturnType<typeof createAudit>;
