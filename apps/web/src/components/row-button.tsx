import { UnstyledButton, type ElementProps, type UnstyledButtonProps } from '@mantine/core';
import classes from './row-button.module.css';

interface RowButtonProps
  extends UnstyledButtonProps, ElementProps<'button', keyof UnstyledButtonProps> {
  /** Whether its lines stand below each other, and a line parts it from the row above. */
  lined?: boolean;
}

/** A row of a list that is pressed as a whole; `aria-current` marks the one that is shown. */
export const RowButton = ({ lined = false, ...button }: RowButtonProps) => (
  <UnstyledButton className={classes.row ?? ''} data-lined={lined || undefined} {...button} />
);
