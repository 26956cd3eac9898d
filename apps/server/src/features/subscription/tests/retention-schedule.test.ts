import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deletionDate, stepAt, type Warnings, warningsAmong } from '../overdrawn-plans.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const end = new Date('2026-03-04T10:00:00.000Z');
const day = (days: number, ms = 0): Date => new Date(end.getTime() + days * DAY + ms);

describe('stepAt', () => {
  test.each<[string, Date, Warnings, string | null]>([
    ['nothing before the end', day(0, -1), {}, null],
    ['the first warning at the end', day(0), {}, 'first warning'],
    ['nothing between the warnings', day(3, -1), { first: day(0) }, null],
    ['the second warning after three days', day(3), { first: day(0) }, 'second warning'],
    ['nothing in the last days', day(7, -1), { first: day(0), second: day(3) }, null],
    ['the deletion after a week', day(7), { first: day(0), second: day(3) }, 'deletion'],
    ['no deletion without the second warning', day(7), { first: day(0) }, 'second warning'],
    ['no deletion without any warning', day(30), {}, 'first warning'],
    ['nothing soon after a late first warning', day(7), { first: day(6) }, null],
    ['nothing soon after a late second warning', day(8), { first: day(0), second: day(6) }, null],
    ['the deletion after that', day(9), { first: day(0), second: day(6) }, 'deletion'],
  ])('%s', (_, at, warnings, step) => {
    expect(stepAt(end, warnings, at)).toBe(step);
  });
});

describe('warningsAmong', () => {
  const first = { kind: 'retention:1', sentAt: day(0) } as const;
  const second = { kind: 'retention:2', sentAt: day(3) } as const;

  test('counts recent warnings about this end', () => {
    const both = { first: day(0), second: day(3) };
    expect(warningsAmong([second, first], day(17, -1))).toEqual(both);
    expect(warningsAmong([second, first], day(17))).toEqual({});
    expect(warningsAmong([first], day(14, -1))).toEqual({ first: day(0) });
    expect(warningsAmong([first], day(14))).toEqual({});
    expect(warningsAmong([{ kind: 'limit:day', sentAt: day(0) }], day(1))).toEqual({});
  });

  test('does not count a second warning that is older than the first', () => {
    const repeated = { ...first, sentAt: day(100) };
    expect(warningsAmong([repeated, second], day(101))).toEqual({ first: day(100) });
  });
});

/** The time of the deletion if the job runs after these waits, and its mails are accepted or not. */
function deletionAfter(waits: readonly number[], accepted: readonly boolean[]) {
  let at = end.getTime();
  let warnings: Warnings = {};
  let announced = 0;
  for (const [run, hours] of waits.entries()) {
    at += hours * HOUR;
    const now = new Date(at);
    const { first, second } = warnings;
    const sent = [
      ...(first ? [{ kind: 'retention:1', sentAt: first } as const] : []),
      ...(second ? [{ kind: 'retention:2', sentAt: second } as const] : []),
    ];
    warnings = warningsAmong(sent, now);
    const step = stepAt(end, warnings, now);
    if (step === 'deletion') return { at, announced, ...warnings };
    if (step === null || !accepted[run]) continue;
    warnings = step === 'first warning' ? { first: now } : { ...warnings, second: now };
    announced = Math.max(announced, deletionDate(end, warnings, now).getTime());
  }
  return null;
}

test('whenever the job runs, no files are deleted earlier than announced or less than three days after a warning', () => {
  const hours = fc.array(fc.integer({ min: 1, max: 24 * 6 }), { minLength: 10, maxLength: 60 });
  let deletions = 0;
  fc.assert(
    fc.property(hours, fc.array(fc.boolean(), { minLength: 60 }), (waits, accepted) => {
      const deletion = deletionAfter(waits, accepted);
      if (!deletion) return true;
      deletions += 1;
      const { at, announced, first = day(0), second = day(0) } = deletion;
      return (
        at >= announced &&
        at >= day(7).getTime() &&
        at - second.getTime() >= 3 * DAY &&
        at - first.getTime() >= 5 * DAY
      );
    }),
  );
  expect(deletions).toBeGreaterThan(10);
});
