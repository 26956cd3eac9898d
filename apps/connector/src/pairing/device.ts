import { hostname, release, type as systemName } from 'node:os';
import { type Client, ApiError } from '@engram/client';
import { type Device, type DeviceReport, REFUSED_NAMED, reportDevice } from '@engram/contract';
import type { FolderStatus } from '../connector.ts';
import { Ended, meaningOf } from '../troubles.ts';

export const deviceName = (): string => hostname().slice(0, 200) || 'This computer';

const SYSTEMS: Record<string, string> = { Darwin: 'macOS', Windows_NT: 'Windows' };
const platformName = (): string =>
  `${SYSTEMS[systemName()] ?? systemName()} ${release()}`.slice(0, 200);

/** How far the folders are, as the server is told. */
export function reportOf(folders: readonly FolderStatus[], currentAt: number | null): DeviceReport {
  return {
    folders: folders.slice(0, 50).map(({ name, state, files, waiting, refused }) => ({
      name: name.slice(0, 200),
      state,
      files,
      waiting,
      refused,
    })),
    refused: folders
      .flatMap(({ leftOut }) => leftOut)
      .slice(0, REFUSED_NAMED)
      .map(({ path, reason }) => ({ path: path.slice(0, 4000), reason: reason.slice(0, 500) })),
    currentAt: currentAt === null ? null : new Date(currentAt).toISOString(),
  };
}

/** Registers this device or reports its state. Returns what the user asked of it. */
export async function tellOfDevice(
  client: Client,
  version: string,
  { id, report }: { id: string | null; report?: DeviceReport },
): Promise<Device> {
  const body = {
    ...(id === null ? {} : { id }),
    name: deviceName(),
    platform: platformName(),
    version,
    ...(report ? { report } : {}),
  };
  try {
    return (await client.call(reportDevice, { body })).data;
  } catch (error) {
    if (id !== null && error instanceof ApiError && error.status === 404) {
      throw new Ended('This device was ended in Engram. Please pair again.');
    }
    throw meaningOf(error);
  }
}
