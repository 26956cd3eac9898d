import { Button, Text, type ButtonProps } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { FailureNote } from './notice.tsx';

interface ConfirmModalProps {
  opened: boolean;
  title: string;
  question: ReactNode;
  consequence: ReactNode;
  yes: string;
  no?: string;
  color?: string;
  /** False while confirming is not possible yet. */
  ready?: boolean;
  pending: boolean;
  onClose: () => void;
  onConfirm: () => void;
  children?: ReactNode;
  /** False if the caller returns the focus. */
  returnFocus?: boolean;
  onClosed?: () => void;
}

/** Asks before an irreversible action. It cannot be closed while the action is pending. */
export function ConfirmModal(props: ConfirmModalProps) {
  const { opened, title, question, consequence, pending, children } = props;
  const { yes, no = 'Cancel', color = 'red', ready = true } = props;
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
          <Button color={color} disabled={!ready} loading={pending} onClick={props.onConfirm}>
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

interface ConfirmActionProps<Input> extends Omit<ConfirmModalProps, 'pending' | 'onConfirm'> {
  action: UseMutationResult<unknown, Error, Input>;
  input: Input;
  /** The failure as a sentence. Without it, the children show errors. */
  failure?: string;
  advice?: string;
  onDone?: () => void;
}

/** Confirms an action in a dialog, which closes once the action has succeeded. */
export function ConfirmAction<Input>(props: ConfirmActionProps<Input>) {
  const { action, input, failure, advice, onClose, onDone, children, ...modal } = props;
  const close = (): void => {
    action.reset();
    onClose();
  };
  // `mutate` would not call back if the button is removed with the deleted object.
  const confirm = (): void =>
    void action.mutateAsync(input).then(
      () => {
        close();
        onDone?.();
      },
      () => undefined,
    );
  return (
    <ConfirmModal {...modal} pending={action.isPending} onClose={close} onConfirm={confirm}>
      {children}
      {failure && <FailureNote title={failure} error={action.error} {...(advice && { advice })} />}
    </ConfirmModal>
  );
}

interface ConfirmButtonProps<Input> extends Omit<ConfirmActionProps<Input>, 'opened' | 'onClose'> {
  label: string;
  accessibleLabel?: string;
  button?: ButtonProps;
}

/** A button whose action is confirmed. */
export function ConfirmButton<Input>(props: ConfirmButtonProps<Input>) {
  const { label, accessibleLabel = label, button, ...dialog } = props;
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button
        variant="light"
        color="red"
        {...button}
        aria-label={accessibleLabel}
        onClick={() => setOpened(true)}
      >
        {label}
      </Button>
      <ConfirmAction {...dialog} opened={opened} onClose={() => setOpened(false)} />
    </>
  );
}
