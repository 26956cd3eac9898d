import type { Device } from '@engram/contract';
import { plural } from '../../format/format.ts';

type FolderReport = NonNullable<Device['report']>['folders'][number];

/** How long a device may be silent until it counts as away, in milliseconds. */
const AWAY_MS = 5 * 60_000;

/** Whether nothing was heard of a device for a while. */
export const isAway = ({ lastSeenAt }: Device, now: Date): boolean =>
  now.getTime() - new Date(lastSeenAt).getTime() > AWAY_MS;

/** Whether somebody asked it to look at once, and it has not heard so yet. */
const isAsked = ({ syncAskedAt, lastSeenAt }: Device): boolean =>
  syncAskedAt !== null && new Date(syncAskedAt) > new Date(lastSeenAt);

const states: Record<FolderReport['state'], (folder: FolderReport) => string> = {
  current: () => 'In step',
  syncing: ({ waiting }) =>
    waiting > 0 ? `${plural(waiting, 'file')} waiting` : 'Looking at the files',
  paused: () => 'Paused',
  missing: () => 'The folder cannot be found; nothing is changed until it is back',
  waiting: ({ waiting }) =>
    waiting > 0 ? `Waiting to send ${plural(waiting, 'file')}` : 'Waiting',
};

/** What a folder of a device is doing. */
export const folderWords = (folder: FolderReport): string => states[folder.state](folder);

/** How far a device is, in a few words. */
export function deviceWords(device: Device): string {
  const { report, paused } = device;
  if (paused) return 'Paused';
  if (isAsked(device)) return 'Told to look now';
  if (!report || report.folders.length === 0) return 'No folder chosen yet';
  const waiting = report.folders.reduce((sum, folder) => sum + folder.waiting, 0);
  if (waiting > 0) return `${plural(waiting, 'file')} waiting`;
  const found = new Set(report.folders.map(({ state }) => state));
  if (found.has('missing')) return 'A folder cannot be found';
  if (found.has('syncing')) return 'Looking at the files';
  if (found.has('waiting')) return 'Waiting';
  const refused = report.folders.reduce((sum, folder) => sum + folder.refused, 0);
  return refused > 0 ? `In Engram, except ${plural(refused, 'file')}` : 'Everything is in Engram';
}
