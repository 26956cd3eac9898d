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
import { renameArtifact } from '@engram/contract/browser';
import { ActionIcon, Button, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { generatePath, useNavigate } from 'react-router';
import { useAction } from '../../../api/use-action.ts';
import { paths } from '../../../app/paths.ts';
import { editedNote } from '../../../artifacts/dialogs.ts';
import { openFile, saveFile } from '../../../artifacts/signed-file.ts';
import { clearLists, useSetArtifactArchived } from '../../../artifacts/actions.ts';
import { Dialog, DialogFoot } from '../../../components/dialog.tsx';
import { copyText, messageOf } from '../../../components/notify.ts';
import { Menu } from '../../../components/menu.tsx';
import { optionsButton, useMenuOpenedOnMount } from './row-buttons.tsx';

interface RowMenuProps {
  file: Artifact;
  onOpen: () => void;
  onDelete: () => void;
  onArchived: () => void;
}

const noop = (): void => undefined;

const linkTo = (artifactId: string): string =>
  window.location.origin + generatePath(paths.source, { artifactId });

const copied = { done: 'The link is copied.', failed: 'The link could not be copied' };

export default function RowMenu({ file, onOpen, onDelete, onArchived }: RowMenuProps) {
  const { artifactId, artifactArchived: archived, artifactFileName: fileName } = file;
  const navigate = useNavigate();
  const [renaming, setRenaming] = useState(false);
  const change = useSetArtifactArchived();
  const { target, menu } = useMenuOpenedOnMount();
  return (
    <>
      <Menu
        label={`Options for ${fileName}`}
        button={<ActionIcon {...optionsButton(fileName)} ref={target} loading={change.isPending} />}
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
              onClick: () => editedNote.set({ artifactId, fileName }),
            },
            {
              icon: archived ? IconArchiveOff : IconArchive,
              label: archived ? 'Un-Archive' : 'Archive',
              onClick: () => {
                // `mutate` would not call back if the row is unmounted by then.
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

interface RenameDialogProps {
  file: Artifact;
  opened: boolean;
  onClose: () => void;
}

/** The offset of a name's extension, which is not selected. */
const stemLength = (name: string): number => {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? dot : name.length;
};

function RenameDialog({ file, opened, onClose }: RenameDialogProps) {
  const { artifactId, artifactFileName: oldName } = file;
  const [name, setName] = useState(oldName);
  const rename = useAction(renameArtifact, {
    // Earlier answers show the new name too.
    onSuccess: (_data, _input, _before, { client }) => clearLists(client),
  });
  const newName = name.trim();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (newName === oldName) onClose();
    else if (newName !== '') {
      rename.mutate({ params: { artifactId }, body: { name: newName } }, { onSuccess: onClose });
    }
  };
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onEnterTransitionEnd={() => rename.reset()}
      title="Rename"
      size={440}
    >
      <form onSubmit={submit}>
        <TextInput
          label="Name"
          value={name}
          data-autofocus
          maxLength={255}
          error={rename.isError && messageOf(rename.error)}
          onFocus={({ target }) => target.setSelectionRange(0, stemLength(target.value))}
          onChange={({ target }) => setName(target.value)}
        />
        <DialogFoot>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={newName === ''} loading={rename.isPending}>
            Rename
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
