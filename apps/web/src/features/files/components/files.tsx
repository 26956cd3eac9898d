import { Button, Checkbox, CloseButton, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconArchive, IconFiles, IconSearch } from '@tabler/icons-react';
import type { Artifact } from '@engram/contract';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { writeSession } from '../../../lib/session.ts';
import { listIds, useArtifacts, useFileTotal, type FileFilter } from '../api/list-artifacts.ts';
import { useSelection } from '../use-selection.ts';
import { FileTable } from './file-table.tsx';
import classes from './files.module.css';
import { pageSizes, Paging } from './paging.tsx';
import { SelectionBar } from './selection-bar.tsx';

// Nobody deletes before there is a list.
const modals = () => import('./delete-modal.tsx');
const DeleteModal = lazy(async () => ({ default: (await modals()).DeleteModal }));
const BulkDeleteModal = lazy(async () => ({ default: (await modals()).BulkDeleteModal }));

const TYPING_PAUSE_MS = 250;
const NO_FILES: readonly Artifact[] = [];

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
export function Files(props: FilesProps) {
  const [typed, setTyped] = useState('');
  const [archived, setArchived] = useState(false);
  const [q] = useDebouncedValue(typed.trim(), TYPING_PAUSE_MS);
  const filter = useMemo(() => ({ q, archived }), [q, archived]);
  return (
    <>
      <div className={classes.filters}>
        <TextInput
          className={classes.search ?? ''}
          type="search"
          placeholder="Search..."
          aria-label="Search files by name"
          data-search-input
          leftSection={<IconSearch size={16} stroke={1.8} />}
          rightSection={
            typed && <CloseButton size="sm" aria-label="Clear" onClick={() => setTyped('')} />
          }
          maxLength={300}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Checkbox
          size="sm"
          label="Show Archived Only"
          checked={archived}
          onChange={(event) => setArchived(event.currentTarget.checked)}
        />
      </div>
      {/* Another filter starts anew: its first page, nothing selected. */}
      <FilteredFiles
        key={JSON.stringify(filter)}
        {...props}
        filter={filter}
        onShowAll={() => {
          setTyped('');
          setArchived(false);
        }}
        onShowArchived={() => setArchived(true)}
      />
    </>
  );
}

interface FilteredFilesProps extends FilesProps {
  filter: FileFilter;
  onShowAll: () => void;
  onShowArchived: () => void;
}

function FilteredFiles(props: FilteredFilesProps) {
  const { filter, onShowAll, onShowArchived, onUpload, knownKeywords } = props;
  const [pageSize, setPageSize] = useState<number>(pageSizes[0]);
  /** Cursors of the pages after the first, up to the one that is shown. */
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const [doomed, setDoomed] = useState<Artifact | 'selection' | null>(null);
  const list = useArtifacts({ limit: pageSize, cursor: cursors.at(-1) ?? null, ...filter });
  const page = list.data;
  const files = page?.files ?? NO_FILES;
  const selection = useSelection(useMemo(() => files.map(({ artifactId }) => artifactId), [files]));
  const listed = list.isPlaceholderData ? undefined : page?.total;
  // A list without files may still leave archived ones.
  const everywhere = useFileTotal(listed === 0);
  useArtifactsFlag(listed || everywhere);

  // The last file of the last page was deleted: the page before is the last one now.
  if (page?.files.length === 0 && cursors.length > 0 && !list.isPlaceholderData) {
    setCursors(cursors.slice(0, -1));
  }
  if (list.isError && !page) {
    return (
      <ErrorState
        title="Your files could not be loaded."
        error={list.error}
        onRetry={() => void list.refetch()}
      />
    );
  }
  if (page?.files.length === 0 && !list.isPlaceholderData) {
    return (
      <NoFiles
        filter={filter}
        allArchived={(everywhere ?? 0) > 0}
        onUpload={onUpload}
        onShowAll={onShowAll}
        onShowArchived={onShowArchived}
      />
    );
  }
  const total = page?.total ?? 0;
  const count = selection.everything ? total : selection.ids.size;
  const close = (): void => setDoomed(null);
  return (
    <>
      {count > 0 && (
        <SelectionBar
          count={count}
          total={total}
          wholePage={files.every(({ artifactId }) => selection.has(artifactId))}
          onSelectEverything={selection.selectEverything}
          onClear={selection.clear}
          onDelete={() => setDoomed('selection')}
        />
      )}
      <FileTable
        files={page?.files}
        stale={list.isPlaceholderData}
        selection={selection}
        knownKeywords={knownKeywords}
        onDelete={setDoomed}
      />
      {page && files.length > 0 && (
        <Paging
          page={cursors.length}
          pageSize={pageSize}
          count={files.length}
          total={total}
          hasNext={page.nextCursor !== null && !list.isPlaceholderData}
          onPageSize={(size) => {
            setPageSize(size);
            setCursors([]);
          }}
          onFirst={() => setCursors([])}
          onPrevious={() => setCursors(cursors.slice(0, -1))}
          onNext={() => page.nextCursor && setCursors([...cursors, page.nextCursor])}
        />
      )}
      <Suspense>
        <DeleteModal file={doomed === 'selection' ? null : doomed} onClose={close} />
        <BulkDeleteModal
          opened={doomed === 'selection'}
          count={count}
          listed={async () => (selection.everything ? listIds(filter) : [...selection.ids])}
          onClose={close}
          onDeleted={() => {
            selection.clear();
            close();
          }}
        />
      </Suspense>
    </>
  );
}

interface NoFilesProps extends Omit<FilteredFilesProps, 'knownKeywords'> {
  /** Whether there are files, but only archived ones. */
  allArchived: boolean;
}

/** Why no file is listed, and what to do about it. */
function NoFiles({ filter, allArchived, onUpload, onShowAll, onShowArchived }: NoFilesProps) {
  const showAll = (
    <Button variant="default" onClick={onShowAll}>
      Show all files
    </Button>
  );
  if (filter.q !== '') {
    return (
      <EmptyState
        icon={<IconSearch size={22} stroke={1.6} />}
        title={filter.archived ? 'No archived file of that name' : 'No file of that name'}
        text={`Nothing matches “${filter.q}”.`}
        action={showAll}
      />
    );
  }
  if (filter.archived) {
    return (
      <EmptyState
        icon={<IconArchive size={24} stroke={1.6} />}
        title="No archived files"
        text="A file that you archive is kept here, and left out of search."
        action={showAll}
      />
    );
  }
  if (allArchived) {
    return (
      <EmptyState
        icon={<IconArchive size={24} stroke={1.6} />}
        title="All your files are archived"
        text="They are kept, and left out of search."
        action={
          <Button variant="default" onClick={onShowArchived}>
            Show archived files
          </Button>
        }
      />
    );
  }
  return (
    <EmptyState
      icon={<IconFiles size={24} stroke={1.6} />}
      title="No files yet"
      text="Upload a file or write a note, and ask about it a few seconds later."
      action={<Button onClick={onUpload}>Upload</Button>}
    />
  );
}
