import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, fetch as fetchBy } from 'undici';
import { isPublicIp } from './public-address.ts';

export interface GuardedFetchOptions {
  /** Whether an address may be connected to. Default: those of the open internet. */
  isAllowed?: (ip: string) => boolean;
  /** Default: the system's. */
  lookup?: LookupFunction;
}

/**
 * A fetch for addresses that strangers name. It connects to the very address that it has checked, since
 * a name may stand for another one a moment later, and only where all that a name stands for is
 * allowed. Whoever follows a redirect by it has that checked too.
 */
export function createGuardedFetch({
  isAllowed = isPublicIp,
  lookup = systemLookup as LookupFunction,
}: GuardedFetchOptions = {}): typeof globalThis.fetch {
  const refusal = (host: string) => new Error(`${host} is not on the open internet.`);

  const checkedLookup: LookupFunction = (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, answer) => {
      if (error) return callback(error, []);
      const found = Array.isArray(answer) ? answer : [];
      const [first] = found;
      if (!first || !found.every(({ address }) => isAllowed(address))) {
        return callback(refusal(hostname), []);
      }
      return options.all ? callback(null, found) : callback(null, first.address, first.family);
    });
  const dispatcher = new Agent({ connect: { lookup: checkedLookup } });

  return async (address, init) => {
    const { href, hostname } = new URL(address instanceof Request ? address.url : address);
    // What is an address already is not looked up.
    const literal = hostname.replace(/^\[(.*)\]$/u, '$1');
    if (isIP(literal) !== 0 && !isAllowed(literal)) throw refusal(hostname);
    const sent = { ...init, dispatcher } as Parameters<typeof fetchBy>[1];
    return (await fetchBy(href, sent)) as unknown as Response;
  };
}
