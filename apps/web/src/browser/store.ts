import { useSyncExternalStore } from 'react';

export function createStore<T>(initial: T) {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: (): T => value,
    set(next: T): void {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener: () => void) {
      listeners.add(listener);
      return (): void => void listeners.delete(listener);
    },
  };
}

/** The value, or what `select` returns for it. The component renders again only when it changes. */
export const useStore = <T, S = T>(
  store: ReturnType<typeof createStore<T>>,
  select: (value: T) => S = (value) => value as never,
): S => useSyncExternalStore(store.subscribe, () => select(store.get()));
