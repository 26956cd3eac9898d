import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import type { NewApiKey } from '../api.ts';
import { CopyField } from '../../../components/copy-field.tsx';
import { Dialog, DialogFoot } from '../../../components/dialog.tsx';
import { notifyError } from '../../../components/notify.ts';

interface NewKeyDialogProps {
  /** The key that was made; null closes the dialog. */
  made: NewApiKey | null;
  onClose: () => void;
}

/** Shows a new key once. A click beside the dialog does not close it, as that would lose the key. */
export function NewKeyDialog({ made, onClose }: NewKeyDialogProps) {
  return (
    <Dialog
      opened={made !== null}
      onClose={onClose}
      title="Your new API key"
      size={560}
      closeOnClickOutside={false}
    >
      {made && <NewKey made={made} onClose={onClose} />}
    </Dialog>
  );
}

function NewKey({ made, onClose }: { made: NewApiKey; onClose: () => void }) {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(made.apiKey);
      setCopied(true);
    } catch {
      notifyError(
        'The key was not copied',
        new Error('Your browser does not let this page copy. Select the key and copy it yourself.'),
      );
    }
  };
  return (
    <>
      <Text mb={16} c="dimmed">
        Copy “{made.name}” now and keep it like a password. Engram stores only a hash of it, so it
        cannot be shown again.
      </Text>
      <CopyField label="API key" value={made.apiKey} copied={copied} onCopy={() => void copy()} />
      <DialogFoot
        words={
          <Text component="output" c="green" fw={600}>
            {copied && 'API Key Copied!'}
          </Text>
        }
      >
        <Button variant="default" onClick={onClose}>
          Done
        </Button>
      </DialogFoot>
    </>
  );
}
