import { and, type AnyColumn, eq, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import { type AnyPgColumn, customType, type PgTable, timestamp } from 'drizzle-orm/pg-core';
import type { Background } from '../background.ts';
import type { DatedRow } from '../http/newest-first.ts';
import type { Database, Executor } from './database.ts';

export const instant = (name: string) => timestamp(name, { withTimezone: true });

export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** The address of an account by its id; null if it was deleted or gave its address up. */
export const addressOf = (id: AnyColumn): SQL<string | null> =>
  sql<string | null>`(SELECT email FROM users WHERE id = ${id} AND email <> id::text)`;

/**
 * A table with the account's id, locked until the transaction ends; empty if the account was deleted.
 * Rows of a user are locked in a join with this, so that the account is locked first as in a deletion.
 * Otherwise two transactions could deadlock.
 */
export const heldAccount = (userId: string): SQL =>
  sql`(SELECT id FROM users WHERE id = ${userId} FOR KEY SHARE) AS account`;

/** Whether a column has one of some values, as one parameter: fifty cost as much to plan as to find. */
export const isAnyOf = (column: AnyPgColumn, values: readonly string[]): SQL =>
  sql`${column} = ANY(${sql.param([...values])}::${sql.raw(column.getSQLType())}[])`;

export const containing = (text: string): string =>
  `%${text.replaceAll(/[\\%_]/gu, String.raw`\$&`)}%`;

/** Rows below another one of a list that is newest first, compared as rows so that an index is used. */
export const olderThan = (
  { createdAt, id }: { createdAt: AnyPgColumn; id: AnyPgColumn },
  after: DatedRow | undefined,
): SQL | undefined =>
  after &&
  sql`(${createdAt}, ${id}) < (${after.createdAt.toISOString()}::timestamptz, ${after.id}::uuid)`;

type Owned = PgTable & { id: AnyPgColumn; userId: AnyPgColumn; createdAt: AnyPgColumn };

/** Ids in the order of creation, read as one value: thousands of rows take six times as long. */
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

/** A use is recorded at most once in this time, in milliseconds. */
const RECORDED_MS = 60_000;

type Used = PgTable & { id: AnyPgColumn; lastUsedAt: AnyPgColumn };

export function recordUse(
  { db }: Pick<Database, 'db'>,
  table: Used,
  { id, lastUsedAt }: { id: string; lastUsedAt: Date | null },
  at: Date,
  background: Background,
): void {
  const since = new Date(at.getTime() - RECORDED_MS);
  if (lastUsedAt && lastUsedAt > since) return;
  // Another call or server may have recorded it meanwhile.
  const isDue = or(isNull(table.lastUsedAt), lte(table.lastUsedAt, since));
  const keeping = db
    .update(table)
    .set({ lastUsedAt: at })
    .where(and(eq(table.id, id), isDue));
  void background.run(keeping, 'a use was not recorded', { id });
}

/** Locks a name, such as 'keywords:' and a user's id, until the end of the transaction. */
export async function lockName(tx: Executor, name: string): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
}
