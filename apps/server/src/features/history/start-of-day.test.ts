import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startOfDay } from './start-of-day.ts';

test.each([
  ['2026-11-21T07:59:59.500Z', 'America/Los_Angeles', '2026-11-20T08:00:00.000Z'],
  ['2026-11-21T08:00:00.000Z', 'America/Los_Angeles', '2026-11-21T08:00:00.000Z'],
  // Clocks went forward at 2 in the morning of this day, and back on the other.
  ['2026-03-08T20:00:00.000Z', 'America/Los_Angeles', '2026-03-08T08:00:00.000Z'],
  ['2026-11-01T20:00:00.000Z', 'America/Los_Angeles', '2026-11-01T07:00:00.000Z'],
  ['2026-06-01T12:00:00.000Z', 'Asia/Kolkata', '2026-05-31T18:30:00.000Z'],
])('the day of %s in %s began at %s', (at, zone, start) => {
  expect(startOfDay(new Date(at), zone).toISOString()).toBe(start);
});

test('a day begins before the instant, and at most 25 hours before it', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('2000-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }),
      fc.constantFrom('America/Los_Angeles', 'Europe/Berlin', 'Asia/Tokyo', 'UTC'),
      (at, zone) => {
        const passed = at.getTime() - startOfDay(at, zone).getTime();
        expect(passed).toBeGreaterThanOrEqual(0);
        expect(passed).toBeLessThan(25 * 3_600_000);
      },
    ),
  );
});
