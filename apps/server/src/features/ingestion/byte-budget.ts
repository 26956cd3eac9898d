import { createFairQueue } from '../../platform/jobs/fair-queue.ts';

/** Lets work begin while what is under way stays within a number of bytes. */
export interface ByteBudget {
  /**
   * Runs work that costs so many bytes once there is room for it. Groups, such as people, take
   * turns; within a group it is first come, first served. A piece of work costs at most half of the
   * budget, so that two of any size go side by side.
   *
   * @throws the signal's reason when it is aborted before the work began
   */
  spend<Result>(
    group: string,
    bytes: number,
    signal: AbortSignal,
    work: () => Promise<Result>,
  ): Promise<Result>;
}

/** Creates a budget of `most` bytes. */
export function createByteBudget(most: number): ByteBudget {
  interface Entry {
    cost: number;
    begin: () => void;
  }
  const waiting = createFairQueue<Entry>();
  /** Whose turn it is, and who waits for room. */
  let first: Entry | undefined;
  let spent = 0;

  function beginNext(): void {
    for (;;) {
      first ??= waiting.take();
      if (first === undefined || spent + first.cost > most) return;
      const { cost, begin } = first;
      first = undefined;
      spent += cost;
      begin();
    }
  }

  function room(group: string, cost: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const entry: Entry = {
        cost,
        begin: () => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      const leave = () => {
        if (first === entry) first = undefined;
        else waiting.remove(entry);
        reject(signal.reason);
        beginNext();
      };
      signal.addEventListener('abort', leave, { once: true });
      waiting.add(group, entry);
      beginNext();
    });
  }

  return {
    async spend(group, bytes, signal, work) {
      signal.throwIfAborted();
      const cost = Math.min(bytes, most / 2);
      await room(group, cost, signal);
      try {
        return await work();
      } finally {
        spent -= cost;
        beginNext();
      }
    },
  };
}
