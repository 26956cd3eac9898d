import { expect, test } from 'vitest';
import { formatPhone } from '../components/profile-form.tsx';

test.each([
  ['5551234567', '(555) 123-4567'],
  ['555-123-4567', '(555) 123-4567'],
  ['(555) 123-4567', '(555) 123-4567'],
  ['555123456', '555123456'],
  ['(555) 123-456', '(555) 123-456'],
  ['55512345678', '55512345678'],
  ['+4930123456', '+4930123456'],
  ['', ''],
])('%s is shown as %s', (typed, shown) => {
  expect(formatPhone(typed)).toBe(shown);
});
