import { lookup as systemLookup } from 'node:dns';
import { lookup as lookUp } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, EnvHttpProxyAgent, fetch as fetchBy } from 'undici';
import { addressRanges, isAddressRange, isPublicIp } from './public-address.ts';

export interface GuardedFetchOptions {
  /** Hosts and address ranges in private networks that are allowed (ENGRAM_FETCH_ALLOW). */
  allow?: readonly string[];
  /** Addresses that the operator configured, whose origins are always allowed. */
  configured?: readonly (string | undefined)[];
  /**
   * Uses the proxy of HTTPS_PROXY, HTTP_PROXY and NO_PROXY. Only for trusted servers, because the proxy
   * resolves the host names. Default: false.
   */
  usesProxy?: boolean;
  lookup?: LookupFunction;
}

/** The address is in a private network, and not allowed. */
class ClosedAddressError extends Error {
  override readonly name = 'ClosedAddressError';
}

/** Whether a fetch failed because its address is not allowed. */
export const isClosedAddress = (error: unknown): boolean =>
  error instanceof ClosedAddressError || (error instanceof Error && isClosedAddress(error.cause));

const splitAllowed = (allow: readonly string[]) => ({
  hosts: new Set(allow.filter((entry) => !isAddressRange(entry))),
  isAllowedRange: addressRanges(allow.filter(isAddressRange)),
});

const withoutBrackets = (host: string): string => host.replace(/^\[(.*)\]$/u, '$1');

/**
 * Whether an address is on the public internet, in an allowed private network, or closed. A fetch checks it
 * again, because the name may resolve differently later. Fails if the name is unknown.
 */
export async function reachOf(
  { hostname }: Pick<URL, 'hostname'>,
  allow: readonly string[],
): Promise<'open' | 'allowed' | 'closed'> {
  const { hosts, isAllowedRange } = splitAllowed(allow);
  if (hosts.has(hostname)) return 'allowed';
  const answers = await lookUp(withoutBrackets(hostname), { all: true });
  if (answers.every(({ address }) => isPublicIp(address))) return 'open';
  const isAllowed = answers.every(({ address }) => isPublicIp(address) || isAllowedRange(address));
  return isAllowed ? 'allowed' : 'closed';
}

/** Checks hosts and IPs. Connections use the checked IP, because a second lookup may return another one. */
export function createAddressGuard({
  allow = [],
  lookup = systemLookup as LookupFunction,
}: Pick<GuardedFetchOptions, 'allow' | 'lookup'>) {
  const { hosts, isAllowedRange } = splitAllowed(allow);
  const isAllowed = (ip: string): boolean => isPublicIp(ip) || isAllowedRange(ip);
  const refusal = (host: string) => new ClosedAddressError(`${host} is not on the open internet.`);

  const checkedLookup: LookupFunction = (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, answer) => {
      if (error) return callback(error, []);
      const addresses = Array.isArray(answer) ? answer : [];
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => isAllowed(address))) {
        return callback(refusal(hostname), []);
      }
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  return {
    /** Whether the operator allows a host by its name, wherever it is. */
    isNamed: (host: string): boolean => hosts.has(host),

    lookup: checkedLookup,

    /** Whether a host is a closed address. Those are not looked up. */
    isClosed(host: string): boolean {
      const literal = withoutBrackets(host);
      return isIP(literal) !== 0 && !isAllowed(literal);
    },

    refusal,
  };
}

/**
 * A fetch function for untrusted addresses. It never connects to a private, loopback or link-local
 * address, even after a redirect.
 */
export function createGuardedFetch({
  allow = [],
  configured = [],
  usesProxy = false,
  lookup = systemLookup as LookupFunction,
}: GuardedFetchOptions = {}): typeof globalThis.fetch {
  const { isNamed, isClosed, refusal, ...guard } = createAddressGuard({ allow, lookup });
  const origins = new Set(
    configured.flatMap((address) => (address === undefined ? [] : new URL(address).origin)),
  );
  const checked = buildConnector({ lookup: guard.lookup });
  const unchecked = buildConnector({ lookup });
  const isExempt = (url: URL): boolean => origins.has(url.origin) || isNamed(url.hostname);
  const dispatcher = new (usesProxy ? EnvHttpProxyAgent : Agent)({
    connect(options, callback) {
      const { protocol, hostname, port } = options;
      if (isExempt(new URL(`${protocol}//${hostname}:${port}`))) unchecked(options, callback);
      else if (isClosed(hostname)) callback(refusal(hostname), null);
      else checked(options, callback);
    },
  });

  return async (address, init) => {
    const url = new URL(address instanceof Request ? address.url : address);
    if (!isExempt(url) && isClosed(url.hostname)) throw refusal(url.hostname);
    const sent = { ...init, dispatcher } as Parameters<typeof fetchBy>[1];
    return (await fetchBy(url.href, sent)) as unknown as Response;
  };
}
