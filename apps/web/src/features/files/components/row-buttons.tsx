import { ActionIcon, type ActionIconProps, type ElementProps } from '@mantine/core';
import { IconDots, IconPlus } from '@tabler/icons-react';
import type { Ref } from 'react';

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

type ButtonProps = ElementProps<'button', 'children' | 'color' | 'style'> & {
  /** The file's name. */
  name: string;
};

/** Opens the keywords that are not shown. */
export const MoreButton = ({ name, count, ...props }: ButtonProps & { count: number }) => (
  <ActionIcon
    variant="light"
    size={26}
    w="auto"
    px={7}
    radius="xl"
    fz="xs"
    fw={600}
    aria-label={`More keywords of ${name}: ${count}`}
    aria-haspopup="menu"
    {...props}
  >
    +{count}
  </ActionIcon>
);

/** Opens the list of keywords to choose from. */
export const AddButton = ({ name, ...props }: ButtonProps) => (
  <ActionIcon
    variant="subtle"
    color="gray"
    size={26}
    radius="xl"
    bd="1px dashed var(--eg-line-strong)"
    aria-label={`Add a keyword to ${name}`}
    aria-haspopup="listbox"
    {...props}
  >
    <IconPlus size={14} stroke={2} />
  </ActionIcon>
);
