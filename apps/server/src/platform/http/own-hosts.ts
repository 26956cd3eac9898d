import type { FastifyRequest } from 'fastify';
import { HttpError } from './errors.ts';
import { isLoopback } from './loopback.ts';

/** The name in a Host header, without its port; '' where it is none. */
const nameIn = (host: string): string => URL.parse(`http://${host}`)?.hostname ?? '';

/** Whether a server that listens on an address is reached from its own machine alone. */
export const listensLocally = (host: string): boolean =>
  isLoopback(nameIn(host.includes(':') && !host.startsWith('[') ? `[${host}]` : host));

/**
 * Whether a Host header names this server, for one that listens on loopback: null for any other.
 * There whoever gets through is taken for somebody at this machine, and a site's page could get
 * through under a name of its own that leads here (DNS rebinding).
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
  // Browsers always send one; programs that speak HTTP/1.0 need not.
  return (host) => {
    if (host === undefined) return true;
    const name = nameIn(host);
    return isLoopback(name) || name.endsWith('.localhost') || name === publicName;
  };
}

/** Whether an address is one under which this call could have reached us. */
export function isOwnAddress(
  address: string,
  request: Pick<FastifyRequest, 'host'>,
  publicUrl: string | undefined,
): boolean {
  const url = URL.parse(address);
  if (!url) return false;
  // Written out, a port may be the one that goes without saying.
  const own = URL.parse(`${url.protocol}//${request.host}`)?.host;
  return url.host === own || (publicUrl !== undefined && url.host === new URL(publicUrl).host);
}

export const foreignHost = (): HttpError =>
  new HttpError(
    421,
    'foreign_host',
    'This server does not answer under this name. Whoever runs it sets ENGRAM_PUBLIC_URL to the address that people use.',
  );
