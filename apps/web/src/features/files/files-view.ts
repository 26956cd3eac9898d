import {
  fileKinds,
  fileSources,
  fileStates,
  type FileKind,
  type FileSource,
  type FileState,
} from '@engram/contract/browser';

/** Spans of days that end today. */
export const spans = ['day', 'week', 'month', 'year'] as const;

/** What narrows the files down; what is empty lets all through. */
export interface FileFilter {
  /** A part of the name. */
  q: string;
  /** Whether `q` is looked for in what the files say, too. */
  content: boolean;
  /** Only archived files, or only those that are not. */
  archived: boolean;
  /** Only files that carry it. */
  keyword: string;
  kind: FileKind | '';
  state: FileState | '';
  source: FileSource | '';
  /** When they were uploaded. */
  uploaded: (typeof spans)[number] | '';
}

/** The filter that lets every file through that is not archived. */
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

export const sorts = ['-created', 'created', 'name', '-name', '-size', 'size'] as const;
export type Sort = (typeof sorts)[number];

/** Which files are shown, in which order, and which part of them. */
export interface FilesView extends FileFilter {
  sort: Sort;
  size: PageSize;
  /** Counted from 1. */
  page: number;
}

export const DEFAULT_PAGE_SIZE: PageSize = 10;

const start = { ...NO_FILTER, sort: '-created', page: 1 } as const satisfies Partial<FilesView>;

/** What of a view narrows the files down. */
export const filterOf = ({
  sort: _sort,
  size: _size,
  page: _page,
  ...filter
}: FilesView): FileFilter => filter;

/** More pages than anybody has files: an address may name any number. */
const LAST_PAGE = 1_000_000;

export const pick = <T extends string | number>(
  all: readonly T[],
  given: string | null,
): T | undefined => all.find((each) => String(each) === given);

function pageIn(given: string | null): number {
  const page = Number(given ?? 1);
  return Number.isInteger(page) && page >= 1 ? Math.min(page, LAST_PAGE) : start.page;
}

/**
 * The view that an address asks for; invalid parts are ignored.
 * @param size The page size where the address names none.
 */
export const readView = (params: URLSearchParams, size: PageSize): FilesView => ({
  q: (params.get('q') ?? '').trim().slice(0, 300),
  content: params.get('content') === 'true',
  archived: params.get('archived') === 'true',
  keyword: (params.get('keyword') ?? '').trim().slice(0, 25),
  kind: pick(fileKinds, params.get('kind')) ?? start.kind,
  state: pick(fileStates, params.get('state')) ?? start.state,
  source: pick(fileSources, params.get('source')) ?? start.source,
  uploaded: pick(spans, params.get('uploaded')) ?? start.uploaded,
  sort: pick(sorts, params.get('sort')) ?? start.sort,
  size: pick(pageSizes, params.get('size')) ?? size,
  page: pageIn(params.get('page')),
});

/**
 * The address of a view, without its defaults. Parameters of others stay.
 * @param size The page size that needs no parameter.
 */
export function writeView(
  view: FilesView,
  before: URLSearchParams,
  size: PageSize,
): URLSearchParams {
  const after = new URLSearchParams(before);
  for (const [name, value] of Object.entries({ ...start, size })) {
    const chosen = view[name as keyof FilesView];
    if (chosen === value) after.delete(name);
    else after.set(name, String(chosen));
  }
  return after;
}

/** The last page of so many files; an empty list has one, too. */
export const lastPage = (total: number, size: PageSize): number =>
  Math.max(1, Math.ceil(total / size));
