import { setTimeout as sleep } from 'node:timers/promises';
import { steps } from './model/steps.ts';

const RECENT_MS = 120_000;
/** Checks before the question continues without the files: together they take ten seconds. */
const MAX_CHECKS = 40;
const CHECK_INTERVAL_MS = 250;
const MAX_NAMES = 20;

/**
 * Waits for the files that a user has just uploaded, so that a question about them finds them.
 * Returns the names of those that are still not ready.
 */
export async function awaitRecentUploads(
  {
    unfinished,
    now,
    pause = sleep,
  }: {
    unfinished: (userId: string, since: Date, limit: number) => Promise<string[]>;
    now: () => Date;
    pause?: (ms: number) => Promise<unknown>;
  },
  userId: string,
  { signal, onStep }: { signal: AbortSignal; onStep: (text: string) => void },
): Promise<string[]> {
  const since = new Date(now().getTime() - RECENT_MS);
  let names = await unfinished(userId, since, MAX_NAMES);
  let lastStep = '';
  for (let check = 0; names.length > 0 && check < MAX_CHECKS && !signal.aborted; check += 1) {
    const step = steps.awaiting(names);
    if (step !== lastStep) onStep(step);
    lastStep = step;
    await pause(CHECK_INTERVAL_MS);
    names = await unfinished(userId, since, MAX_NAMES);
  }
  return names;
}

export const notReady = (names: readonly string[]): string =>
  names.length === 1
    ? `${names[0] ?? ''} is still being read and was not searched.`
    : `${names.length} files are still being read and were not searched: ${names.slice(0, 3).join(', ')}${names.length > 3 ? ' …' : '.'}`;
