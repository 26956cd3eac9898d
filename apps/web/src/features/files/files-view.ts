import {
  fileKinds,
  fileSources,
  fileStates,
  type FileKind,
  type FileSource,
  type FileState,
} from '@engram/contract/browser';
import { useLocalStorage } from '@mantine/hooks';
import { useMemo } from 'react';
import { useAddressQuery } from '../../browser/address.ts';

/** Periods that end now. */
const spans = ['day', 'week', 'month', 'year'] as const;
export type Span = (typeof spans)[number];

export interface FileFilter {
  q: string;
  /** Whether `q` is searched in the content too. */
  content: boolean;
  /** Only archived files, or only the others. */
  archived: boolean;
  keyword: string;
  kind: FileKind | '';
  state: FileState | '';
  source: FileSource | '';
  uploaded: Span | '';
}

export const NO_FILTER: FileFilter = {
  q: '',
  content: false,
  archived: false,
  keyword: '',
  kind: '',
  state: '',
  source: '',
  uploaded: '',
};

export const pageSizes = [10, 200, 300, 400] as const;
export type PageSize = (typeof pageSizes)[number];

export const sortNames = {
  '-created': 'Newest first',
  created: 'Oldest first',
  name: 'Name, A to Z',
  '-name': 'Name, Z to A',
  '-size': 'Largest first',
  size: 'Smallest first',
} as const;
export type Sort = keyof typeof sortNames;
export const sorts = Object.keys(sortNames) as readonly Sort[];

export interface FilesView extends FileFilter {
  sort: Sort;
  size: PageSize;
  page: number;
}

const DEFAULT_PAGE_SIZE: PageSize = 10;
const defaults = { ...NO_FILTER, sort: '-created', page: 1 } as const satisfies Partial<FilesView>;

export const filterOf = ({
  sort: _sort,
  size: _size,
  page: _page,
  ...filter
}: FilesView): FileFilter => filter;

const LAST_PAGE = 1_000_000;

const pick = <T extends string | number>(all: readonly T[], value: string | null): T | undefined =>
  all.find((candidate) => String(candidate) === value);

function parsePage(value: string | null): number {
  const page = Number(value ?? 1);
  return Number.isInteger(page) && page >= 1 ? Math.min(page, LAST_PAGE) : 1;
}

const readView = (params: URLSearchParams, defaultSize: PageSize): FilesView => ({
  q: (params.get('q') ?? '').trim().slice(0, 300),
  content: params.get('content') === 'true',
  archived: params.get('archived') === 'true',
  keyword: (params.get('keyword') ?? '').trim().slice(0, 25),
  kind: pick(fileKinds, params.get('kind')) ?? '',
  state: pick(fileStates, params.get('state')) ?? '',
  source: pick(fileSources, params.get('source')) ?? '',
  uploaded: pick(spans, params.get('uploaded')) ?? '',
  sort: pick(sorts, params.get('sort')) ?? defaults.sort,
  size: pick(pageSizes, params.get('size')) ?? defaultSize,
  page: parsePage(params.get('page')),
});

/** Writes a view to the address, without its defaults. Other parameters stay. */
function writeView(
  view: FilesView,
  previous: URLSearchParams,
  defaultSize: PageSize,
): URLSearchParams {
  const next = new URLSearchParams(previous);
  for (const [name, value] of Object.entries({ ...defaults, size: defaultSize })) {
    const chosen = view[name as keyof FilesView];
    if (chosen === value) next.delete(name);
    else next.set(name, String(chosen));
  }
  return next;
}

export const lastPage = (total: number, size: PageSize): number =>
  Math.max(1, Math.ceil(total / size));

const usePageSize = () =>
  useLocalStorage<PageSize>({
    key: 'engram-page-size',
    defaultValue: DEFAULT_PAGE_SIZE,
    getInitialValueInEffect: false,
    deserialize: (stored) => pick(pageSizes, stored ?? null) ?? DEFAULT_PAGE_SIZE,
  });

/** The view in the address, so that Back, a reload and a link show the same files. */
export function useFilesView() {
  const { query, change: changeQuery } = useAddressQuery();
  const [size, setSize] = usePageSize();
  const view = useMemo(() => readView(query, size), [query, size]);
  const change = (changes: Partial<FilesView>, replace: boolean): void =>
    changeQuery(
      (previous) =>
        writeView({ ...readView(previous, size), ...changes }, previous, changes.size ?? size),
      { replace },
    );
  return {
    view,
    setFilter: (filter: Partial<FileFilter>) => change({ ...filter, page: 1 }, true),
    sortBy: (sort: Sort) => change({ sort, page: 1 }, false),
    goToPage: (page: number) => change({ page }, false),
    resize(chosen: PageSize): void {
      setSize(chosen);
      change({ size: chosen, page: 1 }, true);
    },
    replacePage: (page: number) => change({ page }, true),
  };
}

export type FilesAddress = ReturnType<typeof useFilesView>;
