import { useHotkeys } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { DeleteDialogContext, type DeletionRequest } from '../artifacts/delete-dialog.ts';
import { deletionsOf } from '../artifacts/deletions.ts';

const DeleteDialog = lazy(async () => ({
  default: (await import('../features/files/components/delete-dialog.tsx')).DeleteDialog,
}));

/** The question before files are deleted, for the pages inside; Ctrl or ⌘ Z undoes the last deletion. */
export function LazyDeleteDialog({ children }: { children: ReactNode }) {
  const deletions = deletionsOf(useQueryClient());
  const [request, setRequest] = useState<DeletionRequest | null>(null);
  const [opened, setOpened] = useState(false);
  useHotkeys([['mod+Z', deletions.undoLast]]);
  const ask = (asked: DeletionRequest): void => {
    setRequest(asked);
    setOpened(true);
  };
  return (
    <DeleteDialogContext value={ask}>
      {children}
      {request && (
        <Suspense>
          <DeleteDialog
            opened={opened}
            request={request}
            onClose={() => setOpened(false)}
            onConfirm={() => {
              setOpened(false);
              deletions.add(request);
              request.onConfirmed?.();
            }}
          />
        </Suspense>
      )}
    </DeleteDialogContext>
  );
}
