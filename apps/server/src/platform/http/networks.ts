import { isIP, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { tooManyRequests } from './errors.ts';
import { isPublicIp } from './public-address.ts';
import type { Limit } from '../limits/limit.ts';

/** A count that calls fall under, and how many times the limit of one network it allows. */
export interface Network {
  key: string;
  times: number;
}

/** What is known of where a call came from. */
export type Origin = Pick<FastifyRequest, 'ip' | 'ips' | 'headers'>;

/** How many networks a proxy that nobody named counts as: its visitors share its address. */
const VISITORS = 20;

/**
 * What limits by address count as one caller: an IPv4 address, or an IPv6 /64, which is what one
 * connection commonly gets (RFC 6177).
 */
export function networkOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/iu.exec(ip)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(ip)) return ip;
  const withoutZone = ip.split('%')[0] ?? ip;
  // The URL parser writes an address in its one canonical form (WHATWG URL, 'IPv6 serializer').
  const [head = '', tail] = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1).split('::');
  const before = head.split(':').filter(Boolean);
  const after = (tail ?? '').split(':').filter(Boolean);
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after];
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/** Whether a call says for whom it was passed on, and its connection is not of a trusted proxy. */
export const isUntrustedForward = ({ ips, headers }: Origin): boolean =>
  headers['x-forwarded-for'] !== undefined && (ips?.length ?? 1) < 2;

/** Whether an address is this machine's, or of a network that is not the open internet's. */
export const isNear = (ip: string): boolean =>
  isIP(ip.split('%')[0] ?? ip) !== 0 && !isPublicIp(ip);

/**
 * The counts that a call falls under: its network's. Where a proxy passed it on that stands near and
 * that nobody named, all visitors have the proxy's address. Then whom it names counts by itself, so
 * that one visitor does not lock out all, and all of them together as so many networks, as what it
 * names may be made up.
 */
export function networksOf(origin: Origin): readonly Network[] {
  const key = networkOf(origin.ip);
  if (!isUntrustedForward(origin) || !isNear(origin.ip)) return [{ key, times: 1 }];
  // What the proxy itself adds comes last.
  const named = String(origin.headers['x-forwarded-for']).split(',').at(-1)?.trim() ?? '';
  const visitor = isIP(named) === 0 ? 'nobody' : networkOf(named);
  return [
    { key: `${visitor} by ${key}`, times: 1 },
    { key: `all by ${key}`, times: VISITORS },
  ];
}

/**
 * Counts one for each of a call's networks, or for none of them where one has too many; answers 0, or
 * the seconds until it may be done.
 */
export async function countFor(limit: Limit, networks: readonly Network[]): Promise<number> {
  for (const [index, { key, times }] of networks.entries()) {
    const wait = await limit(key, times);
    if (wait === 0) continue;
    for (const counted of networks.slice(0, index)) limit.giveBack(counted.key, counted.times);
    return wait;
  }
  return 0;
}

/** @throws HttpError 429 with the message where a network has too many. */
export async function assertWithin(
  limit: Limit,
  networks: readonly Network[],
  message: string,
): Promise<void> {
  const wait = await countFor(limit, networks);
  if (wait > 0) throw tooManyRequests(message, wait);
}

/** How many networks the connections of an address count as: one that stands near may be a proxy. */
export const connectionsAs = (ip: string): number => (isNear(ip) ? VISITORS : 1);
