import { expect, test } from 'vitest';
import { isPublicIp } from '../public-address.ts';

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '::1',
  '::',
  'fe80::1',
  'fd00::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::a00:1',
  '::7f00:1',
  '::ffff:7f00:1',
  '2002:7f00:1::1',
  '2001:0:a00:1::1',
  'fec0::1',
  '192.0.2.1',
])('%s is no address of the open internet', (ip) => {
  expect(isPublicIp(ip)).toBe(false);
});

test.each(['8.8.8.8', '172.32.0.1', '193.0.0.1', '2001:4860:4860::8888', '::ffff:8.8.8.8'])(
  '%s is one',
  (ip) => {
    expect(isPublicIp(ip)).toBe(true);
  },
);
