import { isIPv6 } from 'node:net';

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
