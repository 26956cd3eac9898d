import { useMediaQuery } from '@mantine/hooks';

interface NetworkInformation {
  saveData?: boolean;
}

const REDUCED = '(prefers-reduced-motion: reduce)';

/** Whether animations may play: not with reduced motion or reduced data. */
export function mayMove(): boolean {
  const { connection } = navigator as Navigator & { connection?: NetworkInformation };
  return !connection?.saveData && !matchMedia(REDUCED).matches;
}

/** {@link mayMove}, updated when the preference changes. */
export function useMayMove(): boolean {
  useMediaQuery(REDUCED);
  return mayMove();
}

export const scrollBehavior = (): ScrollBehavior =>
  matchMedia(REDUCED).matches ? 'instant' : 'smooth';

export const scrollToTop = (): void => window.scrollTo({ top: 0, behavior: scrollBehavior() });
