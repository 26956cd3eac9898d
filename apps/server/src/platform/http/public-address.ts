import { BlockList, isIPv6 } from 'node:net';

/** Addresses that are not the open internet's (IANA's special-purpose registries). */
const closed = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  closed.ipv4.addSubnet(net, prefix, 'ipv4');
}
// Of IPv6 only what is given out, without the ranges in it that stand for IPv4 addresses.
for (const [net, prefix] of [
  ['::', 3],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['4000::', 2],
  ['8000::', 1],
] as const) {
  closed.ipv6.addSubnet(net, prefix, 'ipv6');
}

/** Whether an address, also an IPv4 one written as IPv6, belongs to the open internet. */
export function isPublicIp(ip: string): boolean {
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/iu.exec(ip)?.[1];
  const address = mapped ?? ip;
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  return !closed[family].check(address, family);
}
