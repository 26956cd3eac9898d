import { randomUUID } from 'node:crypto';
import {
  type BodyOf,
  type Device,
  type DeviceReport,
  endDevice,
  listDevices,
  reportDevice,
  steerDevice,
} from '@engram/contract';
import { and, desc, eq, sql } from 'drizzle-orm';
import { boolean, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { Core } from '../../composition/core.ts';
import { instant } from '../../platform/database/sql.ts';
import { HttpError } from '../../platform/http/errors.ts';
import type { Caller, Mount } from '../../platform/http/mount.ts';
import type { ConnectionsService } from '../connections/connections.service.ts';

const MAX_DEVICES = 50;

export const devices = pgTable('devices', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  connectionId: uuid('connection_id'),
  name: text().notNull(),
  platform: text().notNull(),
  version: text().notNull(),
  report: jsonb().$type<DeviceReport>(),
  paused: boolean().notNull().default(false),
  syncAskedAt: instant('sync_asked_at'),
  createdAt: instant('created_at').notNull(),
  lastSeenAt: instant('last_seen_at').notNull(),
});

type DeviceRow = typeof devices.$inferSelect;

type DeviceCaller = Pick<Caller, 'userId' | 'connectionId'>;

type DeviceStatus = BodyOf<typeof reportDevice>;

const present = (row: DeviceRow): Device => ({
  id: row.id,
  name: row.name,
  platform: row.platform,
  version: row.version,
  report: row.report,
  paused: row.paused,
  createdAt: row.createdAt.toISOString(),
  lastSeenAt: row.lastSeenAt.toISOString(),
  syncAskedAt: row.syncAskedAt?.toISOString() ?? null,
});

export function createDevicesService(
  { storage: { database }, securityEvents, now }: Core,
  connections: Pick<ConnectionsService, 'end'>,
) {
  const { db } = database;
  const isOwned = (userId: string, id: string) =>
    and(eq(devices.id, id), eq(devices.userId, userId));

  const find = async (userId: string, id: string): Promise<DeviceRow | undefined> => {
    const [row] = await db.select().from(devices).where(isOwned(userId, id));
    return row;
  };

  const assertFound = (row: DeviceRow | undefined): DeviceRow => {
    if (!row)
      throw new HttpError(404, 'device_not_found', 'This device was removed or is unknown.');
    return row;
  };

  const update = async (
    userId: string,
    id: string,
    changes: Partial<DeviceRow>,
  ): Promise<Device> => {
    const [row] = await db.update(devices).set(changes).where(isOwned(userId, id)).returning();
    return present(assertFound(row));
  };

  const register = (
    { userId, connectionId }: DeviceCaller,
    { name, platform, version, report }: DeviceStatus,
    id: string = randomUUID(),
  ): Promise<DeviceRow> =>
    database.transaction(async (tx) => {
      // Locked, so that concurrent registrations are counted one by one.
      await tx.execute(sql`SELECT 1 FROM users WHERE id = ${userId} FOR NO KEY UPDATE`);
      if ((await tx.$count(devices, eq(devices.userId, userId))) >= MAX_DEVICES) {
        const message = `You can have up to ${MAX_DEVICES} devices. Please remove one that you no longer use.`;
        throw new HttpError(409, 'too_many_devices', message);
      }
      const createdAt = now();
      const row: DeviceRow = {
        id,
        userId,
        connectionId,
        name,
        platform,
        version,
        report: report ?? null,
        paused: false,
        syncAskedAt: null,
        createdAt,
        lastSeenAt: createdAt,
      };
      await tx.insert(devices).values(row);
      return row;
    });

  /** The caller's device. A connected device only has access to itself. @throws HttpError 404 */
  async function findOwn({ userId, connectionId }: DeviceCaller, id: string): Promise<DeviceRow> {
    const row = await find(userId, id);
    return assertFound(row?.connectionId === connectionId ? row : undefined);
  }

  /** Registers a device, or stores its report. @throws HttpError 404 if it was removed, 409 */
  async function report(caller: DeviceCaller, { id, ...values }: DeviceStatus): Promise<Device> {
    if (id === undefined) return present(await register(caller, values));
    await findOwn(caller, id);
    return update(caller.userId, id, { ...values, lastSeenAt: now() });
  }

  return {
    findOwn,

    report,
    async ensure(userId: string, id: string, status: DeviceStatus): Promise<Device> {
      const row = await find(userId, id);
      return present(row ?? (await register({ userId, connectionId: null }, status, id)));
    },

    routes(mount: Mount): void {
      mount(reportDevice, async ({ caller, body }) => ({ data: await report(caller, body) }));
      mount(listDevices, async ({ caller }) => {
        const rows = await db
          .select()
          .from(devices)
          .where(eq(devices.userId, caller.userId))
          .orderBy(desc(devices.createdAt), desc(devices.id));
        return { data: rows.map(present) };
      });
      // The response to the next report tells the device to pause, resume or sync.
      mount(steerDevice, async ({ caller: { userId }, params: { id }, body }) => {
        const row = assertFound(await find(userId, id));
        const paused = body.paused ?? row.paused;
        const syncAskedAt = body.syncNow ? now() : row.syncAskedAt;
        return { data: await update(userId, id, { paused, syncAskedAt }) };
      });
      mount(endDevice, async ({ caller, ip, params: { id } }) => {
        const { userId, sessionId } = caller;
        // A connected app can only remove itself, because it may not end other connections.
        const { connectionId } =
          sessionId === null ? await findOwn(caller, id) : assertFound(await find(userId, id));
        if (connectionId !== null) await connections.end(userId, connectionId);
        await db.delete(devices).where(isOwned(userId, id));
        if (connectionId !== null) await securityEvents.by('app_ended', caller, ip);
        return { data: null };
      });
    },
  };
}

export type DevicesService = ReturnType<typeof createDevicesService>;
