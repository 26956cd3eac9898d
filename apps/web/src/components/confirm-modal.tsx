import { Button, Text, type ButtonProps } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { FailureNote } from './notice.tsx';

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

interface ConfirmActionProps<Input> extends Omit<ConfirmModalProps, 'pending' | 'onConfirm'> {
  action: UseMutationResult<unknown, Error, Input>;
  input: Input;
  /** What failed, as a sentence; without it, the children show a failure. */
  failure?: string;
  /** What to do after a failure, if there is more to say than about any error. */
  advice?: string;
  onDone?: () => void;
}

/** Asks before an action, runs it, and closes when it has succeeded. A failure is shown in the dialog. */
export function ConfirmAction<Input>(props: ConfirmActionProps<Input>) {
  const { action, input, failure, advice, onDone, onClose, children, ...modal } = props;
  const { error } = action;
  const close = (): void => {
    action.reset();
    onClose();
  };
  const confirm = (): void =>
    action.mutate(input, {
      onSuccess() {
        close();
        onDone?.();
      },
    });
  return (
    <ConfirmModal {...modal} pending={action.isPending} onClose={close} onConfirm={confirm}>
      {children}
      {error && failure && (
        <FailureNote title={failure} error={error} {...(advice && { advice })} />
      )}
    </ConfirmModal>
  );
}

interface ConfirmButtonProps<Input> extends Omit<ConfirmActionProps<Input>, 'opened' | 'onClose'> {
  label: string;
  /** Names the button where its label alone does not. */
  accessibleLabel?: string;
  button?: ButtonProps;
}

/** A button whose action is confirmed in a dialog. */
export function ConfirmButton<Input>(props: ConfirmButtonProps<Input>) {
  const { label, accessibleLabel = label, button, ...action } = props;
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button
        variant="light"
        color="red"
        size="sm"
        {...button}
        aria-label={accessibleLabel}
        onClick={() => setOpened(true)}
      >
        {label}
      </Button>
      <ConfirmAction {...action} opened={opened} onClose={() => setOpened(false)} />
    </>
  );
}
