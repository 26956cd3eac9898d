import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dayOf } from '../../../format/format.ts';
import { groupByDay } from '../history-rows.ts';

const zone = 'America/Los_Angeles';
const entriesAt = (...dates: string[]) => dates.map((date) => ({ date }));
const headings = (now: string, ...dates: string[]) =>
  groupByDay(entriesAt(...dates), zone, new Date(now)).map(({ heading, entries }) => [
    heading,
    entries.length,
  ]);

test('days are those of the time zone, not of UTC', () => {
  // Midnight in Los Angeles is 8:00 UTC in winter.
  expect(
    headings(
      '2026-11-20T17:52:00Z',
      '2026-11-20T08:00:00Z',
      '2026-11-20T07:59:59Z',
      '2026-11-19T08:00:00Z',
      '2026-11-19T07:59:59Z',
    ),
  ).toEqual([
    ['TODAY', 1],
    ['YESTERDAY', 2],
    ['2026-11-18', 1],
  ]);
});

test('just after midnight in Los Angeles, a question from a minute ago is from yesterday', () => {
  expect(headings('2026-11-20T08:00:30Z', '2026-11-20T07:59:30Z')).toEqual([['YESTERDAY', 1]]);
});

test.each([
  // The clocks go back on 1 November 2026: that day has 25 hours.
  ['2026-11-02T08:30:00Z', '2026-11-01T07:30:00Z', 'YESTERDAY'],
  ['2026-11-02T08:30:00Z', '2026-11-01T06:30:00Z', '2026-10-31'],
  // They go forward on 8 March 2026: that day has 23 hours.
  ['2026-03-09T07:30:00Z', '2026-03-08T08:30:00Z', 'YESTERDAY'],
  ['2026-03-09T07:30:00Z', '2026-03-08T07:30:00Z', '2026-03-07'],
])('at %s, %s is shown as %s, also when the clocks change', (now, date, heading) => {
  expect(headings(now, date)).toEqual([[heading, 1]]);
});

test('an empty list has no groups', () => {
  expect(headings('2026-11-20T17:52:00Z')).toEqual([]);
});

const times = fc.date({
  min: new Date('2024-01-01T00:00:00Z'),
  max: new Date('2028-01-01T00:00:00Z'),
  noInvalidDate: true,
});
const zones = fc.constantFrom(
  'America/Los_Angeles',
  'UTC',
  'Europe/Berlin',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
);

test('in any time zone each entry is listed once, in order, under its day', () => {
  fc.assert(
    fc.property(fc.array(times, { maxLength: 40 }), times, zones, (dates, now, zone) => {
      const entries = dates
        .toSorted((a, b) => b.getTime() - a.getTime())
        .map((date) => ({ date: date.toISOString() }));
      const groups = groupByDay(entries, zone, now);
      expect(groups.flatMap((group) => group.entries)).toEqual(entries);
      expect(new Set(groups.map(({ heading }) => heading)).size).toBe(groups.length);
      for (const { heading, entries: dayEntries } of groups) {
        const days = new Set(dayEntries.map(({ date }) => dayOf(date, zone)));
        expect(days.size).toBe(1);
        const [day = ''] = days;
        const today = dayOf(now, zone);
        const dayNames: Record<number, string> = { 0: 'TODAY', 864e5: 'YESTERDAY' };
        expect(heading).toBe(dayNames[Date.parse(today) - Date.parse(day)] ?? day);
      }
    }),
    { numRuns: 60 },
  );
});

test('entries are grouped again in another time zone and after midnight', () => {
  const entries = entriesAt('2026-11-20T07:59:30Z');
  const heading = (timeZone: string, now: string) =>
    groupByDay(entries, timeZone, new Date(now))[0]?.heading;
  expect(heading(zone, '2026-11-20T07:59:59Z')).toBe('TODAY');
  expect(heading(zone, '2026-11-20T08:00:00Z')).toBe('YESTERDAY');
  expect(heading('UTC', '2026-11-20T08:00:00Z')).toBe('TODAY');
});
