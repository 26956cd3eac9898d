import { sql } from 'drizzle-orm';
import type { Database } from '../database/database.ts';
import type { Rate } from './limit.ts';

/** What a server asks of a bucket. */
export interface Asked extends Rate {
  /** The bucket's name. */
  bucket: string;
  /** Tokens that it wants at most. */
  wanted: number;
  /** Tokens that it has left of earlier ones, and puts back first. */
  returned: number;
}

/** What a bucket gave. */
export interface Granted {
  tokens: number;
  /** Seconds until the bucket has the next token, where it gave none. */
  waitSeconds: number;
}

/**
 * Token buckets that all servers on one database share, by its clock. Of a bucket the table knows
 * when it is full again, which says at any moment how many tokens it has: one that is full is the
 * same as none.
 */
export function createBucketTable({ db }: Pick<Database, 'db'>) {
  return {
    /** Takes as many whole tokens out of a bucket as are wanted and there. */
    async take({ bucket, wanted, returned, perSecond, burst }: Asked): Promise<Granted> {
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

    /** Forgets the buckets that are full again. */
    async cleanUp(): Promise<void> {
      await db.execute(sql`DELETE FROM rate_limits WHERE full_at < now()`);
    },
  };
}

export type BucketTable = ReturnType<typeof createBucketTable>;
