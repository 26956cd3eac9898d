import { sql } from 'drizzle-orm';
import type { Executor } from './database.ts';

/**
 * Lets one transaction at a time hold a name, until it ends.
 * @param name such as 'keywords:' and a person's id
 */
export async function holdName(tx: Executor, name: string): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
}
