import { Button, CloseButton, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconFiles, IconSearch } from '@tabler/icons-react';
import type { Artifact } from '@engram/contract';
import { useEffect, useState } from 'react';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { writeSession } from '../../../lib/session.ts';
import { useArtifacts, type FilePage } from '../api/list-artifacts.ts';
import { DeleteModal } from './delete-modal.tsx';
import { FileTable } from './file-table.tsx';
import classes from './files.module.css';
import { pageSizes, Paging } from './paging.tsx';

const TYPING_PAUSE_MS = 250;

/** The session's flag follows what the unfiltered list shows. */
function useArtifactsFlag(page: FilePage | undefined, filtered: boolean): void {
  const total = page?.total;
  useEffect(() => {
    if (total !== undefined && !filtered) writeSession('artifactsExist', String(total > 0));
  }, [total, filtered]);
}

/** The list of files with its search, pages and actions. */
export function Files({ onUpload }: { onUpload: () => void }) {
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed.trim(), TYPING_PAUSE_MS);
  const [pageSize, setPageSize] = useState<number>(pageSizes[0]);
  /** Cursors of the pages after the first, up to the one that is shown. */
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const [doomed, setDoomed] = useState<Artifact | null>(null);
  const list = useArtifacts({ limit: pageSize, cursor: cursors.at(-1) ?? null, q });
  const page = list.data;
  useArtifactsFlag(list.isPlaceholderData ? undefined : page, q !== '');

  const [listed, setListed] = useState(q);
  if (listed !== q) {
    setListed(q);
    setCursors([]);
  }
  // The last file of the last page was deleted: the page before is the last one now.
  if (page?.files.length === 0 && cursors.length > 0 && !list.isPlaceholderData) {
    setCursors(cursors.slice(0, -1));
  }

  const isEmpty = page?.files.length === 0 && !list.isPlaceholderData;
  if (list.isError && !page) {
    return (
      <ErrorState
        title="Your files could not be loaded."
        error={list.error}
        onRetry={() => void list.refetch()}
      />
    );
  }
  if (isEmpty && q === '') {
    return (
      <EmptyState
        icon={<IconFiles size={24} stroke={1.6} />}
        title="No files yet"
        text="Upload a file or write a note, and ask about it a few seconds later."
        action={<Button onClick={onUpload}>Upload</Button>}
      />
    );
  }
  return (
    <>
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
      {isEmpty ? (
        <EmptyState
          icon={<IconSearch size={22} stroke={1.6} />}
          title="No file of that name"
          text={`Nothing matches “${q}”.`}
          action={
            <Button variant="default" onClick={() => setTyped('')}>
              Show all files
            </Button>
          }
        />
      ) : (
        <FileTable files={page?.files} stale={list.isPlaceholderData} onDelete={setDoomed} />
      )}
      {page && page.files.length > 0 && (
        <Paging
          page={cursors.length}
          pageSize={pageSize}
          count={page.files.length}
          total={page.total}
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
      <DeleteModal file={doomed} onClose={() => setDoomed(null)} />
    </>
  );
}
