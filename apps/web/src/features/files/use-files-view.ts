import { useCallback, useEffect, useMemo, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { type FileFilter, type FilesView, readView, writeView } from './files-view.ts';

/** The view as the address has it, so that Back, a reload and a link show the same files. */
export function useFilesView() {
  const [params, setParams] = useSearchParams();
  const view = useMemo(() => readView(params), [params]);
  // Two changes may follow each other before the page has followed the first one.
  const latest = useRef(params);
  useEffect(() => {
    latest.current = params;
  }, [params]);
  const change = useCallback(
    (changes: Partial<FilesView>, replace: boolean): void => {
      const before = latest.current;
      latest.current = writeView({ ...readView(before), ...changes }, before);
      setParams(latest.current, { replace, preventScrollReset: true });
    },
    [setParams],
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
