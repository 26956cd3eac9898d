import { lazy, Suspense, useState, type ReactNode } from 'react';
import { DeleteDialogContext, type DeletionRequest } from '../artifacts/dialogs.ts';

const DeletionHost = lazy(async () => ({
  default: (await import('./deletion-host.tsx')).DeletionHost,
}));

/** Asks before files are deleted, for the pages inside. What deletes them loads with the first question. */
export function LazyDeleteDialog({ children }: { children: ReactNode }) {
  const [request, setRequest] = useState<DeletionRequest | null>(null);
  const [opened, setOpened] = useState(false);
  const ask = (asked: DeletionRequest): void => {
    setRequest(asked);
    setOpened(true);
  };
  return (
    <DeleteDialogContext value={ask}>
      {children}
      {request && (
        <Suspense>
          <DeletionHost request={request} opened={opened} onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </DeleteDialogContext>
  );
}
