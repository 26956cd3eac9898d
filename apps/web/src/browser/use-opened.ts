import { useMounted } from '@mantine/hooks';

/**
 * Whether a dialog is open, for one that is fetched when it is first opened: it is mounted closed and
 * opens then, as a dialog remembers where the focus was only when it opens.
 */
export function useOpened(opened: boolean): boolean {
  const mounted = useMounted();
  return mounted && opened;
}
