import type { FastifyRequest } from 'fastify';

/** Stands for every address that cannot be decoded; nothing is at it. */
const UNREADABLE = '/unreadable-address';

/**
 * Whether the web app's page may be at an address. What calls and assets are missing is not answered
 * with it: a browser would take it for the script.
 */
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

/**
 * What an address is routed by. The router refuses what it cannot decode, before anything of the
 * server has seen it; somebody who opens such a page is to get the app, which says that there is
 * nothing, like at any other address that is none.
 */
export const readableAddress = (method: string | undefined, url: string): string =>
  (method === 'GET' || method === 'HEAD') && isPageAddress(url) && !canBeDecoded(url)
    ? UNREADABLE
    : url;

/** Whether a request came for an address that cannot be decoded. */
export const isUnreadable = ({ url, originalUrl }: Pick<FastifyRequest, 'url' | 'originalUrl'>) =>
  url === UNREADABLE && originalUrl !== url;
