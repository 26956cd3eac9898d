import { hostname, release, type as systemName } from 'node:os';
import { type Client, ApiError } from '@engram/client';
import { type Device, type DeviceReport, reportDevice } from '@engram/contract';
import { Ended, meaningOf } from '../troubles.ts';

export const deviceName = (): string => hostname().slice(0, 200) || 'This computer';

const SYSTEMS: Record<string, string> = { Darwin: 'macOS', Windows_NT: 'Windows' };
const platformName = (): string =>
  `${SYSTEMS[systemName()] ?? systemName()} ${release()}`.slice(0, 200);

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
