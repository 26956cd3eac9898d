import { setTimeout as sleep } from 'node:timers/promises';

interface GroupCommitOptions<Item, Result> {
  commit(items: Item[]): Promise<Result[]>;
  maxItems: number;
  /** The size of an item, in the unit of `maxSize`. Default: 0. */
  sizeOf?(item: Item): number;
  maxSize?: number;
  gatherMs?: number;
  /** Waits while items gather. Tests use their own. */
  wait?(milliseconds: number): Promise<unknown>;
  /** Whether an error affects all items, so that they are not retried one by one. */
  affectsAll?(error: unknown): boolean;
}

/**
 * Commits the items that arrive during a commit together in the next one (group commit, DeWitt et al.
 * 1984). If a group fails, its items are retried one by one, so that a bad item fails alone.
 */
export function createGroupCommit<Item, Result>({
  commit,
  maxItems,
  sizeOf = () => 0,
  maxSize = Infinity,
  gatherMs = 0,
  wait = sleep,
  affectsAll = () => false,
}: GroupCommitOptions<Item, Result>): (item: Item) => Promise<Result> {
  let queue: { item: Item; settle: PromiseWithResolvers<Result> }[] = [];
  let running = false;

  function takeGroup() {
    let count = 0;
    let size = 0;
    for (const { item } of queue) {
      size += sizeOf(item);
      if (count > 0 && (count >= maxItems || size > maxSize)) break;
      count += 1;
    }
    return queue.splice(0, count);
  }

  async function commitGroup(group: typeof queue): Promise<void> {
    try {
      const results = await commit(group.map(({ item }) => item));
      for (const [index, { settle }] of group.entries()) settle.resolve(results[index] as Result);
    } catch (error) {
      if (group.length === 1 || affectsAll(error)) {
        for (const { settle } of group) settle.reject(error);
      } else for (const item of group) await commitGroup([item]);
    }
  }

  async function run(): Promise<void> {
    running = true;
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    while (queue.length > 0) {
      const group = takeGroup();
      const isBacklog = queue.length > 0;
      await commitGroup(group);
      if (gatherMs > 0 && !isBacklog) await wait(gatherMs);
    }
    running = false;
  }

  return (item) => {
    const settle = Promise.withResolvers<Result>();
    queue.push({ item, settle });
    if (!running) void run();
    return settle.promise;
  };
}
