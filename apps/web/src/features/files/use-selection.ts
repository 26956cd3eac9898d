import { useMemo, useState } from 'react';

export interface Selection {
  /** Of files on all pages. */
  ids: ReadonlySet<string>;
  toggle: (id: string) => void;
  add: (ids: Iterable<string>) => void;
  remove: (ids: Iterable<string>) => void;
  clear: () => void;
}

const NONE: ReadonlySet<string> = new Set();

/** Which files are selected, across pages; `of` names the list, and another one begins anew. */
export function useSelection(of: string): Selection {
  const [selected, setSelected] = useState({ of, ids: NONE });
  const ids = selected.of === of ? selected.ids : NONE;
  return {
    ids,
    ...useMemo(() => {
      const change = (next: (ids: ReadonlySet<string>) => ReadonlySet<string>): void =>
        setSelected((before) => ({ of, ids: next(before.of === of ? before.ids : NONE) }));
      const without = (ids: ReadonlySet<string>, gone: Iterable<string>): ReadonlySet<string> => {
        const left = new Set(ids);
        for (const id of gone) left.delete(id);
        return left;
      };
      return {
        toggle: (id: string) =>
          change((before) => (before.has(id) ? without(before, [id]) : new Set([...before, id]))),
        add: (more: Iterable<string>) => change((before) => new Set([...before, ...more])),
        remove: (gone: Iterable<string>) => change((before) => without(before, gone)),
        clear: () => change(() => NONE),
      };
    }, [of]),
  };
}
