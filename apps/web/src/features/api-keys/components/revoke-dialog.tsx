import type { ApiKey } from '@engram/contract';
import { Button, Group, Modal } from '@mantine/core';
import { useState } from 'react';
import { notifySuccess } from '../../../lib/notify.ts';
import { useRevokeApiKey } from '../api/revoke-api-key.ts';
import { failureReason } from '../failure-reason.ts';
import classes from './new-key-dialog.module.css';

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
  const busy = revoke.isPending;
  const close = (): void => {
    revoke.reset();
    onClose();
  };
  const confirm = ({ id }: ApiKey): void =>
    revoke.mutate(id, {
      onSuccess: () => {
        notifySuccess('Revoked API successfully');
        setRevoked(true);
        close();
      },
    });
  return (
    <Modal
      opened={apiKey !== null}
      onClose={close}
      title="Revoke API key"
      size={440}
      returnFocus={!revoked}
      closeOnClickOutside={!busy}
      closeOnEscape={!busy}
      withCloseButton={!busy}
      onExitTransitionEnd={() => {
        if (revoked) onRevoked();
        setRevoked(false);
      }}
    >
      {apiKey && (
        <>
          <p className={classes.lead}>
            Programs that use “{apiKey.name}” can no longer reach your Engram from the moment you
            revoke it. This cannot be undone; you can make a new key at any time.
          </p>
          {revoke.isError && (
            <p className={classes.failure} role="alert">
              <strong>Failed to revoke API key. Please try again.</strong>{' '}
              {failureReason(revoke.error)}
            </p>
          )}
          <Group justify="flex-end" gap={8} mt={20}>
            <Button variant="default" disabled={busy} onClick={close} data-autofocus>
              Cancel
            </Button>
            <Button color="red" loading={busy} onClick={() => confirm(apiKey)}>
              Revoke
            </Button>
          </Group>
        </>
      )}
    </Modal>
  );
}
