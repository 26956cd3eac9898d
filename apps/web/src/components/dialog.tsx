import { Box, Group, Modal, type ModalProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useOpened } from '../browser/use-opened.ts';
import classes from './dialog.module.css';

interface DialogProps extends ModalProps {
  /** Whether it cannot be left, as something is being done or has to be said first. */
  locked?: boolean;
  /** The buttons at its foot. */
  actions?: ReactNode;
}

/** Comes from below on phones, and grows in the middle of all other screens. */
const transitionProps = {
  duration: 300,
  transition: {
    in: { opacity: 1, transform: 'none' },
    out: { opacity: 0, transform: 'var(--dialog-gone)' },
    transitionProperty: 'transform, opacity',
  },
};

const held = { closeOnClickOutside: false, closeOnEscape: false, withCloseButton: false };

/** One matter over the page: its title, its words and, at its foot, what can be done about it. */
export function Dialog({ opened, locked = false, actions, children, ...modal }: DialogProps) {
  return (
    <Modal
      opened={useOpened(opened)}
      classNames={classes}
      transitionProps={transitionProps}
      {...modal}
      {...(locked ? held : {})}
    >
      {children}
      {actions && <DialogFoot>{actions}</DialogFoot>}
    </Modal>
  );
}

interface DialogFootProps {
  /** Stands on the left. */
  words?: ReactNode;
  children: ReactNode;
}

/** The buttons at the foot of a dialog, for one whose form holds them. */
export const DialogFoot = ({ words, children }: DialogFootProps) => (
  <Group justify="flex-end" gap={8} mt={22}>
    {words && <Box flex={1}>{words}</Box>}
    {children}
  </Group>
);
