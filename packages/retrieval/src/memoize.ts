/** Caches the results of a function by its argument. */
export function memoize<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const cached = new Map<Key, { value: Value }>();
  return (key) => {
    const known = cached.get(key) ?? { value: make(key) };
    cached.set(key, known);
    return known.value;
  };
}
