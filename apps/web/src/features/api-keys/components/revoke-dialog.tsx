import type { ApiKey } from '@engram/contract';
import { useState } from 'react';
import { useRevokeApiKey } from '../api.ts';
import { ConfirmModal } from '../../../components/confirm-modal.tsx';
import { Notice } from '../../../components/notice.tsx';
import { notifySuccess } from '../../../components/notify.ts';
import { failureReason } from '../failure-reason.ts';

interface RevokeDialogProps {
  /** The key that shall go; null closes the dialog. */
  apiKey: ApiKey | null;
  onClose: () => void;
  onRevoked: () => void;
}

/** Asks before a key is revoked, which cannot be taken back. */
export function RevokeDialog({ apiKey, onClose, onRevoked }: RevokeDialogProps) {
  const revoke = useRevokeApiKey();
  const [revoked, setRevoked] = useState(false);
  // The dialog keeps its words while it goes.
  const [asked, setAsked] = useState(apiKey);
  if (apiKey && apiKey !== asked) setAsked(apiKey);
  const close = (): void => {
    revoke.reset();
    onClose();
  };
  const confirm = ({ id }: ApiKey): void =>
    revoke.mutate(
      { params: { id } },
      {
        onSuccess: () => {
          notifySuccess('Revoked API successfully');
          setRevoked(true);
          close();
        },
      },
    );
  return (
    <ConfirmModal
      opened={apiKey !== null}
      title="Revoke API key"
      question={`Programs that use “${asked?.name ?? ''}” can no longer reach your Engram from the moment you revoke it.`}
      consequence="This cannot be undone; you can make a new key at any time."
      yes="Revoke"
      pending={revoke.isPending}
      onClose={close}
      onConfirm={() => apiKey && confirm(apiKey)}
      returnFocus={!revoked}
      onClosed={() => {
        if (revoked) onRevoked();
        setRevoked(false);
      }}
    >
      {revoke.isError && (
        <Notice tone="danger" mt={16} live="alert">
          <strong>Failed to revoke API key. Please try again.</strong> {failureReason(revoke.error)}
        </Notice>
      )}
    </ConfirmModal>
  );
}
