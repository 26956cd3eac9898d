import { useMemo, useRef, useState } from 'react';

export interface Selection {
  /** Of files on all pages. */
  ids: ReadonlySet<string>;
  /** Selects a file or takes it out; with `range` also selects those between it and the last one. */
  toggle: (id: string, range?: readonly string[]) => void;
  add: (ids: Iterable<string>) => void;
  remove: (ids: Iterable<string>) => void;
  clear: () => void;
}

const NONE: ReadonlySet<string> = new Set();

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}

/** Which files are selected, across pages; `of` names the list, and another list starts empty. */
export function useSelection(of: string): Selection {
  const [selected, setSelected] = useState({ of, ids: NONE });
  const last = useRef<string | null>(null);
  const ids = selected.of === of ? selected.ids : NONE;
  const changes = useMemo(() => {
    const change = (next: (ids: ReadonlySet<string>) => ReadonlySet<string>): void =>
      setSelected((before) => ({ of, ids: next(before.of === of ? before.ids : NONE) }));
    const add = (more: Iterable<string>): void => change((before) => new Set([...before, ...more]));
    const remove = (some: Iterable<string>): void => {
      const left = new Set(some);
      change((before) => new Set([...before].filter((id) => !left.has(id))));
    };
    return {
      toggle: (id: string, range?: readonly string[]): void => {
        const [from, to] = [range?.indexOf(last.current ?? '') ?? -1, range?.indexOf(id) ?? -1];
        last.current = id;
        if (range && from !== -1) add(range.slice(Math.min(from, to), Math.max(from, to) + 1));
        else change((before) => toggled(before, id));
      },
      add,
      remove,
      clear: () => change(() => NONE),
    };
  }, [of]);
  return { ids, ...changes };
}
