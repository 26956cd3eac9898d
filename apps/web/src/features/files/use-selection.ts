import { useMemo, useRef, useState } from 'react';

export interface Selection {
  ids: ReadonlySet<string>;
  /** Toggles a file; with `range` it selects all files from the last toggled one. */
  toggle: (id: string, range?: readonly string[]) => void;
  add: (ids: Iterable<string>) => void;
  remove: (ids: Iterable<string>) => void;
  clear: () => void;
}

const NONE: ReadonlySet<string> = new Set();

function toggleId(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}

/** The selected files of a list, across pages. A new list starts without selection. */
export function useSelection(list: string): Selection {
  const [ids, setIds] = useState(NONE);
  const [selectedList, setSelectedList] = useState(list);
  const last = useRef<string | null>(null);
  if (list !== selectedList) {
    setSelectedList(list);
    setIds(NONE);
  }
  const changes = useMemo(() => {
    const add = (more: Iterable<string>): void => setIds((ids) => new Set([...ids, ...more]));
    const remove = (some: Iterable<string>): void => {
      const removed = new Set(some);
      setIds((ids) => new Set([...ids].filter((id) => !removed.has(id))));
    };
    return {
      toggle: (id: string, range?: readonly string[]): void => {
        const [from, to] = [range?.indexOf(last.current ?? '') ?? -1, range?.indexOf(id) ?? -1];
        last.current = id;
        if (range && from !== -1) add(range.slice(Math.min(from, to), Math.max(from, to) + 1));
        else setIds((ids) => toggleId(ids, id));
      },
      add,
      remove,
      clear: () => setIds(NONE),
    };
  }, []);
  return { ids, ...changes };
}
