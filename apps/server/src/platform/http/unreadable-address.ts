import type { FastifyRequest } from 'fastify';

/** Replaces every address that cannot be decoded. There is nothing at it. */
const UNREADABLE = '/unreadable-address';

/** Whether the web app's page may be at an address. A browser would take it for a missing script. */
export const isPageAddress = (url: string): boolean =>
  !/^\/(?:v1(?:[/?]|$)|assets\/|\.well-known\/)/u.test(url);

const canBeDecoded = (url: string): boolean => {
  try {
    decodeURIComponent(url.split('?', 1)[0] ?? '');
    return true;
  } catch {
    return false;
  }
};

/** The address for the router, which would refuse one that it cannot decode before the app is shown. */
export const readableAddress = (method: string | undefined, url: string): string =>
  (method === 'GET' || method === 'HEAD') && isPageAddress(url) && !canBeDecoded(url)
    ? UNREADABLE
    : url;

export const isUnreadable = ({ url, originalUrl }: Pick<FastifyRequest, 'url' | 'originalUrl'>) =>
  url === UNREADABLE && originalUrl !== url;
