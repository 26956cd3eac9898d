import { Button } from '@mantine/core';
import { IconArchive, IconFiles, IconFilter, IconSearch, IconTag } from '@tabler/icons-react';
import { EmptyState } from '../../../components/empty-state.tsx';
import { NO_FILTER, type FilesAddress } from '../files-view.ts';

interface NoFilesProps {
  address: FilesAddress;
  allArchived: boolean;
  onUpload: () => void;
}

export default function NoFiles({ address, allArchived, onUpload }: NoFilesProps) {
  const { view: filter, setFilter } = address;
  const file = filter.archived ? 'archived file' : 'file';
  const showAll = (
    <Button variant="default" onClick={() => setFilter(NO_FILTER)}>
      Show all files
    </Button>
  );
  if (filter.q !== '') {
    return (
      <EmptyState
        icon={<IconSearch size={22} stroke={1.6} />}
        title={filter.content ? `No ${file} with these words` : `No ${file} of that name`}
        text={`Nothing matches “${filter.q}”.`}
        action={showAll}
      />
    );
  }
  if (filter.keyword !== '') {
    return (
      <EmptyState
        icon={<IconTag size={22} stroke={1.6} />}
        title="No file with this keyword"
        text={`No ${file} has the keyword “${filter.keyword}”.`}
        action={showAll}
      />
    );
  }
  if (filter.kind || filter.state || filter.source || filter.uploaded) {
    return (
      <EmptyState
        icon={<IconFilter size={22} stroke={1.6} />}
        title="No such file"
        text="No file has the selected type, state, source and date."
        action={showAll}
      />
    );
  }
  if (filter.archived) {
    return (
      <EmptyState
        icon={<IconArchive size={24} stroke={1.6} />}
        title="No archived files"
        text="Files that you archive are listed here, and left out of search."
        action={showAll}
      />
    );
  }
  if (allArchived) {
    return (
      <EmptyState
        icon={<IconArchive size={24} stroke={1.6} />}
        title="All your files are archived"
        text="They are left out of search."
        action={
          <Button variant="default" onClick={() => setFilter({ archived: true })}>
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
