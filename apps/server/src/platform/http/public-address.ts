import { BlockList, isIP, isIPv6 } from 'node:net';

/**
 * Addresses that are not on the public internet, by IANA's special-purpose registries
 * (https://www.iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry).
 */
const CLOSED_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  // Multicast and reserved.
  '224.0.0.0/3',
];

/** Everything outside 2000::/3, and special ranges inside it. */
const CLOSED_IPV6 = [
  '::/3',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '4000::/2',
  '8000::/1',
];

const MAPPED = new BlockList();
MAPPED.addSubnet('::ffff:0:0', 96, 'ipv6');

type Family = 'ipv4' | 'ipv6';

/** Checks whether an IP is in one of the given ranges, such as 10.0.0.0/8, or equals a given address. */
export function addressRanges(ranges: readonly string[]): (ip: string) => boolean {
  const lists: Record<Family, BlockList> = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) lists[family].addAddress(address, family);
    else lists[family].addSubnet(address, Number(bits), family);
  }
  // A BlockList checks mapped addresses against IPv4 ranges.
  return (ip) =>
    isIPv6(ip) && !MAPPED.check(ip, 'ipv6')
      ? lists.ipv6.check(ip, 'ipv6')
      : lists.ipv4.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4');
}

export function isAddressRange(text: string): boolean {
  const [address = '', bits, ...extra] = text.split('/');
  const family = isIP(address);
  if (family === 0 || extra.length > 0) return false;
  return (
    bits === undefined || (/^\d{1,3}$/u.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
  );
}

const isClosed = addressRanges([...CLOSED_IPV4, ...CLOSED_IPV6]);

export const isPublicIp = (ip: string): boolean => !isClosed(ip);
