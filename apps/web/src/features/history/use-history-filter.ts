import { useMemo } from 'react';
import { useAddressQuery } from '../../browser/use-address-query.ts';
import type { HistoryFilter } from './history-pages.ts';

/** A mark that alone is shown. */
export type Only = 'saved' | 'archived';

const only = (value: string | null): Only | null =>
  value === 'saved' || value === 'archived' ? value : null;

/** The filter as the address has it, so that Back, a reload and a link show the same questions. */
export function useHistoryFilter() {
  const { query, change: changeQuery } = useAddressQuery();
  const q = query.get('q') ?? '';
  const mark = only(query.get('only'));
  const filter: HistoryFilter = useMemo(
    () => ({ q, savedOnly: mark === 'saved', archivedOnly: mark === 'archived' }),
    [q, mark],
  );
  const change = (name: 'q' | 'only', value: string | null): void =>
    changeQuery(
      (before) => {
        const after = new URLSearchParams(before);
        if (value) after.set(name, value);
        else after.delete(name);
        return after;
      },
      { replace: true },
    );
  return {
    filter,
    only: mark,
    setWords: (words: string) => change('q', words),
    setOnly: (which: Only | null) => change('only', which),
  };
}
