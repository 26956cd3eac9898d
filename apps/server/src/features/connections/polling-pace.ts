import { sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/database.ts';

/** How often a device may ask whether it was let in, in seconds, until it asked too often. */
export const POLLING_SECONDS = 5;

/** Tells devices that ask too often to slow down; each time by five seconds more (RFC 8628, 3.5). */
export function createPollingPace({ db }: Pick<Database, 'db'>, now: () => Date) {
  return {
    /** @param device hash of its device code */
    async isTooSoon(device: string): Promise<boolean> {
      const { rows } = await db.execute<{ tooSoon: boolean }>(sql`
        WITH last AS (
          SELECT id, coalesce(poll_seconds, ${POLLING_SECONDS}) AS seconds,
            coalesce(polled_at + coalesce(poll_seconds, ${POLLING_SECONDS}) * interval '1 second'
              > ${now()}, false) AS too_soon
          FROM oauth_records WHERE kind = 'DeviceCode' AND id = ${device} FOR UPDATE)
        UPDATE oauth_records AS device SET polled_at = ${now()},
          poll_seconds = last.seconds + CASE WHEN last.too_soon THEN ${POLLING_SECONDS} ELSE 0 END
        FROM last WHERE device.kind = 'DeviceCode' AND device.id = last.id
        RETURNING last.too_soon AS "tooSoon"`);
      return rows[0]?.tooSoon ?? false;
    },
  };
}

export type PollingPace = ReturnType<typeof createPollingPace>;
