import { expect, test } from 'vitest';
import { isPublicIp } from '../public-address.ts';

/**
 * IANA's special-purpose address registries: the block, its first and last address, and whether the
 * server may fetch from it. Globally reachable blocks are allowed, except those that map IPv4
 * addresses and 2001::/23, which no web server uses.
 * https://www.iana.org/assignments/iana-ipv4-special-registry
 * https://www.iana.org/assignments/iana-ipv6-special-registry
 */
const REGISTRIES: [string, string, string, boolean][] = [
  ['0.0.0.0/8', '0.0.0.0', '0.255.255.255', false],
  ['10.0.0.0/8', '10.0.0.0', '10.255.255.255', false],
  ['100.64.0.0/10', '100.64.0.0', '100.127.255.255', false],
  ['127.0.0.0/8', '127.0.0.0', '127.255.255.255', false],
  ['169.254.0.0/16', '169.254.0.0', '169.254.255.255', false],
  ['172.16.0.0/12', '172.16.0.0', '172.31.255.255', false],
  ['192.0.0.0/24', '192.0.0.0', '192.0.0.255', false],
  ['192.0.2.0/24', '192.0.2.0', '192.0.2.255', false],
  ['192.31.196.0/24', '192.31.196.0', '192.31.196.255', true],
  ['192.52.193.0/24', '192.52.193.0', '192.52.193.255', true],
  ['192.88.99.0/24', '192.88.99.0', '192.88.99.255', false],
  ['192.168.0.0/16', '192.168.0.0', '192.168.255.255', false],
  ['192.175.48.0/24', '192.175.48.0', '192.175.48.255', true],
  ['198.18.0.0/15', '198.18.0.0', '198.19.255.255', false],
  ['198.51.100.0/24', '198.51.100.0', '198.51.100.255', false],
  ['203.0.113.0/24', '203.0.113.0', '203.0.113.255', false],
  ['224.0.0.0/4 (multicast)', '224.0.0.0', '239.255.255.255', false],
  ['240.0.0.0/4', '240.0.0.0', '255.255.255.255', false],
  ['::/128', '::', '::', false],
  ['::1/128', '::1', '::1', false],
  ['::/96 (IPv4-compatible)', '::7f00:1', '::255.255.255.255', false],
  ['::ffff:0:0/96 of a private address', '::ffff:10.0.0.1', '::ffff:7f00:1', false],
  ['::ffff:0:0/96 of a public address', '::ffff:8.8.8.8', '::ffff:808:808', true],
  ['64:ff9b::/96 (NAT64)', '64:ff9b::', '64:ff9b::ffff:ffff', false],
  ['64:ff9b:1::/48', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff', false],
  ['100::/64', '100::', '100::ffff:ffff:ffff:ffff', false],
  ['100:0:0:1::/64', '100:0:0:1::', '100:0:0:1:ffff:ffff:ffff:ffff', false],
  ['2001::/23', '2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', false],
  ['2001::/32 (Teredo)', '2001:0:a00:1::1', '2001:0:ffff:ffff::', false],
  ['2001:2::/48 (benchmarking)', '2001:2::', '2001:2:0:ffff:ffff:ffff:ffff:ffff', false],
  ['2001:20::/28 (ORCHIDv2)', '2001:20::', '2001:2f:ffff:ffff:ffff:ffff:ffff:ffff', false],
  ['2001:db8::/32', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', false],
  ['2002::/16 (6to4)', '2002:7f00:1::1', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', false],
  ['2620:4f:8000::/48', '2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff', true],
  ['3fff::/20', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', false],
  ['5f00::/16', '5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff', false],
  ['fc00::/7', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', false],
  ['fe80::/10', 'fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff', false],
  ['fec0::/10 (site-local)', 'fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', false],
  ['ff00::/8 (multicast)', 'ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', false],
];

test.each(REGISTRIES)('the block %s, from %s to %s, is public: %s', (_, first, last, open) => {
  expect([isPublicIp(first), isPublicIp(last)]).toEqual([open, open]);
});

test.each([
  '1.0.0.0',
  '8.8.8.8',
  '100.63.255.255',
  '100.128.0.0',
  '172.32.0.1',
  '192.0.1.0',
  '198.20.0.0',
  '223.255.255.255',
  '2001:200::',
  '2001:4860:4860::8888',
  '2003::1',
  '3ffe:ffff::1',
  '3fff:1000::1',
])('%s, next to the special blocks, is public', (ip) => {
  expect(isPublicIp(ip)).toBe(true);
});
