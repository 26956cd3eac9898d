import { Button } from '@mantine/core';
import {
  IconArchive,
  IconFiles,
  IconFilter,
  IconSearch,
  IconTag,
  type Icon,
} from '@tabler/icons-react';
import { uploadPanel } from '../../../artifacts/dialogs.ts';
import { EmptyState } from '../../../components/empty-state.tsx';
import { NO_FILTER, type FileFilter, type FilesAddress } from '../files-view.ts';

interface NoFilesProps {
  address: FilesAddress;
  allArchived: boolean;
}

function emptyStateOf(filter: FileFilter, allArchived: boolean): [Icon, string, string] {
  const file = filter.archived ? 'archived file' : 'file';
  if (filter.q !== '') {
    const title = filter.content ? `No ${file} with these words` : `No ${file} of that name`;
    return [IconSearch, title, `Nothing matches “${filter.q}”.`];
  }
  if (filter.keyword !== '') {
    const text = `No ${file} has the keyword “${filter.keyword}”.`;
    return [IconTag, 'No file with this keyword', text];
  }
  if (filter.kind || filter.state || filter.source || filter.uploaded) {
    const text = 'No file has the selected type, state, source and date.';
    return [IconFilter, 'No such file', text];
  }
  if (filter.archived) {
    const text = 'Files that you archive are listed here, and left out of search.';
    return [IconArchive, 'No archived files', text];
  }
  if (allArchived) {
    return [IconArchive, 'All your files are archived', 'They are left out of search.'];
  }
  const text = 'Upload a file or write a note, and ask about it a few seconds later.';
  return [IconFiles, 'No files yet', text];
}

export default function NoFiles({ address, allArchived }: NoFilesProps) {
  const { view: filter, setFilter } = address;
  const [StateIcon, title, text] = emptyStateOf(filter, allArchived);
  const isFiltered = Object.entries({ ...NO_FILTER, content: filter.content }).some(
    ([name, value]) => filter[name as keyof FileFilter] !== value,
  );
  const [label, onClick] = isFiltered
    ? ['Show all files', () => setFilter(NO_FILTER)]
    : ['Show archived files', () => setFilter({ archived: true })];
  return (
    <EmptyState
      icon={<StateIcon size={24} stroke={1.6} />}
      title={title}
      text={text}
      action={
        isFiltered || allArchived ? (
          <Button variant="default" onClick={onClick}>
            {label}
          </Button>
        ) : (
          <Button onClick={() => uploadPanel.set(true)}>Upload</Button>
        )
      }
    />
  );
}
