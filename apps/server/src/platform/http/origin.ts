import type { FastifyRequest } from 'fastify';

/** The address under which a request reached this server, without a path. */
export type OriginOf = (request: Pick<FastifyRequest, 'protocol' | 'host'>) => string;

/** Where assistants reach this server, and what an access token is for that opens it. */
export const MCP_PATH = '/mcp';

/** The public address where it is set, and else what the request itself says of where it went. */
export function createOriginOf(publicUrl: string | undefined): OriginOf {
  if (publicUrl !== undefined) {
    const { origin } = new URL(publicUrl);
    return () => origin;
  }
  // Written anew: in lower case, and without the port that goes without saying.
  return ({ protocol, host }) => URL.parse(`${protocol}://${host}`)?.origin ?? 'http://localhost';
}
