import { Button, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { CopyField } from './copy-field.tsx';
import { Dialog, DialogFoot } from './dialog.tsx';
import { copyText } from './notify.ts';

interface SecretDialogProps {
  title: string;
  label: string;
  /** Null while the dialog is closed. */
  secret: string | null;
  /** Shown after copying. */
  copied: string;
  /** The title if copying fails. */
  failed: string;
  onClose: () => void;
  children: ReactNode;
}

/** Shows a secret once. A click outside does not close it, as the secret would be lost. */
export function SecretDialog(props: SecretDialogProps) {
  const { title, label, secret, copied, failed, onClose, children } = props;
  const [copiedSecret, setCopiedSecret] = useState<string | null>(null);
  const isCopied = secret !== null && copiedSecret === secret;
  const copy = async (value: string): Promise<void> => {
    if (await copyText(value, { failed })) setCopiedSecret(value);
  };
  return (
    <Dialog
      opened={secret !== null}
      onClose={onClose}
      title={title}
      size={560}
      closeOnClickOutside={false}
    >
      {secret !== null && (
        <>
          <Text mb={16} c="dimmed">
            {children}
          </Text>
          <CopyField
            label={label}
            value={secret}
            copied={isCopied}
            onCopy={() => void copy(secret)}
          />
          <DialogFoot
            words={
              <Text component="output" c="green" fw={600}>
                {isCopied && copied}
              </Text>
            }
          >
            <Button variant="default" onClick={onClose}>
              Done
            </Button>
          </DialogFoot>
        </>
      )}
    </Dialog>
  );
}
