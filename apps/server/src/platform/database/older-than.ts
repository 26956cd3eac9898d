import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { DatedRow } from '../http/newest-first.ts';

/** Rows below another one of a list that is newest first, compared as rows so that an index is used. */
export const olderThan = (
  { createdAt, id }: { createdAt: AnyPgColumn; id: AnyPgColumn },
  after: DatedRow | undefined,
): SQL | undefined =>
  after &&
  sql`(${createdAt}, ${id}) < (${after.createdAt.toISOString()}::timestamptz, ${after.id}::uuid)`;
