import { ActionIcon, type ActionIconProps, type ElementProps, UnstyledButton } from '@mantine/core';
import { IconDots, IconPlus } from '@tabler/icons-react';
import type { Ref } from 'react';
import classes from './keyword-cell.module.css';

type OptionsButtonProps = ActionIconProps &
  ElementProps<'button', keyof ActionIconProps> & {
    /** The file's name. */
    name: string;
    ref?: Ref<HTMLButtonElement>;
  };

/** Opens what can be done with a file. */
export const OptionsButton = ({ name, ...props }: OptionsButtonProps) => (
  <ActionIcon
    variant="subtle"
    color="gray"
    size={34}
    aria-label={`Options for ${name}`}
    aria-haspopup="menu"
    {...props}
  >
    <IconDots size={18} stroke={1.7} />
  </ActionIcon>
);

type ButtonProps = ElementProps<'button', 'children'> & {
  /** The file's name. */
  name: string;
};

/** Opens the keywords that are not shown. */
export const MoreButton = ({ name, count, ...props }: ButtonProps & { count: number }) => (
  <UnstyledButton
    aria-label={`More keywords of ${name}: ${count}`}
    aria-haspopup="menu"
    {...props}
    className={classes.more ?? ''}
  >
    +{count}
  </UnstyledButton>
);

/** Opens the list of keywords to choose from. */
export const AddButton = ({ name, ...props }: ButtonProps) => (
  <UnstyledButton
    aria-label={`Add a keyword to ${name}`}
    aria-haspopup="listbox"
    {...props}
    // Last: what opens a popover hands down a class of its own.
    className={classes.add ?? ''}
  >
    <IconPlus size={14} stroke={2} />
  </UnstyledButton>
);
