import { and, type AnyColumn, desc, eq, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import { type AnyPgColumn, customType, type PgTable, timestamp } from 'drizzle-orm/pg-core';
import type { Background } from '../background.ts';
import { type DatedRow, pageOf, readCursor } from '../http/newest-first.ts';
import type { PageRequest } from '../http/paged-answer.ts';
import type { Database, Executor } from './database.ts';

export const instant = (name: string) => timestamp(name, { withTimezone: true });

export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** The address of an account; null if it was deleted or has released its address. */
export const addressOf = (id: AnyColumn): SQL<string | null> =>
  sql<string | null>`(SELECT email FROM users WHERE id = ${id} AND email <> id::text)`;

/**
 * A table with the account's id, locked until the transaction ends; empty if the account was deleted.
 * Joining it locks the account before the user's rows, as a deletion does. Otherwise both could deadlock.
 */
export const lockedAccount = (userId: string): SQL =>
  sql`(SELECT id FROM users WHERE id = ${userId} FOR KEY SHARE) AS account`;

/** `column = ANY(values)` with one parameter, because planning fifty parameters is slow. */
export const isAnyOf = (column: AnyPgColumn, values: readonly string[]): SQL =>
  sql`${column} = ANY(${sql.param([...values])}::${sql.raw(column.getSQLType())}[])`;

export const containing = (text: string): string =>
  `%${text.replaceAll(/[\\%_]/gu, String.raw`\$&`)}%`;

/** The rows after another one, newest first. Row comparison allows an index. */
export const olderThan = (
  { createdAt, id }: { createdAt: AnyPgColumn; id: AnyPgColumn },
  after: DatedRow | undefined,
): SQL | undefined =>
  after &&
  sql`(${createdAt}, ${id}) < (${after.createdAt.toISOString()}::timestamptz, ${after.id}::uuid)`;

type Dated = PgTable & { id: AnyPgColumn; createdAt: AnyPgColumn; $inferSelect: DatedRow };

/** A page of rows, newest first, with the number of all. */
export async function newestPage<Table extends Dated>(
  { db }: Pick<Database, 'db'>,
  table: Table,
  where: SQL | undefined,
  { limit, cursor }: PageRequest,
) {
  const query = db
    .select()
    .from(table as PgTable)
    .where(and(where, olderThan(table, readCursor(cursor))))
    .orderBy(desc(table.createdAt), desc(table.id));
  const rows = await (limit === undefined ? query : query.limit(limit + 1));
  const { shown, nextCursor } = pageOf(rows as Table['$inferSelect'][], limit);
  return { rows: shown, nextCursor, total: await db.$count(table as PgTable, where) };
}

type Owned = PgTable & { id: AnyPgColumn; userId: AnyPgColumn; createdAt: AnyPgColumn };

/** Ids in the order of creation, read as one value, which is six times as fast as thousands of rows. */
export async function orderedIds(
  executor: Executor,
  table: Owned,
  where: SQL | undefined,
  first: 'oldest' | 'newest',
): Promise<string[]> {
  const direction = sql.raw(first === 'newest' ? 'DESC' : 'ASC');
  const order = sql`${table.createdAt} ${direction}, ${table.id} ${direction}`;
  const ids = sql<string | null>`string_agg(${table.id}::text, ',' ORDER BY ${order})`;
  const [row] = await executor
    .select({ ids })
    .from(table as PgTable)
    .where(where);
  return row?.ids?.split(',') ?? [];
}

/** The minimum time between two recorded uses, in milliseconds. */
const RECORD_INTERVAL_MS = 60_000;

type Used = PgTable & { id: AnyPgColumn; lastUsedAt: AnyPgColumn };

export function recordUse(
  { db }: Pick<Database, 'db'>,
  table: Used,
  { id, lastUsedAt }: { id: string; lastUsedAt: Date | null },
  usedAt: Date,
  background: Background,
): void {
  const since = new Date(usedAt.getTime() - RECORD_INTERVAL_MS);
  if (lastUsedAt && lastUsedAt > since) return;
  // Another call or server may have just recorded it.
  const isDue = or(isNull(table.lastUsedAt), lte(table.lastUsedAt, since));
  const recording = db
    .update(table)
    .set({ lastUsedAt: usedAt })
    .where(and(eq(table.id, id), isDue));
  void background.run(recording, 'a use was not recorded', { id });
}

/** Locks a name, such as 'keywords:' and a user's id, until the end of the transaction. */
export async function lockName(tx: Executor, name: string): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
}
