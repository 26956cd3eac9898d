import { isIP, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { tooManyRequests } from './errors.ts';
import { isPublicIp } from './public-address.ts';
import type { Limit } from '../limits/limit.ts';

export interface Network {
  key: string;
  times: number;
}

export type Origin = Pick<FastifyRequest, 'ip' | 'ips' | 'headers'>;

/** An unknown proxy counts as this many networks, because its users share its address. */
const CLIENTS_PER_PROXY = 20;

/** The network of an address for rate limits: an IPv4 address, or an IPv6 /64 (RFC 6177). */
export function networkOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/iu.exec(ip)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(ip)) return ip;
  const withoutZone = ip.split('%')[0] ?? ip;
  // The URL parser returns the canonical form of an address.
  const [head = '', tail] = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1).split('::');
  const before = head.split(':').filter(Boolean);
  const after = (tail ?? '').split(':').filter(Boolean);
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after];
  return `${groups.slice(0, 4).join(':')}::/64`;
}

export const isUntrustedForward = ({ ips, headers }: Origin): boolean =>
  headers['x-forwarded-for'] !== undefined && (ips?.length ?? 1) < 2;

const isNear = (ip: string): boolean => isIP(ip.split('%')[0] ?? ip) !== 0 && !isPublicIp(ip);

/**
 * The networks for which a call is counted. All users behind an unknown proxy in a private network share its
 * address. Each forwarded address then counts as a network, and all together as several networks, because
 * forwarded addresses may be forged.
 */
export function networksOf(origin: Origin): readonly Network[] {
  const key = networkOf(origin.ip);
  if (!isUntrustedForward(origin) || !isNear(origin.ip)) return [{ key, times: 1 }];
  // The proxy appends its own entry.
  const named = String(origin.headers['x-forwarded-for']).split(',').at(-1)?.trim() ?? '';
  const client = isIP(named) === 0 ? 'nobody' : networkOf(named);
  return [
    { key: `${client} by ${key}`, times: 1 },
    { key: `all by ${key}`, times: CLIENTS_PER_PROXY },
  ];
}

/** Counts a call for all networks or none. Returns 0, or the seconds until the call is allowed. */
export async function countFor(limit: Limit, networks: readonly Network[]): Promise<number> {
  for (const [index, { key, times }] of networks.entries()) {
    const wait = await limit(key, times);
    if (wait === 0) continue;
    for (const counted of networks.slice(0, index)) limit.giveBack(counted.key, counted.times);
    return wait;
  }
  return 0;
}

export async function assertWithin(
  limit: Limit,
  networks: readonly Network[],
  message: string,
): Promise<void> {
  const wait = await countFor(limit, networks);
  if (wait > 0) throw tooManyRequests(message, wait);
}

/** @throws HttpError 429 if a user exceeds a limit */
export const assertUserWithin = (limit: Limit, userId: string, message: string): Promise<void> =>
  assertWithin(limit, [{ key: userId, times: 1 }], message);

/** How many networks an address counts as. A private one may be a proxy. */
export const connectionsAs = (ip: string): number => (isNear(ip) ? CLIENTS_PER_PROXY : 1);
