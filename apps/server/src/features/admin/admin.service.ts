import {
  type AdminUser,
  email as emailShape,
  listAudit,
  listEmails,
  listUsers,
} from '@engram/contract';
import { desc, getTableColumns } from 'drizzle-orm';
import type { Core } from '../../composition/core.ts';
import { addressOf, olderThan } from '../../platform/database/sql.ts';
import type { Caller, Mount } from '../../platform/http/mount.ts';
import { pageBy, pageOf, readCursor, readTextCursor } from '../../platform/http/newest-first.ts';
import { pageOrAll, type PageRequest } from '../../platform/http/paged-answer.ts';
import type { AuthService } from '../auth/auth.service.ts';
import type { UserSummary } from '../auth/users.repository.ts';
import type { SubscriptionService } from '../subscription/subscription.service.ts';
import { type Audit, type AuditedAction, auditLog } from './audit.ts';

type Admin = Pick<Caller, 'userId'>;

type ListRequest = PageRequest & { q?: string | undefined };

const userOf = (id: string | null, email: string | null) =>
  id !== null && email !== null ? { id, email } : null;

/** Lists users and the audit log. Each access is logged before data is returned. */
export function createAdminService(
  { storage }: Core,
  audit: Audit,
  users: AuthService['accounts']['list'],
  subscription: SubscriptionService,
) {
  const { artifactsRepository } = storage;
  const { db } = storage.database;

  const recordRead = async (
    { userId }: Admin,
    { cursor }: ListRequest,
    action: AuditedAction['action'],
    details: string,
  ): Promise<void> => {
    const read = { actorId: userId, action, subjectId: null, details };
    if (cursor === undefined || !(await audit.isContinued(read))) await audit.record(read);
  };

  const presentUsers = async (rows: readonly UserSummary[]): Promise<AdminUser[]> => {
    const ids = rows.map(({ id }) => id);
    const [states, totals] = await Promise.all([
      subscription.statesOf(ids),
      artifactsRepository.totalsByUser(ids),
    ]);
    return rows.flatMap(({ createdAt, ...row }) => {
      const state = states.get(row.id);
      // An account that was just deleted has no plan.
      if (!state) return [];
      const { files, stored } = totals.get(row.id) ?? { files: 0, stored: 0 };
      return [{ ...row, createdDate: createdAt.toISOString(), ...state, files, stored }];
    });
  };

  const readAuditLog = async (limit: number, cursor: string | undefined) => {
    const rows = await db
      .select({
        ...getTableColumns(auditLog),
        actorEmail: addressOf(auditLog.actorId),
        subjectEmail: addressOf(auditLog.subjectId),
      })
      .from(auditLog)
      .where(olderThan(auditLog, readCursor(cursor)))
      .orderBy(desc(auditLog.createdAt), desc(auditLog.id))
      .limit(limit + 1);
    const { shown, nextCursor } = pageOf(rows, limit);
    const data = shown.map((row) => ({
      id: row.id,
      createdDate: row.createdAt.toISOString(),
      actor: userOf(row.actorId, row.actorEmail),
      action: row.action,
      subject: userOf(row.subjectId, row.subjectEmail),
      details: row.details,
    }));
    return { data, nextCursor };
  };

  return {
    routes(mount: Mount): void {
      mount(listEmails, async ({ caller, query: request }) => {
        const filter = { q: request.q?.trim(), within: 'address' } as const;
        const details = filter.q ? 'Searched for an address.' : 'Listed all addresses.';
        await recordRead(caller, request, 'users.list', details);
        const read = async (limit: number, cursor: string | undefined) =>
          pageBy(
            await users.byAddress(filter, limit + 1, readTextCursor(cursor, emailShape)),
            limit,
            ({ email }) => email,
          );
        return pageOrAll(request, read, () => users.count(filter));
      });
      mount(listUsers, async ({ caller, query: request }) => {
        const filter = { q: request.q?.trim(), within: 'address and name' } as const;
        const details = filter.q ? 'Searched for a user.' : 'Listed all users with their plans.';
        await recordRead(caller, request, 'users.list', details);
        const read = async (limit: number, cursor: string | undefined) => {
          const rows = await users.newest(filter, limit + 1, readCursor(cursor));
          const { shown, nextCursor } = pageOf(rows, limit);
          return { data: await presentUsers(shown), nextCursor };
        };
        return pageOrAll(request, read, () => users.count(filter));
      });
      mount(listAudit, async ({ caller, query: request }) => {
        await recordRead(caller, request, 'audit.list', 'Read the audit log.');
        return pageOrAll(request, readAuditLog, () => db.$count(auditLog));
      });
    },
  };
}
