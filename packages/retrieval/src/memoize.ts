/** Caches the results of a function by its argument. The cache is cleared when it has `limit` entries. */
export function memoize<Key, Value>(
  make: (key: Key) => Value,
  limit = Infinity,
): (key: Key) => Value {
  const cached = new Map<Key, Value>();
  return (key) => {
    const known = cached.get(key);
    if (known !== undefined || cached.has(key)) return known as Value;
    const value = make(key);
    if (cached.size >= limit) cached.clear();
    cached.set(key, value);
    return value;
  };
}
