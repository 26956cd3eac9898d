import type { FastifyRequest } from 'fastify';
import { HttpError } from './errors.ts';

export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/u.test(hostname);

/** The host name in a Host header or a setting, in its canonical form. */
export const nameIn = (host: string): string => URL.parse(`http://${host}`)?.hostname ?? '';

export const listensLocally = (host: string): boolean =>
  isLoopback(nameIn(host.includes(':') && !host.startsWith('[') ? `[${host}]` : host));

/** Whether only this machine can reach the server, so that its users can read the log. */
export const isLocalOnly = ({
  host,
  publicUrl,
}: {
  host: string;
  publicUrl?: string | undefined;
}): boolean =>
  listensLocally(host) && (publicUrl === undefined || isLoopback(new URL(publicUrl).hostname));

/**
 * Checks the Host header of a server that listens on loopback; null for others. Without this check, a
 * website could reach it by a name that resolves to loopback (DNS rebinding).
 */
export function createHostCheck({
  host: listensOn,
  publicUrl,
}: {
  host: string;
  publicUrl: string | undefined;
}): ((host: string | undefined) => boolean) | null {
  if (!listensLocally(listensOn)) return null;
  const publicName = publicUrl === undefined ? null : new URL(publicUrl).hostname;
  // Browsers always send a Host header.
  return (host) => {
    if (host === undefined) return true;
    const name = nameIn(host);
    return isLoopback(name) || name.endsWith('.localhost') || name === publicName;
  };
}

export function isOwnAddress(
  address: string,
  request: Pick<FastifyRequest, 'host'>,
  publicUrl: string | undefined,
): boolean {
  const url = URL.parse(address);
  if (!url) return false;
  const ownHost = URL.parse(`${url.protocol}//${request.host}`)?.host;
  return url.host === ownHost || (publicUrl !== undefined && url.host === new URL(publicUrl).host);
}

export const foreignHost = (): HttpError =>
  new HttpError(
    421,
    'foreign_host',
    'This server does not accept this host name. Its operator must set ENGRAM_PUBLIC_URL to the address that users open.',
  );

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

/** The page of a file in the web app, optionally at a passage (UTF-16 units of its text). */
export function sourceUrl(
  origin: string,
  artifactId: string,
  passage: { start: number; end: number | null } | null,
): string {
  const { start, end } = passage ?? { start: 0, end: null };
  return `${origin}/source/${artifactId}${end === null ? '' : `?from=${start}&to=${end}`}`;
}
