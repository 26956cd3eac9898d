import { ActionIcon, Menu } from '@mantine/core';
import { IconArchive, IconArchiveOff, IconDots, IconTrash } from '@tabler/icons-react';
import type { Artifact } from '@engram/contract';
import { useSetArtifactArchived } from '../../../lib/set-artifact-archived.ts';

interface RowMenuProps {
  file: Artifact;
  onDelete: () => void;
}

/** What can be done with one file. */
export function RowMenu({ file, onDelete }: RowMenuProps) {
  const { artifactId, artifactArchived: archived } = file;
  const change = useSetArtifactArchived();
  return (
    <Menu position="bottom-end" width={168}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={34}
          loading={change.isPending}
          aria-label={`Options for ${file.artifactFileName}`}
        >
          <IconDots size={18} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={archived ? <IconArchiveOff size={16} /> : <IconArchive size={16} />}
          onClick={() => change.mutate({ artifactId, archived: !archived })}
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
