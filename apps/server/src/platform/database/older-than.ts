import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { DatedRow } from '../http/newest-first.ts';

/**
 * Below a row of a list that is newest first; all of the list where there is none. As a comparison of
 * rows, so that an index over both columns is read from that row on.
 */
export const olderThan = (
  { createdAt, id }: { createdAt: AnyPgColumn; id: AnyPgColumn },
  after: DatedRow | undefined,
): SQL | undefined =>
  after &&
  sql`(${createdAt}, ${id}) < (${after.createdAt.toISOString()}::timestamptz, ${after.id}::uuid)`;
