import { useCallback, useMemo } from 'react';
import { useAddressQuery } from '../../browser/use-address-query.ts';
import { type FileFilter, type FilesView, readView, writeView } from './files-view.ts';

/** The view as the address has it, so that Back, a reload and a link show the same files. */
export function useFilesView() {
  const { query, change: changeQuery } = useAddressQuery();
  const view = useMemo(() => readView(query), [query]);
  const change = useCallback(
    (changes: Partial<FilesView>, replace: boolean): void =>
      changeQuery((before) => writeView({ ...readView(before), ...changes }, before), { replace }),
    [changeQuery],
  );
  return {
    view,
    /** Another filter begins at its first page. */
    narrow: useCallback(
      (filter: Partial<FileFilter>) => change({ ...filter, page: 1 }, true),
      [change],
    ),
    /** Leads to another page or order, from which Back leads back. */
    turnTo: useCallback(
      (changes: Partial<Pick<FilesView, 'page' | 'size' | 'sort'>>) =>
        change({ page: 1, ...changes }, false),
      [change],
    ),
    /** Takes the place of a page that is not there any more. */
    fallBackTo: useCallback((page: number) => change({ page }, true), [change]),
  };
}
