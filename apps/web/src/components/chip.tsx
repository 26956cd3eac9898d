import { UnstyledButton, type ElementProps, type UnstyledButtonProps } from '@mantine/core';
import classes from './chip.module.css';

type ChipProps = UnstyledButtonProps & ElementProps<'button', keyof UnstyledButtonProps>;

/** A small rounded button: a choice, or with `aria-pressed` something switched on and off. */
export const Chip = (button: ChipProps) => (
  <UnstyledButton className={classes.chip ?? ''} {...button} />
);
