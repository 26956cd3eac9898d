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

/** The page of a file in the web app, at a passage (UTF-16 units of its text) if one is given. */
export function sourceUrl(
  origin: string,
  artifactId: string,
  passage: { start: number; end: number | null } | null,
): string {
  const { start, end } = passage ?? { start: 0, end: null };
  return `${origin}/source/${artifactId}${end === null ? '' : `?from=${start}&to=${end}`}`;
}
