import { and, count, desc, eq, sql } from 'drizzle-orm';
import type { Database, Executor } from '../../platform/database/database.ts';
import { type DeviceRow, devices } from './devices.tables.ts';

/** SQL over devices that keep folders in step. Every call names the owner. */
export function createDevicesRepository({ db }: Pick<Database, 'db'>) {
  const owned = (userId: string, id: string) => and(eq(devices.id, id), eq(devices.userId, userId));

  return {
    /** A person's devices, the newest first. */
    list: (userId: string): Promise<DeviceRow[]> =>
      db
        .select()
        .from(devices)
        .where(eq(devices.userId, userId))
        .orderBy(desc(devices.createdAt), desc(devices.id)),

    async find(userId: string, id: string): Promise<DeviceRow | undefined> {
      const [row] = await db.select().from(devices).where(owned(userId, id));
      return row;
    },

    /** How many devices a person has; one who registers another waits for this transaction. */
    async countHeld(tx: Executor, userId: string): Promise<number> {
      await tx.execute(sql`SELECT 1 FROM users WHERE id = ${userId} FOR NO KEY UPDATE`);
      const [row] = await tx.select({ n: count() }).from(devices).where(eq(devices.userId, userId));
      return row?.n ?? 0;
    },

    async insert(tx: Executor, row: DeviceRow): Promise<void> {
      await tx.insert(devices).values(row);
    },

    /** Answers the device as it is then; undefined where there is no such device. */
    async update(
      userId: string,
      id: string,
      values: Partial<DeviceRow>,
    ): Promise<DeviceRow | undefined> {
      const [row] = await db.update(devices).set(values).where(owned(userId, id)).returning();
      return row;
    },

    async delete(userId: string, id: string): Promise<void> {
      await db.delete(devices).where(owned(userId, id));
    },
  };
}

export type DevicesRepository = ReturnType<typeof createDevicesRepository>;
