import { fetchBounded, type FetchBounds } from '../../platform/http/bounded-fetch.ts';
import { isLoopback } from '../../platform/http/loopback.ts';

/** Bounds of a picture that a provider names. */
export const PHOTO_BOUNDS = { timeoutMs: 8000, mostBytes: 5_000_000 };

const MOST_REDIRECTS = 3;

/** Google serves pictures in the size that the end of their address asks for. */
const larger = (url: URL): URL =>
  url.hostname.endsWith('.googleusercontent.com')
    ? new URL(url.href.replace(/=s\d+-c$/u, '=s256-c'))
    : url;

/**
 * Fetches the profile pictures that a provider names: over https, or over http where the provider and
 * the picture are both on this machine. `bounds.fetch` refuses addresses of private networks.
 */
export function createProviderPhotos({ issuer, bounds }: { issuer: string; bounds: FetchBounds }) {
  const home = new URL(issuer);
  const isSecure = ({ protocol, hostname }: URL): boolean =>
    protocol === 'https:' ||
    (protocol === 'http:' && isLoopback(hostname) && isLoopback(home.hostname));

  /** @throws Error when there is no picture to be had there. */
  return async (address: string): Promise<Uint8Array> => {
    let url = larger(new URL(address));
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
      if (!isSecure(url)) throw new Error(`A picture at ${url.origin} is not fetched.`);
      const { status, headers, body } = await fetchBounded(url.href, {}, bounds);
      if (status === 200) return body;
      const next = headers.get('location');
      if (status < 300 || status >= 400 || !next) throw new Error(`${url.host} answers ${status}.`);
      url = new URL(next, url);
    }
    throw new Error(`${url.host} sends on and on.`);
  };
}
