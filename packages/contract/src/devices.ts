import { z } from 'zod';
import { FOLDERS_LIMIT, REFUSED_NAMED } from './limits.ts';
import { defineRoute } from './route.ts';
import { id, timestamp } from './values.ts';

const count = z.number().int().nonnegative();
const line = z.string().trim().min(1).max(200);

/**
 * - `current`  everything that is to be in Engram is there
 * - `syncing`  files are being looked at or sent
 * - `paused`   the person paused it
 * - `missing`  the folder cannot be found: nothing is changed until it is back
 * - `waiting`  the server or the network is not there, or refuses for now
 */
export const folderState = z
  .enum(['current', 'syncing', 'paused', 'missing', 'waiting'])
  .meta({ id: 'FolderState', description: 'How far a folder is.' });

export const folderReport = z
  .object({
    /** The folder's own name, as its files' paths begin. */
    name: line,
    state: folderState,
    /** Files that are in Engram. */
    files: count,
    /** Files that are still to be sent. */
    waiting: count,
    /** Files that were left out or refused. */
    refused: count,
  })
  .meta({ id: 'FolderReport', description: 'How far a folder is.' });

const refusedPath = z
  .object({ path: z.string().min(1).max(4000), reason: z.string().min(1).max(500) })
  .meta({ id: 'RefusedFile', description: 'A file of a folder that was refused, and why.' });

export const deviceReport = z
  .object({
    folders: z.array(folderReport).max(FOLDERS_LIMIT),
    /** Some of the files that were refused, each with the reason. */
    refused: z.array(refusedPath).max(REFUSED_NAMED).default([]),
    /** When everything was last in step; null while it never was. */
    currentAt: z.iso.datetime({ offset: true }).max(40).nullable().default(null),
  })
  .meta({ id: 'DeviceReport', description: 'How far a device is with its folders.' });

export const device = z
  .object({
    id,
    /** Such as Home-PC. */
    name: z.string(),
    /** The operating system, such as Windows 11. */
    platform: z.string(),
    /** The Connector's own version. */
    version: z.string(),
    createdAt: timestamp,
    lastSeenAt: timestamp,
    report: deviceReport.nullable(),
    /** Whether the person wants nothing to be sent for now. */
    paused: z.boolean(),
    /** When the person last asked it to look at once; null while nobody has. */
    syncAskedAt: timestamp.nullable(),
  })
  .meta({ id: 'Device', description: 'A device that keeps folders in step.' });
export type Device = z.output<typeof device>;
export type DeviceReport = z.output<typeof deviceReport>;
export type FolderReport = z.output<typeof folderReport>;

const own = { auth: 'user', kind: 'json' } as const;
const notFound = { 404: 'No such device.' } as const;

export const reportDevice = defineRoute({
  ...own,
  id: 'devices.reportDevice',
  method: 'POST',
  path: '/devices',
  summary: 'Register a device that keeps folders in step, or report how far it is',
  sdk: { 'devices.report': { handWritten: true } },
  notRepeatable: true,
  apiKey: true,
  body: z.object({
    /** The id that the first call answered; without it a device is registered. */
    id: id.optional(),
    name: line,
    platform: line,
    version: line,
    report: deviceReport.optional(),
  }),
  /** What the person wants of it is in `paused` and `syncAskedAt`. */
  data: device,
  errors: {
    404: 'The device was ended.',
    409: 'There are as many devices as one person may have.',
  },
  example: { body: { name: 'Home-PC', platform: 'Windows 11', version: '0.1.0' } },
});

export const listDevices = defineRoute({
  ...own,
  id: 'devices.listDevices',
  method: 'GET',
  path: '/devices',
  summary: 'Devices that keep folders in step, newest first',
  sdk: { 'devices.list': {} },
  apiKey: true,
  data: z.array(device),
  example: {},
});

export const steerDevice = defineRoute({
  ...own,
  id: 'devices.steerDevice',
  method: 'PUT',
  path: '/devices/{id}',
  summary: 'Pause a device, let it go on, or have it look at its folders at once',
  params: z.object({ id }),
  body: z.object({ paused: z.boolean().optional(), syncNow: z.boolean().optional() }),
  data: device,
  errors: notFound,
});

export const endDevice = defineRoute({
  ...own,
  id: 'devices.endDevice',
  method: 'DELETE',
  path: '/devices/{id}',
  summary: 'End a device: what it was let in with stops working, its files stay',
  sdk: { 'devices.end': {} },
  notRepeatable: true,
  apiKey: true,
  params: z.object({ id }),
  data: z.null(),
  message: 'Device ended.',
  errors: notFound,
  example: { params: { id: '$DEVICE_ID' } },
});
