import { setTimeout as wait } from 'node:timers/promises';

interface GroupCommitOptions<Item, Result> {
  commit(items: Item[]): Promise<Result[]>;
  mostItems: number;
  /** Size of an item, in the unit of `mostSize`. Default: 0. */
  sizeOf?(item: Item): number;
  mostSize?: number;
  gatherMs?: number;
  /** Whether an error is not caused by an item, so that none is tried alone. */
  isOfAll?(error: unknown): boolean;
}

/**
 * Groups work: what arrives during one commit goes together into the next (group commit: DeWitt et al.
 * 1984). When a group fails, each of its items is tried alone, so that a bad one fails only itself.
 */
export function createGroupCommit<Item, Result>({
  commit,
  mostItems,
  sizeOf = () => 0,
  mostSize = Infinity,
  gatherMs = 0,
  isOfAll = () => false,
}: GroupCommitOptions<Item, Result>): (item: Item) => Promise<Result> {
  let gathered: { item: Item; settle: PromiseWithResolvers<Result> }[] = [];
  let running = false;

  function takeGroup() {
    let count = 0;
    let size = 0;
    for (const { item } of gathered) {
      size += sizeOf(item);
      if (count > 0 && (count >= mostItems || size > mostSize)) break;
      count += 1;
    }
    return gathered.splice(0, count);
  }

  async function commitGroup(group: typeof gathered): Promise<void> {
    try {
      const results = await commit(group.map(({ item }) => item));
      for (const [index, { settle }] of group.entries()) settle.resolve(results[index] as Result);
    } catch (error) {
      if (group.length === 1 || isOfAll(error)) {
        for (const { settle } of group) settle.reject(error);
      } else for (const one of group) await commitGroup([one]);
    }
  }

  async function run(): Promise<void> {
    running = true;
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    while (gathered.length > 0) {
      const group = takeGroup();
      const othersWait = gathered.length > 0;
      await commitGroup(group);
      if (gatherMs > 0 && !othersWait) await wait(gatherMs);
    }
    running = false;
  }

  return (item) => {
    const settle = Promise.withResolvers<Result>();
    gathered.push({ item, settle });
    if (!running) void run();
    return settle.promise;
  };
}
