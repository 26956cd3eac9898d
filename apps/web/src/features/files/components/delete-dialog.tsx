import { Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { deletionsOf } from '../../../artifacts/deletions.ts';
import { deleteDialog } from '../../../artifacts/dialogs.ts';
import { useStore } from '../../../browser/store.ts';
import { ConfirmModal } from '../../../components/confirm-modal.tsx';
import { shortenMiddle, plural } from '../../../format/format.ts';

/** Asks before files are deleted. Ctrl or ⌘ Z undoes the last deletion. */
export default function DeleteDialog({ opened }: { opened: boolean }) {
  const deletions = deletionsOf(useQueryClient());
  useHotkeys([['mod+Z', deletions.undoLast]]);
  const request = useStore(deleteDialog);
  const { artifactIds, name, elsewhere = 0, onClosed } = request;
  const close = (): void => deleteDialog.set({ ...request, opened: false });
  const isOne = artifactIds.length === 1;
  return (
    <ConfirmModal
      opened={opened}
      title="Confirm Delete"
      question={
        <>
          Are you sure you want to delete{' '}
          <Text span component="bdi" fw={600} title={name} style={{ overflowWrap: 'anywhere' }}>
            {name === undefined ? plural(artifactIds.length, 'file') : shortenMiddle(name, 60)}
          </Text>
          {elsewhere > 0 && `, ${elsewhere.toLocaleString('en-US')} of them on other pages`}?
        </>
      }
      yes="Delete"
      pending={false}
      onClose={close}
      onClosed={onClosed}
      onConfirm={() => {
        close();
        deletions.add(request);
        request.onConfirmed?.();
      }}
      consequence={`${isOne ? 'The file and its text are' : 'The files and their texts are'} deleted permanently. You can undo this for 10 seconds.`}
    />
  );
}
