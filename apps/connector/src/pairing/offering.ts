import type { Client } from '@engram/client';
import { appSettings, type ConnectorBuild, listConnectorBuilds } from '@engram/contract';
import type { ConnectorStatus } from '../connector.ts';
import type { SizeLimits } from '@engram/folder-sync';

/** A server's file size limits, and a newer Connector if it has one. */
export interface Offering {
  limits: SizeLimits;
  newer: ConnectorStatus['newer'];
}

const PLATFORMS: Record<string, ConnectorBuild['platform']> = {
  'linux-x64': 'linux',
  'win32-x64': 'windows',
  'darwin-arm64': 'macos-arm64',
  'darwin-x64': 'macos-x64',
};
const here = PLATFORMS[`${process.platform}-${process.arch}`];

/** Whether a version comes after another: each of its numbers counts as one. */
const isAfter = (version: string, other: string): boolean =>
  version.localeCompare(other, 'en', { numeric: true }) > 0;

export async function askOffering(
  client: Client,
  server: string,
  version: string,
): Promise<Offering> {
  const { data } = await client.call(appSettings, {});
  // An older server does not know this call, and has no builds to offer.
  const builds = await client.call(listConnectorBuilds, {}).catch(() => ({ data: [] }));
  const build = builds.data.find(({ platform }) => platform === here);
  const isNewer = build !== undefined && isAfter(build.version, version);
  return {
    limits: { media: data.mediaLimitMb * 1_048_576, other: data.uploadLimitMb * 1_048_576 },
    newer: isNewer ? { version: build.version, link: `${server}/connector` } : null,
  };
}
