import { Button, Group } from '@mantine/core';
import type { Artifact } from '@engram/contract';
import { lazy, Suspense, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useEvidence } from '../../../artifacts/evidence.ts';
import { viewedFile, type OpenedFile } from '../../../artifacts/whole-file.ts';
import { ErrorState } from '../../../components/error-state.tsx';
import { plural } from '../../../format/format.ts';
import { onFirstInteraction } from '../../../browser/first-interaction.ts';
import { Notice } from '../../../components/notice.tsx';
import { messageOf } from '../../../components/notify.ts';
import { writeSession } from '../../../session/session.ts';
import { useArtifacts, useFileTotal } from '../api/list-artifacts.ts';
import { filterOf, lastPage, NO_FILTER } from '../files-view.ts';
import { useFilesView } from '../use-files-view.ts';
import { useFocusAfterLeaving } from '../use-focus-after-leaving.ts';
import { useSelection } from '../use-selection.ts';
import { FileFilters } from './file-filters.tsx';
import type { RowActions } from './file-row.tsx';
import { FileTable } from './file-table.tsx';
import { Paging } from './paging.tsx';

// Nobody deletes, looks closer or opens a menu before there is a list.
const modals = () => import('./delete-modal.tsx');
const DeleteModal = lazy(async () => ({ default: (await modals()).DeleteModal }));
const BulkDeleteModal = lazy(async () => ({ default: (await modals()).BulkDeleteModal }));
const NoFiles = lazy(async () => ({ default: (await import('./no-files.tsx')).NoFiles }));
const SelectionBar = lazy(async () => ({
  default: (await import('./selection-bar.tsx')).SelectionBar,
}));
const ImagePreview = lazy(async () => ({
  default: (await import('./image-preview.tsx')).ImagePreview,
}));

/** Fetches what is opened from the list, as soon as somebody does anything with it. */
function fetchOpened(): void {
  const parts = [
    modals(),
    import('./image-preview.tsx'),
    import('./row-menu.tsx'),
    import('./more-keywords.tsx'),
    import('./add-keyword.tsx'),
    import('./selection-bar.tsx'),
    import('./selection-actions.tsx'),
  ];
  // Whoever opens one without a network is told then.
  void Promise.allSettled(parts);
}

const NO_FILES: readonly Artifact[] = [];

const opened = (file: Artifact): OpenedFile => ({
  artifactId: file.artifactId,
  fileName: file.artifactFileName,
  fileType: file.artifactFileType,
  path: file.path,
});

/** The session's flag follows how many files there are. */
function useArtifactsFlag(total: number | undefined): void {
  useEffect(() => {
    if (total !== undefined) writeSession('artifactsExist', String(total > 0));
  }, [total]);
}

interface FilesProps {
  onUpload: () => void;
  /** The person's active keywords. */
  knownKeywords: readonly string[];
}

/** The list of files with what narrows it down. */
export function Files({ onUpload, knownKeywords }: FilesProps) {
  const { view, narrow, turnTo, fallBackTo } = useFilesView();
  const list = useArtifacts(view);
  const page = list.data;
  const files = page?.files ?? NO_FILES;
  const isKnown = page !== undefined && !list.isPlaceholderData;
  // The first rows come a moment after they are known, and what stands below them with them.
  const areShown = useDeferredValue(page) !== undefined;
  const total = isKnown ? page.total : undefined;
  // A list without files may still leave archived ones.
  const everywhere = useFileTotal(total === 0);
  useArtifactsFlag(total || everywhere);

  // The page went with its files: the last one that is there stands in for it.
  const isGone = isKnown && files.length === 0 && page.total > 0;
  useEffect(() => {
    if (isGone) fallBackTo(lastPage(page.total, view.size));
  }, [isGone, fallBackTo, page, view.size]);

  const filter = filterOf(view);
  const selection = useSelection(JSON.stringify(filter));
  const { toggle, add, remove } = selection;
  /** Where a range of files begins. */
  const last = useRef<string | null>(null);
  const elsewhere =
    selection.ids.size - files.filter((f) => selection.ids.has(f.artifactId)).length;
  const [doomed, setDoomed] = useState<Artifact | 'selection' | null>(null);
  const [previewed, setPreviewed] = useState<Artifact | null>(null);
  const [wasAsked, setWasAsked] = useState(false);
  if (!wasAsked && (doomed ?? previewed) !== null) setWasAsked(true);
  const stopDeleting = (): void => setDoomed(null);

  useEffect(() => onFirstInteraction(fetchOpened), []);

  const region = useRef<HTMLDivElement>(null);
  const goOn = useFocusAfterLeaving(files, region);
  const { open } = useEvidence();
  const actions = useMemo(
    (): RowActions => ({
      onToggle: (id, isRange) => {
        const ids = files.map(({ artifactId }) => artifactId);
        const from = isRange && last.current ? ids.indexOf(last.current) : -1;
        const to = ids.indexOf(id);
        last.current = id;
        if (from === -1) toggle(id);
        else add(ids.slice(Math.min(from, to), Math.max(from, to) + 1));
      },
      onPreview: setPreviewed,
      onOpen: (file) => open(viewedFile(opened(file), files.map(opened))),
      onDelete: setDoomed,
      onLeft: (id) => remove([id]),
    }),
    [toggle, add, remove, files, open],
  );

  const turn = (changes: Parameters<typeof turnTo>[0]): void => {
    turnTo(changes);
    // Another page is read from its first file on.
    const top = region.current?.getBoundingClientRect().top ?? 0;
    if (top < 0) region.current?.scrollIntoView();
  };

  const filters = <FileFilters view={view} onNarrow={narrow} onSort={(sort) => turnTo({ sort })} />;
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
            filter={filter}
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
      <div ref={region}>
        {selection.ids.size > 0 && (
          <Suspense>
            <SelectionBar
              files={files}
              ids={selection.ids}
              knownKeywords={knownKeywords}
              onLeft={remove}
              elsewhere={elsewhere}
              filter={filter}
              total={page?.total ?? 0}
              wholePage={files.every(({ artifactId }) => selection.ids.has(artifactId))}
              onSelect={selection.add}
              onClear={selection.clear}
              onDelete={() => setDoomed('selection')}
            />
          </Suspense>
        )}
        <FileTable
          page={isGone ? undefined : page}
          stale={list.isPlaceholderData}
          size={view.size}
          sort={view.sort}
          onSort={(sort) => turnTo({ sort })}
          selection={selection}
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
            onSize={(size) => turn({ size })}
            onPage={(number) => turn({ page: number })}
          />
        )}
      </div>
      {wasAsked && (
        <Suspense>
          <DeleteModal
            file={doomed === 'selection' ? null : doomed}
            onClose={stopDeleting}
            onDeleted={actions.onLeft}
            onClosed={goOn}
          />
          <BulkDeleteModal
            opened={doomed === 'selection'}
            ids={selection.ids}
            elsewhere={elsewhere}
            onClose={stopDeleting}
            onGone={remove}
            onClosed={goOn}
          />
          <ImagePreview file={previewed} onClose={() => setPreviewed(null)} />
        </Suspense>
      )}
    </>
  );
}
