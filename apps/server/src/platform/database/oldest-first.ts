import { eq, sql } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Executor } from './database.ts';

type Owned = PgTable & { id: AnyPgColumn; userId: AnyPgColumn; createdAt: AnyPgColumn };

export async function idsOldestFirst(
  executor: Executor,
  table: Owned,
  userId: string,
): Promise<string[]> {
  const [row] = await executor
    .select({
      // As one value: thousands of rows take six times as long.
      ids: sql<
        string | null
      >`string_agg(${table.id}::text, ',' ORDER BY ${table.createdAt}, ${table.id})`,
    })
    .from(table as PgTable)
    .where(eq(table.userId, userId));
  return row?.ids?.split(',') ?? [];
}
