import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayAt, startOfDay } from '../calendar.ts';

/** The instant at which the day of another instant began. */
const dayStart = (instant: Date, zone: string): Date => startOfDay(dayAt(instant, zone), zone);

describe('the start of a day', () => {
  test.each([
    ['2026-11-21T07:59:59.500Z', 'America/Los_Angeles', '2026-11-20T08:00:00.000Z'],
    ['2026-11-21T08:00:00.000Z', 'America/Los_Angeles', '2026-11-21T08:00:00.000Z'],
    // Clocks went forward at 2 am on this day, and back on the other one.
    ['2026-03-08T20:00:00.000Z', 'America/Los_Angeles', '2026-03-08T08:00:00.000Z'],
    ['2026-11-01T20:00:00.000Z', 'America/Los_Angeles', '2026-11-01T07:00:00.000Z'],
    ['2026-06-01T12:00:00.000Z', 'Asia/Kolkata', '2026-05-31T18:30:00.000Z'],
    // Clocks changed at midnight, and by a whole day.
    ['2026-09-06T12:00:00.000Z', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
    ['2026-04-05T12:00:00.000Z', 'America/Santiago', '2026-04-05T04:00:00.000Z'],
    ['2026-11-01T12:00:00.000Z', 'America/Havana', '2026-11-01T04:00:00.000Z'],
    ['2011-12-31T00:00:00.000Z', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
  ])('the start of %s in %s is %s', (instant, zone, start) => {
    expect(dayStart(new Date(instant), zone).toISOString()).toBe(start);
  });

  test('the start is an instant of that day, and the instant before it is not', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('2000-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }),
        fc.constantFrom('America/Los_Angeles', 'Europe/Berlin', 'America/Havana', 'UTC'),
        (instant, zone) => {
          const start = dayStart(instant, zone);
          expect(start.getTime()).toBeLessThanOrEqual(instant.getTime());
          expect(dayAt(start, zone)).toBe(dayAt(instant, zone));
          expect(dayAt(new Date(start.getTime() - 1), zone)).toBeLessThan(dayAt(instant, zone));
        },
      ),
    );
  });
});
