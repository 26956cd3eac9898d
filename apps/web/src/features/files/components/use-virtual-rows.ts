import { useEffect, useState } from 'react';

/** Shows a long page's rows. */
export type VirtualRows = (typeof import('./virtual-rows.tsx'))['VirtualRows'];

/**
 * The rows of long pages, fetched as soon as they are wanted; null until they are there. Not by
 * `lazy`: what has stood behind a fallback is shown by React at most every 300 ms.
 * @throws what the fetch failed with, while the page is rendered
 */
export function useVirtualRows(wanted: boolean): VirtualRows | null {
  const [rows, setRows] = useState<{ is: VirtualRows } | { error: unknown }>();
  useEffect(() => {
    if (!wanted) return;
    let left = false;
    const keep = (loaded: typeof rows): void => {
      if (!left) setRows(loaded);
    };
    import('./virtual-rows.tsx').then(
      ({ VirtualRows: is }) => keep({ is }),
      (error: unknown) => keep({ error }),
    );
    return () => {
      left = true;
    };
  }, [wanted]);
  if (rows && 'error' in rows) throw rows.error;
  return rows?.is ?? null;
}
