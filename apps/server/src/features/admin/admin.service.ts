import type { AdminUser, AuditEntry } from '@engram/contract';
import type { Core } from '../../composition/core.ts';
import type { Caller } from '../../platform/http/mount.ts';
import { pageOf, readCursor } from '../../platform/http/newest-first.ts';
import { pageOrAll } from '../../platform/http/paged-answer.ts';
import type { AuthService } from '../auth/auth.service.ts';
import type { SubscriptionService } from '../subscription/subscription.service.ts';
import type { Person, PersonRow } from '../auth/people.repository.ts';
import { addressCursor, readAddressCursor } from './address-cursor.ts';
import { type AuditRow, createAdminRepository } from './admin.repository.ts';
import type { Audit, AuditedAction } from './audit.ts';

export interface ListRequest {
  limit?: number | undefined;
  cursor?: string | undefined;
  q?: string | undefined;
}

const personOf = (id: string | null, email: string | null): Person | null =>
  id !== null && email !== null ? { id, email } : null;

const presentEntry = (row: AuditRow): AuditEntry => ({
  id: row.id,
  createdDate: row.createdAt.toISOString(),
  actor: personOf(row.actorId, row.actorEmail),
  action: row.action as AuditEntry['action'],
  subject: personOf(row.subjectId, row.subjectEmail),
  details: row.details,
});

/** What admins see of everybody. That they look is noted before they see anything. */
export function createAdminService(
  { storage }: Core,
  services: {
    audit: Audit;
    people: AuthService['accounts']['people'];
    subscription: SubscriptionService;
  },
) {
  const { database, sets } = storage;
  const { audit, people, subscription } = services;
  const repository = createAdminRepository(database);

  /** Notes that a list is read: once for all of its pages, while somebody goes through them. */
  const note = async (
    { userId }: Pick<Caller, 'userId'>,
    { cursor }: ListRequest,
    action: Pick<AuditedAction, 'action' | 'details'>,
  ): Promise<void> => {
    const done = { ...action, actorId: userId, subjectId: null };
    if (cursor !== undefined && (await audit.goesOn(database.db, done))) return;
    await audit.record(database.db, done);
  };

  const presentPeople = async (rows: readonly PersonRow[]): Promise<AdminUser[]> => {
    const ids = rows.map(({ id }) => id);
    const [standings, totals] = await Promise.all([
      subscription.standings(ids),
      sets.totalsOf(ids),
    ]);
    return rows.flatMap((row) => {
      const standing = standings.get(row.id);
      // An account that went meanwhile has no plan any more.
      if (!standing) return [];
      const { files, stored } = totals.get(row.id) ?? { files: 0, stored: 0 };
      const { id, email, name, role, createdAt } = row;
      const createdDate = createdAt.toISOString();
      return [{ id, email, name, role, createdDate, ...standing, files, stored }];
    });
  };

  return {
    /** Everybody's address, for who is to be picked. */
    async emails(caller: Pick<Caller, 'userId'>, request: ListRequest) {
      const filter = { q: request.q?.trim(), within: 'address' } as const;
      const details = filter.q ? 'Looked for an address.' : 'Listed the addresses of everybody.';
      await note(caller, request, { action: 'users.list', details });
      const read = async (limit: number, cursor: string | undefined) => {
        const rows = await people.byAddress(filter, limit + 1, readAddressCursor(cursor));
        const data = rows.slice(0, limit);
        const last = data.at(-1);
        return { data, nextCursor: last && rows.length > limit ? addressCursor(last.email) : null };
      };
      return pageOrAll(request, read, () => people.count(filter));
    },

    /** Everybody with plan, credits and files, the newest first. */
    async users(caller: Pick<Caller, 'userId'>, request: ListRequest) {
      const filter = { q: request.q?.trim(), within: 'address and name' } as const;
      const details = filter.q ? 'Looked for a person.' : 'Listed everybody with their plans.';
      await note(caller, request, { action: 'users.list', details });
      const read = async (limit: number, cursor: string | undefined) => {
        const rows = await people.newest(filter, limit + 1, readCursor(cursor));
        const { shown, nextCursor } = pageOf(rows, limit);
        return { data: await presentPeople(shown), nextCursor };
      };
      return pageOrAll(request, read, () => people.count(filter));
    },

    /** What admins did, newest first. */
    async auditLog(caller: Pick<Caller, 'userId'>, request: ListRequest) {
      await note(caller, request, { action: 'audit.list', details: 'Read the audit log.' });
      const read = async (limit: number, cursor: string | undefined) => {
        const rows = await repository.entries(limit + 1, readCursor(cursor));
        const { shown, nextCursor } = pageOf(rows, limit);
        return { data: shown.map(presentEntry), nextCursor };
      };
      return pageOrAll(request, read, repository.countEntries);
    },
  };
}

export type AdminService = ReturnType<typeof createAdminService>;
