import classes from './buttons.module.css';
import {
  UnstyledButton,
  type ElementProps,
  type UnstyledButtonProps,
  Anchor,
  type AnchorProps,
} from '@mantine/core';

/** An entry of a menu or navigation, as a button or a link. `aria-current` marks the current one. */
export const Entry = UnstyledButton.withProps({ className: classes.entry ?? '' });

type ButtonProps = UnstyledButtonProps & ElementProps<'button', keyof UnstyledButtonProps>;

export const Chip = (button: ButtonProps) => (
  <UnstyledButton className={classes.chip ?? ''} {...button} />
);

interface RowButtonProps extends ButtonProps {
  /** Puts its lines below each other, with a hairline above the row. */
  lined?: boolean;
}

export const RowButton = ({ lined = false, ...button }: RowButtonProps) => (
  <UnstyledButton className={classes.row ?? ''} data-lined={lined || undefined} {...button} />
);

export const TextButton = (button: AnchorProps & ElementProps<'button', keyof AnchorProps>) => (
  <Anchor
    component="button"
    type="button"
    className={classes.text ?? ''}
    inherit
    c="inherit"
    fw={600}
    underline="always"
    {...button}
  />
);
