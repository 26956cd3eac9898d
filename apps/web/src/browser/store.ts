import { useSyncExternalStore } from 'react';

/** A value outside of React that components can follow. */
export interface Store<T> {
  get: () => T;
  set: (value: T) => void;
  subscribe: (listener: () => void) => () => void;
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** What `select` reads from a store; the component renders again only when that changes. */
export const useStore = <T, S>(store: Store<T>, select: (value: T) => S): S =>
  useSyncExternalStore(store.subscribe, () => select(store.get()));
