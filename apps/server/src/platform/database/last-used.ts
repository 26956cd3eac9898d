import { and, eq, isNull, lte, or } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Background } from '../background.ts';
import type { Database } from './database.ts';

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
