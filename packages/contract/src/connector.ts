import { z } from 'zod';
import { defineRoute } from './route.ts';

export const connectorPlatform = z.enum(['windows', 'macos-arm64', 'macos-x64', 'linux']);

const connectorBuild = z.object({
  platform: connectorPlatform,
  fileName: z.string(),
  /** In bytes. */
  size: z.number().int().positive(),
  /** In hexadecimal. */
  sha256: z.string(),
  version: z.string(),
});
export type ConnectorBuild = z.output<typeof connectorBuild>;

export const listConnectorBuilds = defineRoute('GET /connector/builds', {
  summary: 'The builds of the Connector that this server offers',
  auth: 'public',
  data: z.array(connectorBuild),
});

export const getConnectorBuild = defineRoute('GET /connector/builds/{fileName}', {
  summary: 'A file of the Connector, with ranges',
  auth: 'public',
  kind: 'file',
  params: z.object({ fileName: z.string().min(1).max(200) }),
  errors: { 404: 'No such file.', 416: 'The range lies outside of the file.' },
});
