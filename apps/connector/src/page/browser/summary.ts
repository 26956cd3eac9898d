import type { ConnectorStatus, FolderStatus } from '../../connector.ts';
import { count } from './format.ts';

export const sum = (
  folders: readonly FolderStatus[],
  of: (folder: FolderStatus) => number,
): number => folders.reduce((all, folder) => all + of(folder), 0);

export function summary({ folders, paused, pairing, trouble }: ConnectorStatus): string {
  const has = (state: FolderStatus['state']): boolean => folders.some((one) => one.state === state);
  if (paused) return 'Paused';
  if (trouble !== null || pairing !== 'paired') return 'Waiting';
  const waiting = sum(folders, (folder) => (folder.state === 'syncing' ? folder.waiting : 0));
  if (waiting > 0) return `Sending ${count(waiting, 'file')}`;
  if (has('syncing')) return 'Looking through your folders';
  if (has('waiting')) return 'Waiting';
  if (has('missing')) return 'A folder is missing';
  if (folders.some(({ archiveAsked }) => archiveAsked > 0)) return 'Waiting for your answer';
  const refused = sum(folders, (folder) => folder.refused);
  return refused > 0 ? `In step, except ${count(refused, 'file')}` : 'Everything is in step';
}
