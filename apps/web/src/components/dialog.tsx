import { Box, Group, Modal, type ModalProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMounted } from '@mantine/hooks';
import classes from './dialog.module.css';

interface DialogProps extends ModalProps {
  locked?: boolean;
  actions?: ReactNode;
}

const transitionProps = {
  duration: 300,
  transition: {
    in: { opacity: 1, transform: 'none' },
    out: { opacity: 0, transform: 'var(--dialog-closed)' },
    transitionProperty: 'transform, opacity',
  },
};

const lockedProps = { closeOnClickOutside: false, closeOnEscape: false, withCloseButton: false };

export const Dialog = ({ opened, locked = false, actions, children, ...modal }: DialogProps) => (
  <Modal
    // A dialog loaded on demand is mounted closed, since Mantine stores the focus only on opening.
    opened={useMounted() && opened}
    classNames={classes}
    transitionProps={transitionProps}
    {...modal}
    {...(locked ? lockedProps : {})}
  >
    {children}
    {actions && <DialogFoot>{actions}</DialogFoot>}
  </Modal>
);

export const DialogFoot = ({ words, children }: { words?: ReactNode; children: ReactNode }) => (
  <Group justify="flex-end" gap={8} mt={22}>
    {words && <Box flex={1}>{words}</Box>}
    {children}
  </Group>
);
