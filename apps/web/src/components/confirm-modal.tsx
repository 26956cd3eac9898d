import { Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';

interface ConfirmModalProps {
  opened: boolean;
  title: string;
  question: ReactNode;
  /** What follows from a yes. */
  consequence: ReactNode;
  yes: string;
  no?: string;
  /** False while a yes still needs something. */
  ready?: boolean;
  pending: boolean;
  onClose: () => void;
  onConfirm: () => void;
  /** What a yes needs, and why it failed, where it did. */
  children?: ReactNode;
  /** False where whoever opens it gives the focus back. */
  returnFocus?: boolean;
  /** Called when nothing of the dialog is left. */
  onClosed?: () => void;
}

/** Asks before something is done that cannot be taken back; cannot be left while it is being done. */
export function ConfirmModal(props: ConfirmModalProps) {
  const { opened, title, question, consequence, pending, children } = props;
  const { yes, no = 'Cancel', ready = true } = props;
  return (
    <Dialog
      opened={opened}
      onClose={props.onClose}
      {...(props.onClosed ? { onExitTransitionEnd: props.onClosed } : {})}
      title={title}
      size={440}
      returnFocus={props.returnFocus ?? true}
      locked={pending}
      actions={
        <>
          <Button variant="default" disabled={pending} onClick={props.onClose} data-autofocus>
            {no}
          </Button>
          <Button color="red" disabled={!ready} loading={pending} onClick={props.onConfirm}>
            {yes}
          </Button>
        </>
      }
    >
      <Text>{question}</Text>
      <Text mt={6} size="sm" c="dimmed">
        {consequence}
      </Text>
      {children}
    </Dialog>
  );
}
