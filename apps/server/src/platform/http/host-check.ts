import type { FastifyRequest } from 'fastify';
import { HttpError } from './errors.ts';
import { isLoopback, listensLocally, nameIn } from './loopback.ts';

/**
 * Checks the Host header of a server that listens on loopback; null for any other. It trusts its callers,
 * and a website could reach it by a name of its own that resolves to loopback (DNS rebinding).
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
  // Browsers always send one, HTTP/1.0 clients need not.
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
  const own = URL.parse(`${url.protocol}//${request.host}`)?.host;
  return url.host === own || (publicUrl !== undefined && url.host === new URL(publicUrl).host);
}

export const foreignHost = (): HttpError =>
  new HttpError(
    421,
    'foreign_host',
    'This server does not answer under this name. Whoever runs it sets ENGRAM_PUBLIC_URL to the address that people use.',
  );
