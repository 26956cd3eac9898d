import { z } from 'zod';
import { FOLDERS_LIMIT, REFUSED_NAMED } from './limits.ts';
import { defineRoute } from './route.ts';
import { count, id, timestamp } from './values.ts';

const line = z.string().trim().min(1).max(200);

/**
 * `missing`: nothing changes until the folder is back. `waiting`: the server cannot be reached or
 * is busy.
 */
const folderState = z
  .enum(['current', 'syncing', 'paused', 'missing', 'waiting'])
  .meta({ id: 'FolderState', description: 'The sync state of a folder.' });

const folderReport = z
  .object({
    name: line.describe('The folder’s own name, as its files’ paths begin.'),
    state: folderState,
    files: count.describe('Files that are in Engram.'),
    waiting: count.describe('Files that are not sent yet.'),
    refused: count.describe('Files that were skipped or refused.'),
  })
  .meta({ id: 'FolderReport', description: 'The sync progress of a folder.' });

const refusedPath = z
  .object({
    path: z.string().min(1).max(4000).describe('The path of the file in its folder.'),
    reason: z.string().min(1).max(500).describe('Why it was refused, as a sentence.'),
  })
  .meta({ id: 'RefusedFile', description: 'A rejected file of a folder, with the reason.' });

const deviceReport = z
  .object({
    folders: z.array(folderReport).max(FOLDERS_LIMIT).describe('The folders of the device.'),
    refused: z
      .array(refusedPath)
      .max(REFUSED_NAMED)
      .default([])
      .describe('Some of the refused files.'),
    currentAt: z.iso
      .datetime({ offset: true })
      .max(40)
      .nullable()
      .default(null)
      .describe('When everything was last in sync.'),
  })
  .meta({ id: 'DeviceReport', description: 'The sync progress of a device.' });

export const device = z
  .object({
    id,
    name: z.string().describe('The name of the device, such as Home-PC.'),
    platform: z.string().describe('The operating system, such as Windows 11.'),
    version: z.string().describe('The version of the program.'),
    createdAt: timestamp.describe('When it was registered.'),
    lastSeenAt: timestamp.describe('When it last reported.'),
    report: deviceReport
      .nullable()
      .describe('The state of its folders; by default that of the last report.'),
    paused: z.boolean().describe('Whether the user paused it.'),
    syncAskedAt: timestamp
      .nullable()
      .describe('When the user last asked for a sync; null if never.'),
  })
  .meta({ id: 'Device', description: 'A device that syncs folders.' });
export type Device = z.output<typeof device>;
export type DeviceReport = z.output<typeof deviceReport>;
export type FolderReport = z.output<typeof folderReport>;

const notFound = { 404: 'No such device.' } as const;

export const reportDevice = defineRoute('POST /devices', {
  apiKey: true,
  summary: 'Register a device that syncs folders, or report its progress',
  sdk: { 'devices.report': { handWritten: true } },
  notRepeatable: true,
  body: z.object({
    id: id.optional().describe('The id from the first call. Without it a device is registered.'),
    name: line.describe('The name of the device, such as Home-PC.'),
    platform: line.describe('The operating system, such as Windows 11.'),
    version: line.describe('The version of the program.'),
    report: deviceReport
      .optional()
      .describe('The state of its folders; by default that of the last report.'),
  }),
  /** The user sets `paused` and `syncAskedAt`. */
  data: device,
  errors: {
    404: 'The device was ended.',
    409: 'The user has the maximum number of devices.',
  },
  example: { body: { name: 'Home-PC', platform: 'Windows 11', version: '0.1.0' } },
});

export const listDevices = defineRoute('GET /devices', {
  apiKey: true,
  summary: 'Devices that sync folders, newest first',
  sdk: { 'devices.list': {} },
  data: z.array(device),
  example: {},
});

export const steerDevice = defineRoute('PUT /devices/{id}', {
  summary: 'Pause or resume a device, or request a sync',
  params: z.object({ id }),
  body: z.object({ paused: z.boolean().optional(), syncNow: z.boolean().optional() }),
  data: device,
  errors: notFound,
});

export const endDevice = defineRoute('DELETE /devices/{id}', {
  apiKey: true,
  summary: 'Remove a device. Its tokens are revoked, and its files stay.',
  sdk: { 'devices.end': {} },
  notRepeatable: true,
  params: z.object({ id }),
  data: z.null(),
  message: 'Device ended.',
  errors: notFound,
  example: { params: { id: '$DEVICE_ID' } },
});
