import { setTimeout as sleep } from 'node:timers/promises';
import { steps } from './model/steps.ts';

const RECENT_MS = 120_000;
/** The question waits for up to ten seconds in all. */
const MAX_CHECKS = 40;
const CHECK_INTERVAL_MS = 250;
const MAX_NAMES = 20;

/**
 * Waits for files that the user has just uploaded, so that a question can find them.
 * Returns the names of files that are still not ready.
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

export const notReadyNotice = (names: readonly string[]): string =>
  names.length === 1
    ? `${names[0] ?? ''} is still being processed and was not searched.`
    : `${names.length} files are still being processed and were not searched: ${names.slice(0, 3).join(', ')}${names.length > 3 ? ' …' : '.'}`;
