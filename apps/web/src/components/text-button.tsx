import { Anchor, type AnchorProps, type ElementProps } from '@mantine/core';
import classes from './text-button.module.css';

type TextButtonProps = AnchorProps & ElementProps<'button', keyof AnchorProps>;

/** A button among words, in their size and colour. */
export const TextButton = (button: TextButtonProps) => (
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
