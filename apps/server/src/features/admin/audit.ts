import type { AuditEntry } from '@engram/contract';
import { and, eq, gt } from 'drizzle-orm';
import { randomUUID } from 'node:crypto';
import type { Executor } from '../../platform/database/database.ts';
import { auditLog } from './admin.tables.ts';

/** What an admin does. */
export interface AuditedAction {
  actorId: string;
  action: AuditEntry['action'];
  /** Whom it is done to; null where it is nobody in particular. */
  subjectId: string | null;
  /** What is done, as a sentence without names: those who are gone are not to be named by it. */
  details: string;
}

/** How long an action counts as gone on with, in milliseconds. */
const GOES_ON_MS = 3_600_000;

/** Keeps what admins do. */
export function createAudit({ now }: { now: () => Date }) {
  return {
    /** Notes an action, in the transaction that does it: neither is without the other. */
    async record(tx: Executor, action: AuditedAction): Promise<void> {
      await tx.insert(auditLog).values({ ...action, id: randomUUID(), createdAt: now() });
    },

    /** Whether an admin has done the like just before, so that what goes on with it is part of it. */
    async goesOn(
      executor: Executor,
      { actorId, action, details }: Omit<AuditedAction, 'subjectId'>,
    ): Promise<boolean> {
      const since = new Date(now().getTime() - GOES_ON_MS);
      const [entry] = await executor
        .select({ id: auditLog.id })
        .from(auditLog)
        .where(
          and(
            gt(auditLog.createdAt, since),
            eq(auditLog.actorId, actorId),
            eq(auditLog.action, action),
            eq(auditLog.details, details),
          ),
        )
        .limit(1);
      return entry !== undefined;
    },
  };
}

export type Audit = ReturnType<typeof createAudit>;
