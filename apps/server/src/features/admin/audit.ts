import type { AuditEntry } from '@engram/contract';
import { and, eq, gt } from 'drizzle-orm';
import { randomUUID } from 'node:crypto';
import type { Core } from '../../composition/core.ts';
import type { Executor } from '../../platform/database/database.ts';
import { auditLog } from './admin.tables.ts';

export interface AuditedAction {
  actorId: string;
  action: AuditEntry['action'];
  /** The user that it is about; null for nobody in particular. */
  subjectId: string | null;
  /** A sentence without names, because entries outlive accounts. */
  details: string;
}

/** How long the next pages of a list belong to the entry about its first, in milliseconds. */
const CONTINUED_MS = 3_600_000;

export function createAudit({ storage, now }: Pick<Core, 'storage' | 'now'>) {
  const { db } = storage.database;
  return {
    /** Logs an action, in its transaction if it changes something. */
    async record(action: AuditedAction, executor: Executor = db): Promise<void> {
      await executor.insert(auditLog).values({ ...action, id: randomUUID(), createdAt: now() });
    },

    /** Whether the same action was logged recently, so that a call continues it. */
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
