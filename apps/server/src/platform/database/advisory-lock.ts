import { sql } from 'drizzle-orm';
import type { Executor } from './database.ts';

/** Locks a name, such as 'keywords:' and a user's id, until the end of the transaction. */
export async function holdName(tx: Executor, name: string): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
}
