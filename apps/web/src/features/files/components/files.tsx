import { Button, Group } from '@mantine/core';
import type { Artifact } from '@engram/contract';
import { lazy, Suspense, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useDeleteDialog } from '../../../artifacts/dialogs.ts';
import {
  useEvidence,
  useShownEvidence,
  viewedFile,
  type OpenedFile,
} from '../../../artifacts/evidence.ts';
import { ErrorState } from '../../../components/error-state.tsx';
import { plural } from '../../../format/format.ts';
import { onFirstInteraction } from '../../../browser/first-interaction.ts';
import { Notice } from '../../../components/notice.tsx';
import { messageOf } from '../../../components/notify.ts';
import { writeSession } from '../../../session/session.ts';
import { type FilePage, listOf, useArtifacts, useFileTotal } from '../use-artifacts.ts';
import { filterOf, type FilesView, lastPage, NO_FILTER, type Sort } from '../files-view.ts';
import { useFilesView } from '../use-files-view.ts';
import { useFocusAfterLeaving } from '../use-focus-after-leaving.ts';
import { useSelection } from '../use-selection.ts';
import { FileFilters } from './file-filters.tsx';
import type { RowActions } from './file-row.tsx';
import { FileTable } from './file-table.tsx';
import { Paging } from './paging.tsx';

const NoFiles = lazy(async () => ({ default: (await import('./no-files.tsx')).NoFiles }));
const SelectionBar = lazy(async () => ({
  default: (await import('./selection-bar.tsx')).SelectionBar,
}));
const ImagePreview = lazy(async () => ({
  default: (await import('./image-preview.tsx')).ImagePreview,
}));

/** Fetches what is opened from the list, at the user's first interaction. */
function fetchOpened(): void {
  const parts = [
    import('./delete-dialog.tsx'),
    import('./image-preview.tsx'),
    import('./row-menu.tsx'),
    import('./more-keywords.tsx'),
    import('./add-keyword.tsx'),
    import('./selection-bar.tsx'),
    import('./filter-sheet.tsx'),
  ];
  // A failure is reported when the part is opened.
  void Promise.allSettled(parts);
}

const NO_FILES: readonly Artifact[] = [];

const opened = (file: Artifact): OpenedFile => ({
  artifactId: file.artifactId,
  fileName: file.artifactFileName,
  fileType: file.artifactFileType,
  path: file.path,
});

/** The file that is open beside the list. */
function useOpenedId(): string | null {
  const shown = useShownEvidence();
  return shown?.list.find(({ n }) => n === shown.n)?.artifactId ?? null;
}

interface FilesProps {
  onUpload: () => void;
  /** The user's active keywords. */
  knownKeywords: readonly string[];
}

/** The list of files with its filters. */
export function Files({ onUpload, knownKeywords }: FilesProps) {
  const { view, narrow, turnTo, resize, fallBackTo } = useFilesView();
  const { page, ...list } = useArtifacts(view);
  const files = page?.files ?? NO_FILES;
  const isKnown = page !== undefined && !list.isPlaceholderData;
  const total = isKnown ? page.total : undefined;
  // A list without files may still leave archived ones.
  const everywhere = useFileTotal(total === 0);
  const count = total || everywhere;
  useEffect(() => {
    if (count !== undefined) writeSession('artifactsExist', String(count > 0));
  }, [count]);
  useEffect(() => onFirstInteraction(fetchOpened), []);

  // The page was deleted with its files: the last page takes its place.
  const isGone = isKnown && files.length === 0 && page.total > 0;
  useEffect(() => {
    if (isGone) fallBackTo(lastPage(page.total, view.size));
  }, [isGone, fallBackTo, page, view.size]);

  const sortBy = (sort: Sort): void => turnTo({ sort });
  const filters = <FileFilters view={view} onNarrow={narrow} onSort={sortBy} onUpload={onUpload} />;
  if (list.isError && !page) {
    return (
      <>
        {filters}
        <ErrorState
          title="Your files could not be loaded."
          error={list.error}
          onRetry={() => void list.refetch()}
        />
      </>
    );
  }
  if (total === 0) {
    return (
      <>
        {filters}
        <Suspense>
          <NoFiles
            filter={filterOf(view)}
            allArchived={(everywhere ?? 0) > 0}
            onUpload={onUpload}
            onShowAll={() => narrow(NO_FILTER)}
            onShowArchived={() => narrow({ archived: true })}
          />
        </Suspense>
      </>
    );
  }
  return (
    <>
      {filters}
      {list.isRefetchError && (
        <Notice tone="danger" live="alert" mb={12}>
          <Group justify="space-between" gap="6px 14px">
            The list may be out of date. {messageOf(list.error)}
            <Button variant="default" size="xs" onClick={() => void list.refetch()}>
              Try again
            </Button>
          </Group>
        </Notice>
      )}
      <output className="eg-visually-hidden">
        {total === undefined ? '' : plural(total, 'file')}
      </output>
      <FileList
        view={view}
        page={isGone ? undefined : page}
        stale={list.isPlaceholderData}
        knownKeywords={knownKeywords}
        onTurn={turnTo}
        onResize={resize}
      />
    </>
  );
}

