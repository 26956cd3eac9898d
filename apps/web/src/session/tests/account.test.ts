import { expect, it } from 'vitest';
import { initialsOf } from '../account.ts';
import { deviceLabel } from '../../browser/device.ts';

it.each([
  [{ name: 'Ann Becker', email: 'x@y.z' }, 'AB'],
  [{ name: 'Ann Maria van Becker', email: 'x@y.z' }, 'AB'],
  [{ name: null, email: 'ann.becker@example.com' }, 'AB'],
  [{ name: '  ', email: 'ann@example.com' }, 'A'],
  [{ name: '李 明', email: 'x@y.z' }, '李明'],
])('%j is %s', (profile, initials) => expect(initialsOf(profile)).toBe(initials));

it.each([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', 'iPhone'],
  ['Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X)', 'iPad'],
  ['Mozilla/5.0 (Linux; Android 15; Pixel 9)', 'Android'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 'MacOS'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 'Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64)', 'Linux'],
  ['curl/8', 'Unknown Device'],
])('%s is %s', (userAgent, label) => expect(deviceLabel(userAgent)).toBe(label));
