/** Passages of several searches, the best of each first, each passage once. */
export function mergePassages<T extends { artifactId: string; start: number }>(
  lists: readonly (readonly T[])[],
): T[] {
  const merged = new Map<string, T>();
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  for (let i = 0; i < longest; i += 1) {
    for (const list of lists) {
      const passage = list[i];
      if (passage === undefined) continue;
      const key = `${passage.artifactId}:${passage.start}`;
      if (!merged.has(key)) merged.set(key, passage);
    }
  }
  return [...merged.values()];
}
