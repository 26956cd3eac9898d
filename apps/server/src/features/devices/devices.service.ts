import { randomUUID } from 'node:crypto';
import type { BodyOf, Device, reportDevice, steerDevice } from '@engram/contract';
import type { Core } from '../../composition/core.ts';
import type { Caller } from '../../platform/http/mount.ts';
import type { ConnectionsService } from '../connections/connections.service.ts';
import { deviceNotFound, tooManyDevices } from './devices.errors.ts';
import { createDevicesRepository } from './devices.repository.ts';
import type { DeviceRow } from './devices.tables.ts';

/** Devices that one person may have. */
const MOST_DEVICES = 50;

/** Whoever calls for a device: the program that it was let in as, or a key, which is none. */
type DeviceCaller = Pick<Caller, 'userId' | 'connectionId'>;

/** What a device says of itself. */
type DeviceWords = BodyOf<typeof reportDevice>;

const present = (row: DeviceRow): Device => ({
  id: row.id,
  name: row.name,
  platform: row.platform,
  version: row.version,
  createdAt: row.createdAt.toISOString(),
  lastSeenAt: row.lastSeenAt.toISOString(),
  report: row.report,
  paused: row.paused,
  syncAskedAt: row.syncAskedAt?.toISOString() ?? null,
});

/** The devices that keep people's folders in step: what they report, and what people want of them. */
export function createDevicesService(
  { storage: { database }, now }: Core,
  connections: Pick<ConnectionsService, 'end'>,
) {
  const repository = createDevicesRepository(database);

  async function found(userId: string, id: string): Promise<DeviceRow> {
    const row = await repository.find(userId, id);
    if (!row) throw deviceNotFound();
    return row;
  }

  async function register(
    { userId, connectionId }: DeviceCaller,
    words: DeviceWords,
    id: string = randomUUID(),
  ) {
    const { name, platform, version, report = null } = words;
    const at = now();
    const row: DeviceRow = {
      id,
      userId,
      connectionId,
      name,
      platform,
      version,
      report,
      paused: false,
      syncAskedAt: null,
      createdAt: at,
      lastSeenAt: at,
    };
    await database.transaction(async (tx) => {
      if ((await repository.countHeld(tx, userId)) >= MOST_DEVICES)
        throw tooManyDevices(MOST_DEVICES);
      await repository.insert(tx, row);
    });
    return row;
  }

  /** A device of the caller's: one that was let in speaks for itself alone. */
  async function own({ userId, connectionId }: DeviceCaller, id: string): Promise<DeviceRow> {
    const row = await found(userId, id);
    if (row.connectionId !== connectionId) throw deviceNotFound();
    return row;
  }

  return {
    own,

    /**
     * Registers a device, or keeps what it reports.
     * @throws HttpError 404 when the device was ended, 409 when there are too many.
     */
    async report(caller: DeviceCaller, words: DeviceWords): Promise<Device> {
      const { id, ...values } = words;
      if (id === undefined) return present(await register(caller, words));
      await own(caller, id);
      const row = await repository.update(caller.userId, id, { ...values, lastSeenAt: now() });
      if (!row) throw deviceNotFound();
      return present(row);
    },

    /** A device with an id of its own, as it is; where there is none it is registered. */
    async keep(userId: string, id: string, words: DeviceWords): Promise<Device> {
      const row = await repository.find(userId, id);
      return present(row ?? (await register({ userId, connectionId: null }, words, id)));
    },

    list: async (userId: string): Promise<Device[]> => (await repository.list(userId)).map(present),

    /** Keeps what a person wants of a device: it hears so with its next report. */
    async steer(
      userId: string,
      id: string,
      { paused, syncNow }: BodyOf<typeof steerDevice>,
    ): Promise<Device> {
      const row = await found(userId, id);
      const wanted = {
        paused: paused ?? row.paused,
        syncAskedAt: syncNow ? now() : row.syncAskedAt,
      };
      const changed = await repository.update(userId, id, wanted);
      if (!changed) throw deviceNotFound();
      return present(changed);
    },

    /**
     * Ends a device with what it was let in with; the files that it sent stay. A program ends itself
     * alone: what it may not do to connections it may not do to their devices.
     * @returns whether a connection ended with it
     */
    async end(caller: DeviceCaller & Pick<Caller, 'sessionId'>, id: string): Promise<boolean> {
      const { userId, sessionId } = caller;
      const { connectionId } = sessionId === null ? await own(caller, id) : await found(userId, id);
      if (connectionId !== null) await connections.end(userId, connectionId);
      await repository.delete(userId, id);
      return connectionId !== null;
    },
  };
}

export type DevicesService = ReturnType<typeof createDevicesService>;
