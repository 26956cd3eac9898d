import {
  addCredits,
  addCreditsByPut,
  type AdminLedgerEntry,
  type Credit,
  type LedgerEntry,
  listAllLedger,
  listCredits,
  listLedger,
} from '@engram/contract';
import { and, asc, desc, eq, getTableColumns, gt, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Core } from '../../composition/core.ts';
import { addressOf, olderThan } from '../../platform/database/sql.ts';
import { HttpError } from '../../platform/http/errors.ts';
import type { Mount } from '../../platform/http/mount.ts';
import { pageBy, pageOf, readCursor, readTextCursor } from '../../platform/http/newest-first.ts';
import { pageOrAll, type PageRequest } from '../../platform/http/paged-answer.ts';
import type { Audit } from '../admin/audit.ts';
import { createSubscriptionRepository } from './subscription.repository.ts';
import { creditLedger, type LedgerRow, subscriptions } from './subscription.tables.ts';

/** The largest value of the column. */
const MAX_BALANCE = 2_147_483_647;
const PAGE_ROWS = 1000;

const number = new Intl.NumberFormat('en-US');

const present = ({ id, userId, change, balance, reason, createdAt }: LedgerRow): LedgerEntry => ({
  id,
  userId,
  change,
  balance,
  reason,
  createdDate: createdAt.toISOString(),
});

const readUserId = (cursor: string | undefined): string | undefined =>
  readTextCursor(cursor, z.uuid());

export function createCreditsService({ storage: { database }, now }: Core, audit: Audit) {
  const { db } = database;
  const repository = createSubscriptionRepository(database);

  const readLedger = <Entry>(
    userId: string | undefined,
    presentRow: (row: LedgerRow & Pick<AdminLedgerEntry, 'email'>) => Entry,
    request: PageRequest,
  ) => {
    const ofUser = userId === undefined ? undefined : eq(creditLedger.userId, userId);
    return pageOrAll(
      request,
      async (limit, cursor) => {
        const rows = await db
          .select({ ...getTableColumns(creditLedger), email: addressOf(creditLedger.userId) })
          .from(creditLedger)
          .where(and(ofUser, olderThan(creditLedger, readCursor(cursor))))
          .orderBy(desc(creditLedger.createdAt), desc(creditLedger.id))
          .limit(limit + 1);
        const { shown, nextCursor } = pageOf(rows, limit);
        return { data: shown.map((row) => presentRow(row)), nextCursor };
      },
      () => db.$count(creditLedger, ofUser),
      PAGE_ROWS,
    );
  };

  /** @throws HttpError 404 for an unknown user, 400 if the balance would exceed its maximum. */
  const add = (actorId: string, userId: string, credits: number): Promise<Credit> =>
    database.transaction(async (tx) => {
      const row = await repository.find(userId, tx, true);
      if (!row) throw new HttpError(404, 'person_not_found', 'This user does not exist.');
      if (row.credit + credits > MAX_BALANCE) {
        const message = `This user has ${number.format(row.credit)} credits, and the maximum is ${number.format(MAX_BALANCE)}. Please add fewer.`;
        throw new HttpError(400, 'too_many_credits', message);
      }
      const added = { change: credits, reason: 'Added by an admin', at: now() } as const;
      const credit = await repository.changeCredit(tx, row, added);
      const unit = credits === 1 ? 'credit' : 'credits';
      const details = `Added ${credits} ${unit}. The balance is now ${credit}.`;
      await audit.record({ actorId, action: 'credits.add', subjectId: userId, details }, tx);
      return { userId, credit };
    });

  const ledger = (userId: string, request: PageRequest) => readLedger(userId, present, request);

  return {
    ledger,
    routes(mount: Mount): void {
      for (const route of [addCredits, addCreditsByPut]) {
        mount(route, async ({ caller, params }) => ({
          data: await add(caller.userId, params.userId, params.credits),
        }));
      }
      mount(listCredits, async ({ caller: { userId: actorId }, query: request }) => {
        // Throws before the call is logged.
        readUserId(request.cursor);
        const q = request.q?.trim();
        const details = q ? 'Searched the credits of users.' : 'Listed the credits of all users.';
        await audit.record({ actorId, action: 'users.list', subjectId: null, details });
        const address = addressOf(subscriptions.userId);
        const isListed = q ? sql`strpos(lower(${address}), lower(${q})) > 0` : undefined;
        const read = async (limit: number, cursor: string | undefined) => {
          const after = readUserId(cursor);
          const rows = await db
            .select({ userId: subscriptions.userId, credit: subscriptions.credit })
            .from(subscriptions)
            .where(and(isListed, after === undefined ? undefined : gt(subscriptions.userId, after)))
            .orderBy(asc(subscriptions.userId))
            .limit(limit + 1);
          return pageBy(rows, limit, ({ userId }) => userId);
        };
        return pageOrAll(request, read, () => db.$count(subscriptions, isListed), PAGE_ROWS);
      });
      mount(listLedger, ({ caller, query }) => ledger(caller.userId, query));
      mount(listAllLedger, async ({ caller: { userId: actorId }, query }) => {
        const { userId, ...request } = query;
        readCursor(request.cursor);
        await database.transaction(async (tx) => {
          // The lock prevents a log entry about an account that is just being deleted.
          const subject =
            userId === undefined ? undefined : await repository.find(userId, tx, true);
          const details = `Read the ledger of ${userId === undefined ? 'all users' : 'one user'}.`;
          const subjectId = subject?.userId ?? null;
          await audit.record({ actorId, action: 'ledger.list', subjectId, details }, tx);
        });
        return readLedger(userId, (row) => ({ ...present(row), email: row.email }), request);
      });
    },
  };
}

export type CreditsService = ReturnType<typeof createCreditsService>;
