import type { ConnectorStatus, FolderStatus } from '../../connector.ts';

const plain = new Intl.NumberFormat('en');
const short = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 });

/** '1 file', '1,204 files'. */
export const count = (amount: number, singular: string, plural = `${singular}s`): string =>
  `${plain.format(amount)} ${amount === 1 ? singular : plural}`;

export const number = (amount: number): string => plain.format(amount);

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** '840 bytes', '3.1 GB'. */
export function size(bytes: number): string {
  let [amount, unit] = [bytes, 0];
  while (amount >= 999.5 && unit < UNITS.length - 1) [amount, unit] = [amount / 1000, unit + 1];
  if (unit === 0) return count(amount, 'byte');
  return `${amount < 10 ? short.format(amount) : Math.round(amount)} ${UNITS[unit]}`;
}

/** 'about 6 minutes'. */
export function duration(seconds: number): string {
  if (seconds < 60) return 'less than a minute';
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `about ${count(minutes, 'minute')}`;
  const hours = Math.round(minutes / 60);
  return hours < 48
    ? `about ${count(hours, 'hour')}`
    : `about ${count(Math.round(hours / 24), 'day')}`;
}

/** 'every 5 minutes'. */
export function interval(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  const [amount, unit] =
    minutes % 1440 === 0
      ? [minutes / 1440, 'day']
      : minutes % 60 === 0
        ? [minutes / 60, 'hour']
        : [minutes, 'minute'];
  return amount === 1 ? `Every ${unit}` : `Every ${count(amount, unit)}`;
}

/** A path in two parts: the beginning, which may be cut, and the end. */
export function splitPath(path: string): [head: string, tail: string] {
  const lastSlash = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  return lastSlash <= 0 ? ['', path] : [path.slice(0, lastSlash), path.slice(lastSlash)];
}

/** The host of a server's address; null without an address. */
export function hostOf(server: string | null): string | null {
  if (server === null) return null;
  return URL.canParse(server) ? new URL(server).host : server;
}

/** An address for a link, if it leads to a web page. */
export const webLink = (address: string): string | undefined =>
  /^https?:\/\//u.test(address) ? address : undefined;

export const sum = (
  folders: readonly FolderStatus[],
  valueOf: (folder: FolderStatus) => number,
): number => folders.reduce((total, folder) => total + valueOf(folder), 0);

/** A summary of all folders. */
export function summary({ folders, paused, pairing, problem }: ConnectorStatus): string {
  const has = (state: FolderStatus['state']): boolean =>
    folders.some((folder) => folder.state === state);
  if (paused) return 'Paused';
  if (problem !== null || pairing !== 'paired') return 'Waiting';
  const waiting = sum(folders, (folder) => (folder.state === 'syncing' ? folder.waiting : 0));
  if (waiting > 0) return `Sending ${count(waiting, 'file')}`;
  if (has('syncing')) return 'Scanning your folders';
  if (has('waiting')) return 'Waiting';
  if (has('missing')) return 'A folder is missing';
  if (folders.some(({ archiveAsked }) => archiveAsked > 0)) return 'Waiting for your answer';
  const refused = sum(folders, (folder) => folder.refused);
  return refused > 0 ? `Synced, except ${count(refused, 'file')}` : 'Everything is synced';
}
