import { fetchBounded, type FetchBounds } from '../../platform/http/bounded-fetch.ts';
import { isLoopback } from '../../platform/http/loopback.ts';
import { createGuardedFetch } from '../../platform/http/guarded-fetch.ts';

/** Bounds of a picture that a provider names. */
export const PHOTO_BOUNDS = { timeoutMs: 8000, mostBytes: 5_000_000 };

const MOST_REDIRECTS = 3;

/** Google serves pictures in the size that the end of their address asks for. */
const larger = (url: URL): URL =>
  url.hostname.endsWith('.googleusercontent.com')
    ? new URL(url.href.replace(/=s\d+-c$/u, '=s256-c'))
    : url;

/**
 * Fetches pictures of people from where their provider says they lie, whatever they are. Only
 * over https and from the open internet or the provider's own host, so that nobody can have this
 * server look around in its own network; over http where both are on this machine.
 */
export function createProviderPhotos({ issuer, bounds }: { issuer: string; bounds: FetchBounds }) {
  const home = new URL(issuer);
  const guarded = createGuardedFetch();

  /** How a picture may be fetched. */
  function fetchFor(url: URL): typeof globalThis.fetch {
    const secure = url.protocol === 'https:';
    const local = url.protocol === 'http:' && isLoopback(url.hostname) && isLoopback(home.hostname);
    if (!secure && !local) throw new Error(`A picture at ${url.origin} is not fetched.`);
    return local || url.hostname === home.hostname ? bounds.fetch : guarded;
  }

  /** @throws Error when there is no picture to be had there. */
  return async (address: string): Promise<Uint8Array> => {
    let url = larger(new URL(address));
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
      const by = { ...bounds, fetch: fetchFor(url) };
      const { status, headers, body } = await fetchBounded(url.href, {}, by);
      if (status === 200) return body;
      const next = headers.get('location');
      if (status < 300 || status >= 400 || !next) throw new Error(`${url.host} answers ${status}.`);
      url = new URL(next, url);
    }
    throw new Error(`${url.host} sends on and on.`);
  };
}
