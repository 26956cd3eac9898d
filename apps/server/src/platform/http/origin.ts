import type { FastifyRequest } from 'fastify';

export type OriginOf = (request: Pick<FastifyRequest, 'protocol' | 'host'>) => string;

/** The path of the MCP server, which is a resource for access tokens. */
export const MCP_PATH = '/mcp';

export function createOriginOf(publicUrl: string | undefined): OriginOf {
  if (publicUrl !== undefined) {
    const { origin } = new URL(publicUrl);
    return () => origin;
  }
  // Normalized: in lower case, without the default port.
  return ({ protocol, host }) => URL.parse(`${protocol}://${host}`)?.origin ?? 'http://localhost';
}
