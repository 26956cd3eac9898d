import { createFairQueue } from '../jobs/fair-queue.ts';

export interface TurnsOptions {
  /** Tasks that run at the same time; and how many of them may be of one group. Default: all. */
  atOnce: number;
  atOnceOfGroup?: number;
  /** Tasks that may wait; and how many of them may be of one group. */
  waiting: number;
  waitingOfGroup: number;
  /** What is thrown when too many wait. */
  full: () => Error;
}

export interface Turns {
  /**
   * Runs a task when it is its group's turn.
   * @throws what `full` makes when too many wait, or the signal's reason when it was taken back
   */
  run<T>(group: string, signal: AbortSignal | null, task: () => Promise<T>): Promise<T>;
}

interface Waiting {
  group: string;
  start: () => void;
}

/** A bounded line in which groups, such as people, take turns. */
export function createTurns({
  atOnce,
  atOnceOfGroup = atOnce,
  waiting,
  waitingOfGroup,
  full,
}: TurnsOptions): Turns {
  const queue = createFairQueue<Waiting>();
  const waitingOf = createCounts();
  const runningOf = createCounts();

  const mayRun = (group: string): boolean =>
    runningOf.all() < atOnce && runningOf.of(group) < atOnceOfGroup;

  const next = (): void => {
    for (let taken = queue.take(mayRun); taken; taken = queue.take(mayRun)) {
      waitingOf.add(taken.group, -1);
      runningOf.add(taken.group, 1);
      taken.start();
    }
  };

  const turn = (group: string, signal: AbortSignal | null): Promise<void> =>
    new Promise((resolve, reject) => {
      const item: Waiting = {
        group,
        start() {
          signal?.removeEventListener('abort', takeBack);
          resolve();
        },
      };
      function takeBack(): void {
        if (!queue.remove(item)) return;
        waitingOf.add(group, -1);
        reject(signal?.reason as Error);
      }
      signal?.addEventListener('abort', takeBack, { once: true });
      queue.add(group, item);
      waitingOf.add(group, 1);
      next();
    });

  return {
    async run(group, signal, task) {
      signal?.throwIfAborted();
      const tooMany = queue.size >= waiting || waitingOf.of(group) >= waitingOfGroup;
      if (tooMany && !mayRun(group)) throw full();
      await turn(group, signal);
      try {
        return await task();
      } finally {
        runningOf.add(group, -1);
        next();
      }
    },
  };
}

/** Counts how many there are of each group, and in all. */
export function createCounts() {
  const counts = new Map<string, number>();
  let all = 0;
  return {
    add(group: string, by: 1 | -1): void {
      const now = (counts.get(group) ?? 0) + by;
      if (now === 0) counts.delete(group);
      else counts.set(group, now);
      all += by;
    },
    of: (group: string): number => counts.get(group) ?? 0,
    all: (): number => all,
  };
}