interface FileListProps {
  view: FilesView;
  /** Undefined while the files are being loaded. */
  page: FilePage | undefined;
  stale: boolean;
  knownKeywords: readonly string[];
  onTurn: ReturnType<typeof useFilesView>['turnTo'];
  onResize: ReturnType<typeof useFilesView>['resize'];
}

/** The files of a page, and what can be done with them. */
function FileList({ view, page, stale, knownKeywords, onTurn, onResize }: FileListProps) {
  const files = page?.files ?? NO_FILES;
  // The first rows are rendered a moment after they are known, and the paging with them.
  const areShown = useDeferredValue(page) !== undefined;
  const filter = filterOf(view);
  const list = listOf(filter);
  const selection = useSelection(list);
  const { toggle, remove } = selection;
  const [previewed, setPreviewed] = useState<Artifact>();
  const [isPreviewOpen, setPreviewOpen] = useState(false);
  const region = useRef<HTMLDivElement>(null);
  const goOn = useFocusAfterLeaving(files, region);
  const { open } = useEvidence();
  const openedId = useOpenedId();
  const askToDelete = useDeleteDialog();
  const elsewhere =
    selection.ids.size - files.filter((f) => selection.ids.has(f.artifactId)).length;

  const actions = useMemo(
    (): RowActions => ({
      onToggle: (id, isRange) =>
        toggle(id, isRange ? files.map(({ artifactId }) => artifactId) : undefined),
      onPreview: (file) => {
        setPreviewed(file);
        setPreviewOpen(true);
      },
      onOpen: (file) => open(viewedFile(opened(file), files.map(opened))),
      onDelete: ({ artifactId, artifactFileName: name }) =>
        askToDelete({
          artifactIds: [artifactId],
          name,
          list,
          onConfirmed: () => remove([artifactId]),
          onClosed: goOn,
        }),
      onLeft: (id) => remove([id]),
    }),
    [toggle, remove, files, open, askToDelete, list, goOn],
  );
  const scrollToTop = (): void => {
    const top = region.current?.getBoundingClientRect().top ?? 0;
    if (top < 0) region.current?.scrollIntoView();
  };
  return (
    <div ref={region}>
      {selection.ids.size > 0 && (
        <Suspense>
          <SelectionBar
            files={files}
            selection={selection}
            elsewhere={elsewhere}
            filter={filter}
            total={page?.total ?? 0}
            knownKeywords={knownKeywords}
            onDelete={() =>
              askToDelete({
                artifactIds: [...selection.ids],
                list,
                elsewhere,
                onConfirmed: selection.clear,
                onClosed: goOn,
              })
            }
          />
        </Suspense>
      )}
      <FileTable
        page={page}
        stale={stale}
        size={view.size}
        sort={view.sort}
        onSort={(sort) => onTurn({ sort })}
        selection={selection}
        openedId={openedId}
        matchedWords={view.content ? view.q : ''}
        knownKeywords={knownKeywords}
        actions={actions}
        onShown={goOn}
      />
      {page && areShown && files.length > 0 && (
        <Paging
          page={view.page}
          size={view.size}
          offset={page.offset}
          count={files.length}
          total={page.total}
          onSize={(size) => {
            onResize(size);
            scrollToTop();
          }}
          onPage={(number) => {
            onTurn({ page: number });
            scrollToTop();
          }}
        />
      )}
      {previewed && (
        <Suspense>
          <ImagePreview
            file={previewed}
            opened={isPreviewOpen}
            onClose={() => setPreviewOpen(false)}
          />
        </Suspense>
      )}
    </div>
  );
}
