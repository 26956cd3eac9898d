/** Caches the results of a function by its argument; starts anew once there are `limit` of them. */
export function memoize<Key, Value>(
  make: (key: Key) => Value,
  limit = Infinity,
): (key: Key) => Value {
  const cached = new Map<Key, { value: Value }>();
  return (key) => {
    const known = cached.get(key) ?? { value: make(key) };
    if (cached.size >= limit) cached.clear();
    cached.set(key, known);
    return known.value;
  };
}
