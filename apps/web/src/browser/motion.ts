import { useSyncExternalStore } from 'react';

interface NetworkInformation {
  saveData?: boolean;
}

const REDUCED = '(prefers-reduced-motion: reduce)';

/** Whether animations may play: not with reduced motion or reduced data. */
export function mayMove(): boolean {
  const { connection } = navigator as Navigator & { connection?: NetworkInformation };
  return !connection?.saveData && !matchMedia(REDUCED).matches;
}

function subscribe(onChange: () => void): () => void {
  const query = matchMedia(REDUCED);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}

export const useMayMove = (): boolean => useSyncExternalStore(subscribe, mayMove);

export const scrollBehavior = (): ScrollBehavior =>
  matchMedia(REDUCED).matches ? 'instant' : 'smooth';

export const scrollToTop = (): void => window.scrollTo({ top: 0, behavior: scrollBehavior() });
