import { Button, Group } from '@mantine/core';
import type { Artifact } from '@engram/contract';
import {
  lazy,
  Suspense,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useDeleteDialog } from '../../../artifacts/dialogs.ts';
import {
  useEvidence,
  useShownEvidence,
  viewedFile,
  type OpenedFile,
} from '../../../artifacts/evidence.ts';
import { useKeywords } from '../../../artifacts/keywords.ts';
import { ErrorState } from '../../../components/empty-state.tsx';
import { plural } from '../../../format/format.ts';
import { onFirstInteraction } from '../../../browser/when-idle.ts';
import { Notice } from '../../../components/notice.tsx';
import { messageOf } from '../../../components/notify.ts';
import { writeSession } from '../../../session/session.ts';
import { type FilePage, listOf, useArtifacts, useFileTotal } from '../use-artifacts.ts';
import { filterOf, lastPage, useFilesView, type FilesAddress } from '../files-view.ts';
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

/** Loads what the list can open, at the user's first interaction. */
function loadDialogs(): void {
  const parts = [
    import('./delete-dialog.tsx'),
    import('./image-preview.tsx'),
    import('./row-menu.tsx'),
    import('./keyword-menus.tsx'),
    import('./selection-bar.tsx'),
    import('./filter-sheet.tsx'),
  ];
  // A failure is reported when the part is opened.
  void Promise.allSettled(parts);
}

const NO_FILES: readonly Artifact[] = [];

/** The list of files with its filters. */
export function Files({ onUpload }: { onUpload: () => void }) {
  const address = useFilesView();
  const { view, fallBackTo } = address;
  const { page, ...list } = useArtifacts(view);
  const isKnown = page !== undefined && !list.isPlaceholderData;
  const total = isKnown ? page.total : undefined;
  // An empty list may still leave archived files.
  const everywhere = useFileTotal(total === 0);
  const count = total || everywhere;
  useEffect(() => {
    if (count !== undefined) writeSession('artifactsExist', String(count > 0));
  }, [count]);
  useEffect(() => onFirstInteraction(loadDialogs), []);
  // Read now, so that the menus have them when they open.
  useKeywords();

  // All files of the page were deleted: the last page takes its place.
  const isGone = isKnown && page.files.length === 0 && page.total > 0;
  const showLastPage = useEffectEvent(() => fallBackTo(lastPage(page?.total ?? 0, view.size)));
  useEffect(() => {
    if (isGone) showLastPage();
  }, [isGone]);

  const filters = <FileFilters address={address} onUpload={onUpload} />;
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
        <Suspense>
          <NoFiles address={address} allArchived={(everywhere ?? 0) > 0} onUpload={onUpload} />
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
            <Button variant="default" size="xs" onClick={retry}>
              Try again
            </Button>
          </Group>
        </Notice>
      )}
      <output className="eg-visually-hidden">
        {total === undefined ? '' : plural(total, 'file')}
      </output>
      <FileList address={address} page={isGone ? undefined : page} stale={list.isPlaceholderData} />
    </>
  );
}

const opened = (file: Artifact): OpenedFile => ({
  artifactId: file.artifactId,
  fileName: file.artifactFileName,
  fileType: file.artifactFileType,
  path: file.path,
});

interface FileListProps {
  address: FilesAddress;
  /** Undefined while the files are being loaded. */
  page: FilePage | undefined;
  stale: boolean;
}

/** The files of a page, and what can be done with them. */
function FileList({ address, page, stale }: FileListProps) {
  const { view, sortBy, turnTo, resize } = address;
  const files = page?.files ?? NO_FILES;
  // Rows render a moment after they are known, and the paging with them.
  const areShown = useDeferredValue(page) !== undefined;
  const filter = filterOf(view);
  const list = listOf(filter);
  const selection = useSelection(list);
  const { toggle, remove } = selection;
  const [previewed, setPreviewed] = useState<Artifact>();
  const [isPreviewOpen, setPreviewOpen] = useState(false);
  const region = useRef<HTMLDivElement>(null);
  const restoreFocus = useFocusAfterLeaving(files, region);
  const { open } = useEvidence();
  const shown = useShownEvidence();
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
          onClosed: restoreFocus,
        }),
      onLeft: (id) => remove([id]),
    }),
    [toggle, remove, files, open, askToDelete, list, restoreFocus],
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
        </Suspense>
      )}
      <FileTable
        view={view}
        page={page}
        stale={stale}
        onSort={sortBy}
        selection={selection}
        openedId={shown?.list.find(({ n }) => n === shown.n)?.artifactId ?? null}
        actions={actions}
        onShown={restoreFocus}
      />
      {page && areShown && files.length > 0 && (
        <Paging
          view={view}
          files={page}
          onSize={(size) => {
            resize(size);
            scrollToTop();
          }}
          onPage={(number) => {
            turnTo(number);
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
