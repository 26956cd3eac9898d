import { lazy, Suspense } from 'react';
import type { Dialog } from '../use-dialog.ts';

const DeleteAccountModal = lazy(async () => ({
  default: (await import('./delete-account-modal.tsx')).DeleteAccountModal,
}));

/** The delete-account modal, loaded when it is first asked for. */
export function LazyDeleteAccountModal({ dialog }: { dialog: Dialog }) {
  return (
    dialog.wasOpened && (
      <Suspense>
        <DeleteAccountModal opened={dialog.opened} onClose={dialog.close} />
      </Suspense>
    )
  );
}
