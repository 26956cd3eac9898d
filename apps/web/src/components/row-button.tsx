import { UnstyledButton, type ElementProps, type UnstyledButtonProps } from '@mantine/core';
import classes from './row-button.module.css';

type RowButtonProps = UnstyledButtonProps & ElementProps<'button', keyof UnstyledButtonProps>;

/** A row of a list that is pressed as a whole; `aria-current` marks the one that is shown. */
export function RowButton({ className, ...button }: RowButtonProps) {
  return <UnstyledButton className={`${classes.row} ${className}`} {...button} />;
}
