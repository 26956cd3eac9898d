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
import { useNoteEditor } from '../../../artifacts/dialogs.ts';
import { openFile, saveFile } from '../../../artifacts/signed-file.ts';
import { useSetArtifactArchived } from '../../../artifacts/actions.ts';
import { copyText } from '../../../components/notify.ts';
import { Menu } from '../../../components/menu.tsx';
import { RenameDialog } from './rename-dialog.tsx';
import { OptionsButton, useOpenedMenu } from './row-buttons.tsx';

interface RowMenuProps {
  file: Artifact;
  /** Shows the file beside the list. */
  onOpen: () => void;
  onDelete: () => void;
  /** Called once the file is archived or brought back. */
  onArchived: () => void;
}

const noop = (): void => undefined;

const linkTo = (artifactId: string): string =>
  window.location.origin + generatePath(paths.source, { artifactId });

const copied = { done: 'The link is copied.', failed: 'The link could not be copied' };

/** What can be done with one file, opened at first. */
export function RowMenu({ file, onOpen, onDelete, onArchived }: RowMenuProps) {
  const { artifactId, artifactArchived: archived, artifactFileName: fileName } = file;
  const navigate = useNavigate();
  const [renaming, setRenaming] = useState(false);
  const change = useSetArtifactArchived();
  const editNote = useNoteEditor();
  const { target, menu } = useOpenedMenu();
  return (
    <>
      <Menu
        label={`Options for ${fileName}`}
        button={<OptionsButton ref={target} name={fileName} loading={change.isPending} />}
        width={200}
        {...menu}
        groups={[
          [
            { icon: IconFileText, label: 'Open', onClick: onOpen },
            {
              icon: IconExternalLink,
              label: 'Open in a new tab',
              onClick: () => void openFile(artifactId),
            },
            file.isVectorReady &&
              !archived && {
                icon: IconMessageQuestion,
                label: 'Ask this file',
                onClick: () =>
                  void navigate(paths.search, { state: { files: [{ artifactId, fileName }] } }),
              },
            { icon: IconDownload, label: 'Download', onClick: () => void saveFile(artifactId) },
            {
              icon: IconLink,
              label: 'Copy link',
              onClick: () => void copyText(linkTo(artifactId), copied),
            },
          ],
          [
            { icon: IconCursorText, label: 'Rename', onClick: () => setRenaming(true) },
            file.source === 'Text' && {
              icon: IconPencil,
              label: 'Edit',
              onClick: () => editNote({ artifactId, fileName }),
            },
            {
              icon: archived ? IconArchiveOff : IconArchive,
              label: archived ? 'Un-Archive' : 'Archive',
              onClick: () => {
                // The row may be unmounted by then, and its mutation would not call back.
                const params = { artifactId, archived: archived ? 'false' : 'true' } as const;
                change.mutateAsync({ params }).then(onArchived, noop);
              },
            },
            { icon: IconTrash, label: 'Delete', tone: 'danger', onClick: onDelete },
          ],
        ]}
      />
      <RenameDialog file={file} opened={renaming} onClose={() => setRenaming(false)} />
    </>
  );
}
