import { Button, TextInput } from '@mantine/core';
import type { Artifact } from '@engram/contract';
import { renameArtifact } from '@engram/contract/browser';
import { useState, type FormEvent } from 'react';
import { useAction } from '../../../api/use-action.ts';
import { forgetLists } from '../../../artifacts/actions.ts';
import { Dialog, DialogFoot } from '../../../components/dialog.tsx';
import { messageOf } from '../../../components/notify.ts';

interface RenameDialogProps {
  file: Artifact;
  opened: boolean;
  onClose: () => void;
}

/** Where a name's extension begins, which is not selected. */
const endOfStem = (name: string): number => {
  const at = name.lastIndexOf('.');
  return at > 0 ? at : name.length;
};

export function RenameDialog({ file, opened, onClose }: RenameDialogProps) {
  const { artifactId, artifactFileName: before } = file;
  const [name, setName] = useState(before);
  const rename = useAction(renameArtifact, {
    // Earlier answers show the new name too.
    onSuccess: (_data, _input, _before, { client }) => forgetLists(client),
  });
  const wanted = name.trim();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (wanted === before) onClose();
    else if (wanted !== '') {
      rename.mutate({ params: { artifactId }, body: { name: wanted } }, { onSuccess: onClose });
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
          onFocus={({ target }) => target.setSelectionRange(0, endOfStem(target.value))}
          onChange={({ target }) => setName(target.value)}
        />
        <DialogFoot>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={wanted === ''} loading={rename.isPending}>
            Rename
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
