import { createFairQueue } from '../jobs/fair-queue.ts';

export interface TurnsOptions {
  /** What the tasks that run may cost together; and those of one group. Default: all. */
  atOnce: number;
  atOnceOfGroup?: number;
  /** Tasks that may wait; and how many of them may be of one group. Default: any number. */
  waiting?: number;
  waitingOfGroup?: number;
  /** What is thrown when too many wait. */
  full?: () => Error;
}

export interface Turns {
  /**
   * Runs a task when it is its group's turn and there is room for what it costs, which whoever is
   * behind it waits for too.
   * @throws what `full` makes when too many wait, or the signal's reason when it was taken back
   */
  run<T>(
    group: string,
    signal: AbortSignal | null,
    task: () => Promise<T>,
    cost?: number,
  ): Promise<T>;
}

interface Waiting {
  group: string;
  cost: number;
  start: () => void;
}

/** A bounded line in which groups, such as people, take turns. */
export function createTurns({
  atOnce,
  atOnceOfGroup = Infinity,
  waiting = Infinity,
  waitingOfGroup = Infinity,
  full = () => new Error('Too many wait.'),
}: TurnsOptions): Turns {
  const queue = createFairQueue<Waiting>();
  const waitingOf = createCounts();
  const runningOf = createCounts();

  const mayRun = (group: string): boolean =>
    runningOf.all() < atOnce && runningOf.of(group) < atOnceOfGroup;

  const next = (): void => {
    for (;;) {
      const first = queue.peek(mayRun);
      if (!first || runningOf.all() + first.cost > atOnce) return;
      queue.take(mayRun);
      waitingOf.add(first.group, -1);
      runningOf.add(first.group, first.cost);
      first.start();
    }
  };

  const turn = (group: string, signal: AbortSignal | null, cost: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const item: Waiting = {
        group,
        cost,
        start() {
          signal?.removeEventListener('abort', takeBack);
          resolve();
        },
      };
      function takeBack(): void {
        if (!queue.remove(item)) return;
        waitingOf.add(group, -1);
        reject(signal?.reason as Error);
        next();
      }
      signal?.addEventListener('abort', takeBack, { once: true });
      queue.add(group, item);
      waitingOf.add(group, 1);
      next();
    });

  return {
    async run(group, signal, task, cost = 1) {
      signal?.throwIfAborted();
      const tooMany = queue.size >= waiting || waitingOf.of(group) >= waitingOfGroup;
      if (tooMany && !mayRun(group)) throw full();
      await turn(group, signal, cost);
      try {
        return await task();
      } finally {
        runningOf.add(group, -cost);
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
    add(group: string, by: number): void {
      const now = (counts.get(group) ?? 0) + by;
      if (now === 0) counts.delete(group);
      else counts.set(group, now);
      all += by;
    },
    of: (group: string): number => counts.get(group) ?? 0,
    all: (): number => all,
  };
}
