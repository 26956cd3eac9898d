import { Menu } from '@mantine/core';
import {
  IconArchive,
  IconArchiveOff,
  IconCursorText,
  IconDownload,
  IconExternalLink,
  IconFileText,
  IconLink,
  IconMessageQuestion,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react';
import type { Artifact } from '@engram/contract';
import { useState } from 'react';
import { generatePath, useNavigate } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { useNoteEditor } from '../../../artifacts/note-editor.ts';
import { openFile } from '../../../artifacts/open-file.ts';
import { saveFile } from '../../../artifacts/save-file.ts';
import { useSetArtifactArchived } from '../../../artifacts/set-artifact-archived.ts';
import { copyText } from '../../../browser/copy-text.ts';
import { useOpenedMenu } from '../use-opened-menu.ts';
import { RenameDialog } from './rename-dialog.tsx';
import { OptionsButton } from './row-buttons.tsx';

interface RowMenuProps {
  file: Artifact;
  /** Shows it beside the list. */
  onOpen: () => void;
  onDelete: () => void;
  /** Called once the file is archived or brought back. */
  onArchived: () => void;
}

const noop = (): void => undefined;

const linkTo = (artifactId: string): string =>
  window.location.origin + generatePath(paths.source, { artifactId });

const copied = { done: 'The link is copied.', failed: 'The link could not be copied' };

/** What can be done with one file; opened at first. */
export function RowMenu({ file, onOpen, onDelete, onArchived }: RowMenuProps) {
  const { artifactId, artifactArchived: archived, artifactFileName: fileName } = file;
  const navigate = useNavigate();
  const [renaming, setRenaming] = useState(false);
  const change = useSetArtifactArchived();
  const editNote = useNoteEditor();
  const { target, menu } = useOpenedMenu();
  return (
    <>
      <Menu position="bottom-end" width={200} {...menu}>
        <Menu.Target>
          <OptionsButton ref={target} name={fileName} loading={change.isPending} />
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconFileText size={16} />} onClick={onOpen}>
            Open
          </Menu.Item>
          <Menu.Item
            leftSection={<IconExternalLink size={16} />}
            onClick={() => void openFile(artifactId)}
          >
            Open in a new tab
          </Menu.Item>
          {file.isVectorReady && !archived && (
            <Menu.Item
              leftSection={<IconMessageQuestion size={16} />}
              onClick={() =>
                void navigate(paths.search, { state: { files: [{ artifactId, fileName }] } })
              }
            >
              Ask this file
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={<IconDownload size={16} />}
            onClick={() => void saveFile(artifactId)}
          >
            Download
          </Menu.Item>
          <Menu.Item
            leftSection={<IconLink size={16} />}
            onClick={() => void copyText(linkTo(artifactId), copied)}
          >
            Copy link
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<IconCursorText size={16} />} onClick={() => setRenaming(true)}>
            Rename
          </Menu.Item>
          {file.source === 'Text' && (
            <Menu.Item
              leftSection={<IconPencil size={16} />}
              onClick={() => editNote({ artifactId, fileName })}
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
      <RenameDialog file={file} opened={renaming} onClose={() => setRenaming(false)} />
    </>
  );
}
