/** The first of each list, then the second of each, and so on. */
export function interleave<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) =>
    lists.flatMap((list) => list.slice(at, at + 1)),
  ).flat();
}

/** Passages of several searches, the best of each first, each passage once. */
export function mergePassages<T extends { artifactId: string; start: number }>(
  lists: readonly (readonly T[])[],
): T[] {
  const byPlace = Map.groupBy(
    interleave(lists),
    ({ artifactId, start }) => `${artifactId}:${start}`,
  );
  return [...byPlace.values()].flatMap(([first]) => first ?? []);
}
