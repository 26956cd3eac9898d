import { Button, Group } from '@mantine/core';
import type { Artifact } from '@engram/contract';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useStore } from '../../../browser/store.ts';
import { askToDelete } from '../../../artifacts/dialogs.ts';
import {
  fileView,
  openEvidence,
  shownEvidence,
  type OpenedFile,
} from '../../../artifacts/evidence.ts';
import { useKeywords } from '../../../artifacts/keywords.ts';
import { ErrorState } from '../../../components/empty-state.tsx';
import { plural } from '../../../format/format.ts';
import { lazyPart } from '../../../components/lazy-part.tsx';
import { Notice } from '../../../components/notice.tsx';
import { messageOf } from '../../../components/notify.ts';
import { writeSession } from '../../../session/session.ts';
import { type FilePage, listOf, useArtifacts, useFileTotal } from '../use-artifacts.ts';
import { filterOf, lastPage, useFilesView, type FilesAddress } from '../files-view.ts';
import { useFocusAfterRemoval } from '../use-focus-after-removal.ts';
import { useSelection } from '../use-selection.ts';
import { FileFilters } from './file-filters.tsx';
import type { RowActions } from './file-row.tsx';
import { FileTable } from './file-table.tsx';
import { Paging } from './paging.tsx';

const NoFiles = lazyPart(() => import('./no-files.tsx'));
const SelectionBar = lazyPart(() => import('./selection-bar.tsx'));
const ImagePreview = lazyPart(() => import('./image-preview.tsx'));

const NO_FILES: readonly Artifact[] = [];

export function Files() {
  const address = useFilesView();
  const { view, replacePage } = address;
  const { page, ...list } = useArtifacts(view);
  const isKnown = page !== undefined && !list.isPlaceholderData;
  const total = isKnown ? page.total : undefined;
  // There may be archived files outside of an empty list.
  const totalWithArchived = useFileTotal(total === 0);
  const count = total || totalWithArchived;
  useEffect(() => {
    if (count !== undefined) writeSession('artifactsExist', String(count > 0));
  }, [count]);
  // Prefetches them for the menus.
  useKeywords();

  // If all files of a page were deleted, the last page is shown instead.
  const isPageEmpty = isKnown && page.files.length === 0 && page.total > 0;
  const showLastPage = useEffectEvent(() => replacePage(lastPage(page?.total ?? 0, view.size)));
  useEffect(() => {
    if (isPageEmpty) showLastPage();
  }, [isPageEmpty]);

  const filters = <FileFilters address={address} />;
  const retry = (): void => void list.refetch();
  if (list.isError && !page) {
    return (
      <>
        {filters}
        <ErrorState title="Your files could not be loaded." error={list.error} onRetry={retry} />
      </>
    );
  }
  if (total === 0) {
    return (
      <>
        {filters}
        <NoFiles address={address} allArchived={(totalWithArchived ?? 0) > 0} />
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
            <Button variant="default" size="xs" onClick={retry}>
              Try again
            </Button>
          </Group>
        </Notice>
      )}
      <output className="eg-visually-hidden">
        {total === undefined ? '' : plural(total, 'file')}
      </output>
      <FileList
        address={address}
        page={isPageEmpty ? undefined : page}
        stale={list.isPlaceholderData}
      />
    </>
  );
}

const toOpenedFile = (file: Artifact): OpenedFile => ({
  artifactId: file.artifactId,
  fileName: file.artifactFileName,
  fileType: file.artifactFileType,
  path: file.path,
});

interface FileListProps {
  address: FilesAddress;
  page: FilePage | undefined;
  stale: boolean;
}

function FileList({ address, page, stale }: FileListProps) {
  const { view, sortBy, goToPage, resize } = address;
  const files = page?.files ?? NO_FILES;
  const filter = filterOf(view);
  const list = listOf(filter);
  const selection = useSelection(list);
  const { toggle, remove } = selection;
  const [previewed, setPreviewed] = useState<Artifact>();
  const [isPreviewOpen, setPreviewOpen] = useState(false);
  const region = useRef<HTMLDivElement>(null);
  const restoreFocus = useFocusAfterRemoval(files, region);
  const openedId = useStore(
    shownEvidence,
    (shown) => shown?.list.find(({ n }) => n === shown.n)?.artifactId ?? null,
  );
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
      onOpen: (file) => openEvidence(fileView(toOpenedFile(file), files.map(toOpenedFile))),
      onDelete: ({ artifactId, artifactFileName: name }) =>
        askToDelete({
          artifactIds: [artifactId],
          name,
          list,
          onConfirmed: () => remove([artifactId]),
          onClosed: restoreFocus,
        }),
      onLeaveList: (id) => remove([id]),
    }),
    [toggle, remove, files, list, restoreFocus],
  );
  const scrollToTop = (): void => {
    const top = region.current?.getBoundingClientRect().top ?? 0;
    if (top < 0) region.current?.scrollIntoView();
  };
  return (
    <div ref={region}>
      {selection.ids.size > 0 && (
        <SelectionBar
          files={files}
          selection={selection}
          elsewhere={elsewhere}
          filter={filter}
          total={page?.total ?? 0}
          onDelete={() =>
            askToDelete({
              artifactIds: [...selection.ids],
              list,
              elsewhere,
              onConfirmed: selection.clear,
              onClosed: restoreFocus,
            })
          }
        />
      )}
      <FileTable
        view={view}
        page={page}
        stale={stale}
        onSort={sortBy}
        selection={selection}
        openedId={openedId}
        actions={actions}
        onShown={restoreFocus}
      />
      {page && files.length > 0 && (
        <Paging
          view={view}
          files={page}
          onSize={(size) => {
            resize(size);
            scrollToTop();
          }}
          onPage={(number) => {
            goToPage(number);
            scrollToTop();
          }}
        />
      )}
      {previewed && (
        <ImagePreview
          file={previewed}
          opened={isPreviewOpen}
          onClose={() => setPreviewOpen(false)}
        />
      )}
    </div>
  );
}
