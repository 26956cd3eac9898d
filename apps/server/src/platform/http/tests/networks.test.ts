import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { networkOf } from '../networks.ts';

describe('networkOf', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::1', '0:0:0:0::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0DB8:0:0:ffff::1', '2001:db8:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['not an address', 'not an address'],
  ])('the network of %s is %s', (ip, network) => {
    expect(networkOf(ip)).toBe(network);
  });

  test('different IPv4 addresses are different networks', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.ipV4(), (a, b) => {
        expect(networkOf(a) === networkOf(b)).toBe(a === b);
      }),
    );
  });

  test('all addresses of an IPv6 /64 are one network, however they are written', () => {
    const group = fc.integer({ min: 0, max: 0xff_ff });
    const groups = (count: number) => fc.array(group, { minLength: count, maxLength: count });
    const hex = (numbers: number[], width = 1) =>
      numbers.map((number) => number.toString(16).padStart(width, '0')).join(':');
    fc.assert(
      fc.property(groups(4), groups(4), groups(4), (prefix, a, b) => {
        const network = networkOf(`${hex(prefix)}:${hex(a)}`);
        expect(network).toBe(`${hex(prefix)}::/64`);
        expect(networkOf(`${hex(prefix, 4)}:${hex(b, 4)}`.toUpperCase())).toBe(network);
      }),
    );
  });
});
