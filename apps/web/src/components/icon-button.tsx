import { ActionIcon, Tooltip, type ActionIconProps, type ElementProps } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';

interface IconButtonProps
  extends ActionIconProps, ElementProps<'button', keyof ActionIconProps | 'aria-label' | 'title'> {
  label: string;
  tooltip?: string;
  icon: Icon;
  iconSize?: number;
  /** Whether the tooltip also opens by touch. */
  touch?: boolean;
}

export const IconButton = ({
  label,
  tooltip = label,
  icon: Shown,
  iconSize = 18,
  // On touch screens a tooltip would stay open after a press.
  touch = false,
  ...button
}: IconButtonProps) => (
  <Tooltip label={tooltip} maw={300} events={{ hover: true, focus: true, touch }}>
    <ActionIcon
      variant="subtle"
      color="gray"
      size="var(--eg-control)"
      aria-label={label}
      {...(button.disabled ? { bg: 'transparent' } : {})}
      {...button}
    >
      <Shown size={iconSize} stroke={1.8} aria-hidden="true" />
    </ActionIcon>
  </Tooltip>
);
