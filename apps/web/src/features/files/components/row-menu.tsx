import { Menu } from '@mantine/core';
import { IconArchive, IconArchiveOff, IconPencil, IconTrash } from '@tabler/icons-react';
import type { Artifact } from '@engram/contract';
import { useNoteEditor } from '../../../artifacts/note-editor.ts';
import { useSetArtifactArchived } from '../../../artifacts/set-artifact-archived.ts';
import { useOpenedMenu } from '../use-opened-menu.ts';
import { OptionsButton } from './row-buttons.tsx';

interface RowMenuProps {
  file: Artifact;
  onDelete: () => void;
  /** Called once the file is archived or brought back. */
  onArchived: () => void;
}

const noop = (): void => undefined;

/** What can be done with one file; opened at first. */
export function RowMenu({ file, onDelete, onArchived }: RowMenuProps) {
  const { artifactId, artifactArchived: archived } = file;
  const change = useSetArtifactArchived();
  const editNote = useNoteEditor();
  const { target, menu } = useOpenedMenu();
  return (
    <Menu position="bottom-end" width={168} {...menu}>
      <Menu.Target>
        <OptionsButton ref={target} name={file.artifactFileName} loading={change.isPending} />
      </Menu.Target>
      <Menu.Dropdown>
        {file.source === 'Text' && (
          <Menu.Item
            leftSection={<IconPencil size={16} />}
            onClick={() => editNote({ artifactId, fileName: file.artifactFileName })}
          >
            Edit
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={archived ? <IconArchiveOff size={16} /> : <IconArchive size={16} />}
          onClick={() => {
            // The row is gone by then, and with it what a mutation would still call back.
            change.mutateAsync({ artifactId, archived: !archived }).then(onArchived, noop);
          }}
        >
          {archived ? 'Un-Archive' : 'Archive'}
        </Menu.Item>
        <Menu.Item
          color="var(--eg-danger)"
          leftSection={<IconTrash size={16} />}
          onClick={onDelete}
        >
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
