import { useMemo, useState } from 'react';

export interface Selection {
  /** Whether all files that the filter lets through are selected, those of other pages too. */
  everything: boolean;
  ids: ReadonlySet<string>;
  has: (id: string) => boolean;
  toggle: (id: string) => void;
  /** Selects all files of the shown page, or none of them. */
  setPage: (selected: boolean) => void;
  selectEverything: () => void;
  clear: () => void;
}

const NONE: ReadonlySet<string> = new Set();

/** Which files are selected, across pages; `shown` are the ids of the page in sight. */
export function useSelection(shown: readonly string[]): Selection {
  const [ids, setIds] = useState(NONE);
  const [everything, setEverything] = useState(false);
  return useMemo(() => {
    const change = (selected: Iterable<string>): void => {
      setIds(new Set(selected));
      setEverything(false);
    };
    return {
      everything,
      ids,
      has: (id) => everything || ids.has(id),
      toggle: (id) => {
        const before = everything ? new Set([...ids, ...shown]) : new Set(ids);
        if (!before.delete(id)) before.add(id);
        change(before);
      },
      setPage: (selected) =>
        change(selected ? [...ids, ...shown] : [...ids].filter((id) => !shown.includes(id))),
      selectEverything: () => setEverything(true),
      clear: () => change([]),
    };
  }, [ids, everything, shown]);
}
