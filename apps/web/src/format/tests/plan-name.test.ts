import { expect, test } from 'vitest';
import { formatDollars, formatGigabytes, partsOfPlan, shortPlanName } from '../format.ts';

test.each([
  ['Engram - Pro - monthly', 'Engram - Pro', 'monthly', 'Pro'],
  ['My Engram - Elite - yearly', 'My Engram - Elite', 'yearly', 'Elite'],
  ['Starter(Free)', 'Starter(Free)', null, 'Starter'],
])('%s is shown as %s, with the period %s and the short name %s', (name, plan, frequency, word) => {
  expect(partsOfPlan(name)).toEqual({ plan, frequency });
  expect(shortPlanName(name)).toBe(word);
});

test.each([
  [0, '0 GB'],
  [0.000001, '0.1 MB'],
  [0.0034, '3.4 MB'],
  [0.5, '500 MB'],
  [11.234, '11.23 GB'],
  [25, '25 GB'],
])('%d gigabytes are shown as %s', (gigabytes, shown) => {
  expect(formatGigabytes(gigabytes)).toBe(shown);
});

test('dollars have two decimals', () => {
  expect(formatDollars(5)).toBe('$5.00');
  expect(formatDollars(1296.5)).toBe('$1,296.50');
});
