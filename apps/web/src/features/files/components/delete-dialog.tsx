import { Text } from '@mantine/core';
import type { DeletionRequest } from '../../../artifacts/dialogs.ts';
import { ConfirmModal } from '../../../components/confirm-modal.tsx';
import { middleCut, plural } from '../../../format/format.ts';

interface DeleteDialogProps {
  opened: boolean;
  /** What is asked about; the dialog keeps its words while it closes. */
  request: DeletionRequest;
  onClose: () => void;
  onConfirm: () => void;
}

/** Asks before one or several files are deleted. */
export function DeleteDialog({ opened, request, onClose, onConfirm }: DeleteDialogProps) {
  const { artifactIds, name, elsewhere = 0, onClosed } = request;
  const isOne = artifactIds.length === 1;
  return (
    <ConfirmModal
      opened={opened}
      title="Confirm Delete"
      question={
        <>
          Are you sure you want to delete{' '}
          <Text span component="bdi" fw={600} title={name} style={{ overflowWrap: 'anywhere' }}>
            {name === undefined ? plural(artifactIds.length, 'file') : middleCut(name, 60)}
          </Text>
          {elsewhere > 0 && `, ${elsewhere.toLocaleString('en-US')} of them on other pages`}?
        </>
      }
      yes="Delete"
      pending={false}
      onClose={onClose}
      onClosed={onClosed}
      onConfirm={onConfirm}
      consequence={`${isOne ? 'The file and its text are' : 'The files and their texts are'} deleted permanently. You can undo this for 10 seconds.`}
    />
  );
}
