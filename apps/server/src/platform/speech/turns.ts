import { createFairQueue } from '../jobs/fair-queue.ts';
import { SpeechUnavailable } from './speech-unavailable.ts';

export interface TurnsOptions {
  /** Tasks that run at the same time. */
  atOnce: number;
  /** Tasks that may wait; and how many of them may be of one group. */
  waiting: number;
  waitingOfGroup: number;
}

export interface Turns {
  /**
   * Runs a task when it is its group's turn.
   * @throws SpeechUnavailable when too many wait, or the signal's reason when it was taken back
   */
  run<T>(group: string, signal: AbortSignal, task: () => Promise<T>): Promise<T>;
}

interface Waiting {
  group: string;
  start: () => void;
}

/** Seconds after which a place in the line is likely. */
const RETRY_SECONDS = 5;

/** A bounded line in which groups, such as people, take turns. */
export function createTurns({ atOnce, waiting, waitingOfGroup }: TurnsOptions): Turns {
  const queue = createFairQueue<Waiting>();
  const ofGroup = new Map<string, number>();
  let running = 0;

  const count = (group: string, by: number): void => {
    const now = (ofGroup.get(group) ?? 0) + by;
    if (now === 0) ofGroup.delete(group);
    else ofGroup.set(group, now);
  };

  const next = (): void => {
    if (running >= atOnce) return;
    const taken = queue.take();
    if (!taken) return;
    count(taken.group, -1);
    running += 1;
    taken.start();
  };

  const turn = (group: string, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const item: Waiting = {
        group,
        start() {
          signal.removeEventListener('abort', takeBack);
          resolve();
        },
      };
      function takeBack(): void {
        if (!queue.remove(item)) return;
        count(group, -1);
        reject(signal.reason as Error);
      }
      signal.addEventListener('abort', takeBack, { once: true });
      queue.add(group, item);
      count(group, 1);
      next();
    });

  return {
    async run(group, signal, task) {
      signal.throwIfAborted();
      const full = queue.size >= waiting || (ofGroup.get(group) ?? 0) >= waitingOfGroup;
      if (running >= atOnce && full) {
        throw new SpeechUnavailable('Too many answers wait to be spoken. Please try again soon.', {
          retryAfterSeconds: RETRY_SECONDS,
        });
      }
      await turn(group, signal);
      try {
        return await task();
      } finally {
        running -= 1;
        next();
      }
    },
  };
}
