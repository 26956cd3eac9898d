/** Waiting work of several groups, such as people: the groups take turns, each keeps its order. */
export interface FairQueue<Item> {
  add(group: string, item: Item): void;
  /** Puts an item back that was taken: it is its group's next one. */
  putBack(group: string, item: Item): void;
  /** The item that `take` would take, which stays. */
  peek(mayGo?: (group: string) => boolean): Item | undefined;
  /** The next item, of a group that may go now; undefined when none waits. */
  take(mayGo?: (group: string) => boolean): Item | undefined;
  /** Takes an item out; false when it does not wait. */
  remove(item: Item): boolean;
  /** Takes all items out. */
  drain(): Item[];
  readonly size: number;
}

/** Round robin over the groups that have something waiting, in the order in which they came. */
export function createFairQueue<Item>(): FairQueue<Item> {
  // A map keeps the order of insertion: the group whose turn is next stands first.
  const groups = new Map<string, Item[]>();
  let size = 0;

  return {
    add(group, item) {
      const waiting = groups.get(group);
      if (waiting) waiting.push(item);
      else groups.set(group, [item]);
      size += 1;
    },
    putBack(group, item) {
      const waiting = groups.get(group);
      if (waiting) waiting.unshift(item);
      else groups.set(group, [item]);
      size += 1;
    },
    peek: (mayGo = () => true) => groups.entries().find(([group]) => mayGo(group))?.[1][0],
    take(mayGo = () => true) {
      const turn = groups.entries().find(([group]) => mayGo(group));
      if (turn === undefined) return undefined;
      const [group, waiting] = turn;
      const item = waiting.shift();
      groups.delete(group);
      if (waiting.length > 0) groups.set(group, waiting);
      size -= 1;
      return item;
    },
    remove(item) {
      for (const [group, waiting] of groups) {
        const at = waiting.indexOf(item);
        if (at === -1) continue;
        waiting.splice(at, 1);
        if (waiting.length === 0) groups.delete(group);
        size -= 1;
        return true;
      }
      return false;
    },
    drain() {
      const items = [...groups.values()].flat();
      groups.clear();
      size = 0;
      return items;
    },
    get size() {
      return size;
    },
  };
}
