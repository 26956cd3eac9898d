/** A queue that serves groups, such as users, round robin, and each group in order. */
export function createFairQueue<Item>() {
  // A map iterates in insertion order, so the next group is first.
  const groups = new Map<string, Item[]>();
  let size = 0;

  return {
    add(group: string, item: Item): void {
      const waiting = groups.get(group);
      if (waiting) waiting.push(item);
      else groups.set(group, [item]);
      size += 1;
    },

    peek: (mayRun: (group: string) => boolean = () => true): Item | undefined =>
      groups.entries().find(([group]) => mayRun(group))?.[1][0],

    take(mayRun: (group: string) => boolean = () => true): Item | undefined {
      const next = groups.entries().find(([group]) => mayRun(group));
      if (next === undefined) return undefined;
      const [group, waiting] = next;
      const item = waiting.shift();
      groups.delete(group);
      if (waiting.length > 0) groups.set(group, waiting);
      size -= 1;
      return item;
    },

    remove(item: Item): boolean {
      for (const [group, waiting] of groups) {
        const index = waiting.indexOf(item);
        if (index === -1) continue;
        waiting.splice(index, 1);
        if (waiting.length === 0) groups.delete(group);
        size -= 1;
        return true;
      }
      return false;
    },

    drain(): Item[] {
      const items = [...groups.values()].flat();
      groups.clear();
      size = 0;
      return items;
    },

    sizeOf: (group: string): number => groups.get(group)?.length ?? 0,

    get size(): number {
      return size;
    },
  };
}
