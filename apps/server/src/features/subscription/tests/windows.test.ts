import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayOf, windowsAt } from '../windows.ts';

const moments = fc.date({
  min: new Date('1971-01-01T00:00:00.000Z'),
  max: new Date('2199-12-31T23:59:59.999Z'),
  noInvalidDate: true,
});

describe('windowsAt', () => {
  test('returns the day, the ISO week and the month in UTC', () => {
    expect(windowsAt(new Date('2026-03-01T23:59:59.999Z'))).toEqual({
      day: { from: '2026-03-01', opens: new Date('2026-03-02T00:00:00.000Z') },
      week: { from: '2026-02-23', opens: new Date('2026-03-02T00:00:00.000Z') },
      month: { from: '2026-03-01', opens: new Date('2026-04-01T00:00:00.000Z') },
    });
    expect(windowsAt(new Date('2027-12-31T00:00:00.000Z')).month.opens).toEqual(
      new Date('2028-01-01T00:00:00.000Z'),
    );
  });

  test('returns windows that contain the moment and reset at their end', () => {
    fc.assert(
      fc.property(moments, (at) => {
        const later = windowsAt(at);
        for (const name of ['day', 'week', 'month'] as const) {
          const { from, opens } = later[name];
          expect(from <= dayOf(at) && at < opens).toBe(true);
          expect(windowsAt(opens)[name].from).toBe(dayOf(opens));
          expect(windowsAt(new Date(opens.getTime() - 1))[name].from).toBe(from);
        }
        expect(new Date(later.week.from).getUTCDay()).toBe(1);
        expect(later.month.from.slice(8)).toBe('01');
      }),
    );
  });
});
