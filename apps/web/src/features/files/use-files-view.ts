import { useLocalStorage } from '@mantine/hooks';
import { useCallback, useMemo } from 'react';
import { useAddressQuery } from '../../browser/use-address-query.ts';
import {
  DEFAULT_PAGE_SIZE,
  type FileFilter,
  type FilesView,
  pageSizes,
  type PageSize,
  pick,
  readView,
  writeView,
} from './files-view.ts';

/** The page size that was chosen last in this browser. */
function usePageSize() {
  return useLocalStorage<PageSize>({
    key: 'engram-page-size',
    defaultValue: DEFAULT_PAGE_SIZE,
    getInitialValueInEffect: false,
    deserialize: (stored) => pick(pageSizes, stored ?? null) ?? DEFAULT_PAGE_SIZE,
  });
}

/** The view as the address has it, so that Back, a reload and a link show the same files. */
export function useFilesView() {
  const { query, change: changeQuery } = useAddressQuery();
  const [size, setSize] = usePageSize();
  const view = useMemo(() => readView(query, size), [query, size]);
  const change = useCallback(
    (changes: Partial<FilesView>, replace: boolean): void =>
      changeQuery(
        (before) =>
          writeView({ ...readView(before, size), ...changes }, before, changes.size ?? size),
        { replace },
      ),
    [changeQuery, size],
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
      (changes: Partial<Pick<FilesView, 'page' | 'sort'>>) =>
        change({ page: 1, ...changes }, false),
      [change],
    ),
    /** Sets the page size here and for later visits. */
    resize: useCallback(
      (chosen: PageSize) => {
        setSize(chosen);
        change({ size: chosen, page: 1 }, true);
      },
      [change, setSize],
    ),
    /** Takes the place of a page that is not there any more. */
    fallBackTo: useCallback((page: number) => change({ page }, true), [change]),
  };
}
