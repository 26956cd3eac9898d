import { useSyncExternalStore } from 'react';

interface NetworkInformation {
  saveData?: boolean;
}

const REDUCED = '(prefers-reduced-motion: reduce)';

/** Whether a picture may move by itself: not where little motion or little data is asked for. */
export function mayMove(): boolean {
  const { connection } = navigator as Navigator & { connection?: NetworkInformation };
  return !connection?.saveData && !matchMedia(REDUCED).matches;
}

function subscribe(onChange: () => void): () => void {
  const query = matchMedia(REDUCED);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}

/** The same, kept true while the wish changes. */
export const useMayMove = (): boolean => useSyncExternalStore(subscribe, mayMove);
