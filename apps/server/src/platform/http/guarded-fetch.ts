import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, fetch as fetchBy } from 'undici';
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
 * allowed. Where it is redirected to is checked likewise.
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
  const connector = buildConnector({ lookup: checkedLookup });
  /** Whether a host is an address already, which is not looked up, and a closed one. */
  const isClosed = (host: string): boolean => {
    const literal = host.replace(/^\[(.*)\]$/u, '$1');
    return isIP(literal) !== 0 && !isAllowed(literal);
  };
  const dispatcher = new Agent({
    connect(options, callback) {
      if (isClosed(options.hostname)) callback(refusal(options.hostname), null);
      else connector(options, callback);
    },
  });

  return async (address, init) => {
    const { href, hostname } = new URL(address instanceof Request ? address.url : address);
    if (isClosed(hostname)) throw refusal(hostname);
    const sent = { ...init, dispatcher } as Parameters<typeof fetchBy>[1];
    return (await fetchBy(href, sent)) as unknown as Response;
  };
}
