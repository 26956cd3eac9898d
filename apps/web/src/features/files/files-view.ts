/** What narrows the files down. */
export interface FileFilter {
  /** A part of the name; empty for all. */
  q: string;
  /** Only archived files, or only those that are not. */
  archived: boolean;
  /** Only files that carry it; empty for all. */
  keyword: string;
}

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

const start: FilesView = {
  q: '',
  archived: false,
  keyword: '',
  sort: '-created',
  size: 10,
  page: 1,
};

/** More pages than anybody has files: an address may name any number. */
const LAST_PAGE = 1_000_000;

const pick = <T extends string | number>(all: readonly T[], given: string | null): T | undefined =>
  all.find((each) => String(each) === given);

function pageIn(given: string | null): number {
  const page = Number(given ?? 1);
  return Number.isInteger(page) && page >= 1 ? Math.min(page, LAST_PAGE) : start.page;
}

/** The view that an address asks for; what it has wrong is as if it were not there. */
export const readView = (params: URLSearchParams): FilesView => ({
  q: (params.get('q') ?? '').trim().slice(0, 300),
  archived: params.get('archived') === 'true',
  keyword: (params.get('keyword') ?? '').trim().slice(0, 25),
  sort: pick(sorts, params.get('sort')) ?? start.sort,
  size: pick(pageSizes, params.get('size')) ?? start.size,
  page: pageIn(params.get('page')),
});

/** The address of a view; what nobody has chosen is left out. Keeps what others have in it. */
export function writeView(view: FilesView, before: URLSearchParams): URLSearchParams {
  const after = new URLSearchParams(before);
  for (const name of ['q', 'archived', 'keyword', 'sort', 'size', 'page'] as const) {
    if (view[name] === start[name]) after.delete(name);
    else after.set(name, String(view[name]));
  }
  return after;
}

/** The last page of so many files; an empty list has one, too. */
export const lastPage = (total: number, size: PageSize): number =>
  Math.max(1, Math.ceil(total / size));
