import { lookup } from 'node:dns/promises';
import { BlockList, isIPv6 } from 'node:net';

/** Addresses that are not the open internet's (IANA's special-purpose registries). */
const closed = new BlockList();
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  closed.addSubnet(net, prefix, 'ipv4');
}
for (const [net, prefix] of [
  ['::', 127],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  closed.addSubnet(net, prefix, 'ipv6');
}

/** Whether an address, also an IPv4 one written as IPv6, belongs to the open internet. */
export const isPublicIp = (ip: string): boolean => !closed.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4');

/** Whether all that a URL's host name stands for is on the open internet, and not a neighbour of ours. */
export async function isPublicHost(hostname: string): Promise<boolean> {
  const name = hostname.replace(/^\[(.*)\]$/u, '$1');
  const found = await lookup(name, { all: true }).catch(() => []);
  return found.length > 0 && found.every(({ address }) => isPublicIp(address));
}
