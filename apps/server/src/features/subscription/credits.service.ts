import type { AdminLedgerEntry, Credit, LedgerEntry } from '@engram/contract';
import { z } from 'zod';
import type { Database } from '../../platform/database/database.ts';
import { invalidCursor } from '../../platform/http/errors.ts';
import { pageOf, readCursor } from '../../platform/http/newest-first.ts';
import { pageOrAll } from '../../platform/http/paged-answer.ts';
import type { Audit } from '../admin/audit.ts';
import * as errors from './subscription.errors.ts';
import { createSubscriptionRepository, type NamedLedgerRow } from './subscription.repository.ts';
import type { LedgerRow } from './subscription.tables.ts';

export interface CreditsDependencies {
  database: Pick<Database, 'db' | 'transaction'>;
  /** Keeps what admins do, in the transaction that does it. */
  audit: Pick<Audit, 'record'>;
  now: () => Date;
}

interface PageRequest {
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** What a balance can hold. */
const BALANCE_LIMIT = 2_147_483_647;
/** Rows that are read at once where all are asked for. */
const ROWS_AT_ONCE = 1000;

const present = ({ id, userId, change, balance, reason, createdAt }: LedgerRow): LedgerEntry => ({
  id,
  userId,
  change,
  balance,
  reason,
  createdDate: createdAt.toISOString(),
});

const presentNamed = (row: NamedLedgerRow): AdminLedgerEntry => ({
  ...present(row),
  email: row.email,
});

/** The person after whom a page begins; a list of people goes by their ids. */
function readPerson(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const id = z.uuid().safeParse(Buffer.from(cursor, 'base64url').toString());
  if (!id.success) throw invalidCursor();
  return id.data;
}

/** Credits: how they are added, and where each of them went. */
export function createCreditsService({ database, audit, now }: CreditsDependencies) {
  const repository = createSubscriptionRepository(database);

  /** A person's ledger or, without one, that of everybody. */
  const readLedger = <Entry>(
    userId: string | undefined,
    shownAs: (row: NamedLedgerRow) => Entry,
    request: PageRequest,
  ) =>
    pageOrAll(
      request,
      async (limit, cursor) => {
        const rows = await repository.ledger(userId, limit + 1, readCursor(cursor));
        const { shown, nextCursor } = pageOf(rows, limit);
        return { data: shown.map((row) => shownAs(row)), nextCursor };
      },
      () => repository.countLedger(userId),
      ROWS_AT_ONCE,
    );

  return {
    /**
     * Adds to a person's credits; the ledger and the audit log say so, or nothing happens.
     * @throws HttpError 404 when there is no such person, 400 when a balance cannot hold so many.
     */
    add: (actorId: string, userId: string, credits: number): Promise<Credit> =>
      database.transaction(async (tx) => {
        const row = await repository.lock(tx, userId);
        if (!row) throw errors.personNotFound();
        if (row.credit + credits > BALANCE_LIMIT) {
          throw errors.tooManyCredits(row.credit, BALANCE_LIMIT);
        }
        const added = { change: credits, reason: 'Added by an admin', at: now() } as const;
        const credit = await repository.changeCredit(tx, row, added);
        await audit.record(tx, {
          actorId,
          action: 'credits.add',
          subjectId: userId,
          details: `Added ${credits} ${credits === 1 ? 'credit' : 'credits'}; the balance is ${credit} now.`,
        });
        return { userId, credit };
      }),

    /** Everybody's credits. */
    async list(actorId: string, request: PageRequest & { q?: string | undefined }) {
      readPerson(request.cursor);
      const q = request.q?.trim();
      await audit.record(database.db, {
        actorId,
        action: 'users.list',
        subjectId: null,
        details: q ? 'Looked for the credits of a person.' : 'Read the credits of everybody.',
      });
      const read = async (limit: number, cursor: string | undefined) => {
        const rows = await repository.credits(q, limit + 1, readPerson(cursor));
        const data = rows.slice(0, limit);
        const last = rows.length > limit ? data.at(-1) : undefined;
        return { data, nextCursor: last ? Buffer.from(last.userId).toString('base64url') : null };
      };
      return pageOrAll(request, read, () => repository.count(q), ROWS_AT_ONCE);
    },

    /** Every change of a person's own credits, newest first. */
    ledger: (userId: string, request: PageRequest) => readLedger(userId, present, request),

    /** Every change of everybody's credits, or of one person's, as an admin reads them. */
    async ledgerOfAll(
      actorId: string,
      { userId, ...request }: PageRequest & { userId?: string | undefined },
    ) {
      readCursor(request.cursor);
      await database.transaction(async (tx) => {
        // Locked, so that the log does not refer to somebody who goes meanwhile.
        const subject = userId === undefined ? undefined : await repository.lock(tx, userId);
        await audit.record(tx, {
          actorId,
          action: 'ledger.list',
          subjectId: subject?.userId ?? null,
          details:
            userId === undefined ? 'Read the ledger of everybody.' : 'Read the ledger of a person.',
        });
      });
      return readLedger(userId, presentNamed, request);
    },
  };
}

export type CreditsService = ReturnType<typeof createCreditsService>;
