import type { PlanMailRow } from './subscription.tables.ts';

const DAY_MS = 86_400_000;
/** From the end of a plan to its second warning and to the deletion. */
const SECOND_WARNING_MS = 3 * DAY_MS;
const DELETION_MS = 7 * DAY_MS;
/** The least time between two steps, if mails were late. */
const BETWEEN_WARNINGS_MS = 2 * DAY_MS;
const AFTER_WARNINGS_MS = 3 * DAY_MS;
/** How long the last warning counts. After that the warnings start again. */
const WARNED_FOR_MS = 14 * DAY_MS;

/** When the warnings of one plan's end were accepted by the mail server. */
export interface Warnings {
  first?: Date | undefined;
  second?: Date | undefined;
}

export type RetentionStep = 'first warning' | 'second warning' | 'deletion';

const after = (moment: Date, ms: number): number => moment.getTime() + ms;
const latest = (...moments: number[]): Date => new Date(Math.max(...moments));

/** The warnings about one plan's end that still count. */
export function warningsAmong(
  mails: readonly Pick<PlanMailRow, 'kind' | 'sentAt'>[],
  at: Date,
): Warnings {
  const sent = (kind: PlanMailRow['kind']) => mails.find((mail) => mail.kind === kind)?.sentAt;
  const [first, second] = [sent('retention:1'), sent('retention:2')];
  // A second warning before the first belongs to an earlier round.
  const follows = first && second && second > first ? second : undefined;
  const last = follows ?? first;
  if (!last || after(last, WARNED_FOR_MS) <= at.getTime()) return {};
  return { first, second: follows };
}

/** The earliest time of deletion, if nothing changes. */
export function deletionDate(endsAt: Date, { first, second }: Warnings, at: Date): Date {
  const due = after(endsAt, DELETION_MS);
  if (second) return latest(due, after(second, AFTER_WARNINGS_MS));
  if (first) {
    const next = latest(at.getTime(), secondWarningDate(endsAt, first).getTime());
    return latest(due, after(next, AFTER_WARNINGS_MS));
  }
  const next = latest(at.getTime(), endsAt.getTime());
  return latest(due, after(next, BETWEEN_WARNINGS_MS + AFTER_WARNINGS_MS));
}

const secondWarningDate = (endsAt: Date, first: Date): Date =>
  latest(after(endsAt, SECOND_WARNING_MS), after(first, BETWEEN_WARNINGS_MS));

/** The step that is due for a cancelled plan; null for none. */
export function stepAt(endsAt: Date, warnings: Warnings, at: Date): RetentionStep | null {
  if (at < endsAt) return null;
  if (!warnings.first) return 'first warning';
  if (!warnings.second) {
    return at >= secondWarningDate(endsAt, warnings.first) ? 'second warning' : null;
  }
  return at >= deletionDate(endsAt, warnings, at) ? 'deletion' : null;
}
