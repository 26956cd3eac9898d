import { useHotkeys } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import type { DeletionRequest } from '../artifacts/dialogs.ts';
import { deletionsOf } from '../artifacts/deletions.ts';
import { DeleteDialog } from '../features/files/components/delete-dialog.tsx';

interface DeletionHostProps {
  request: DeletionRequest;
  opened: boolean;
  onClose: () => void;
}

/** Asks before files are deleted. Ctrl or ⌘ Z undoes the last deletion. */
export function DeletionHost({ request, opened, onClose }: DeletionHostProps) {
  const deletions = deletionsOf(useQueryClient());
  useHotkeys([['mod+Z', deletions.undoLast]]);
  return (
    <DeleteDialog
      opened={opened}
      request={request}
      onClose={onClose}
      onConfirm={() => {
        onClose();
        deletions.add(request);
        request.onConfirmed?.();
      }}
    />
  );
}
