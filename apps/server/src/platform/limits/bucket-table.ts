import { sql } from 'drizzle-orm';
import type { Database } from '../database/database.ts';
import type { Rate } from './limit.ts';

interface Asked extends Rate {
  bucket: string;
  wanted: number;
  /** Unused tokens of earlier requests, which are put back first. */
  returned: number;
}

/**
 * Token buckets that all servers on one database share, by its clock. The table stores when a bucket is
 * full again, from which its tokens follow. A full bucket needs no row.
 */
export function createBucketTable({ db }: Pick<Database, 'db'>) {
  return {
    /**
     * Takes up to `wanted` whole tokens out of a bucket.
     * @returns the tokens, and if there are none the seconds until the next
     */
    async take({ bucket, wanted, returned, perSecond, burst }: Asked) {
      const rate = sql`${perSecond}::float8`;
      const most = sql`${burst}::float8`;
      const had = sql`extract(epoch FROM held.full_at - now()) * ${rate}`;
      const { rows } = await db.execute<{ granted: number; fullIn: number }>(sql`
        INSERT INTO rate_limits AS held (bucket, granted, full_at)
        VALUES (${bucket}, ${wanted}, now() + ${wanted} / ${rate} * interval '1 second')
        ON CONFLICT (bucket) DO UPDATE SET (granted, full_at) = (
          SELECT given, now() + (${most} - tokens + given) / ${rate} * interval '1 second'
          FROM (SELECT tokens, least(${wanted}, floor(tokens)) AS given
            FROM (SELECT least(${most}, ${most} - ${had} + ${returned}::float8) AS tokens) AS there)
          AS taken)
        RETURNING granted, extract(epoch FROM full_at - now())::float8 AS "fullIn"`);
      const { granted = 0, fullIn = 0 } = rows[0] ?? {};
      return { tokens: granted, waitSeconds: fullIn - (burst - 1) / perSecond };
    },

    async cleanUp(): Promise<void> {
      await db.execute(sql`DELETE FROM rate_limits WHERE full_at < now()`);
    },
  };
}

export type BucketTable = ReturnType<typeof createBucketTable>;
