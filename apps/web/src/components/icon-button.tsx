import { ActionIcon, Tooltip, type ActionIconProps, type ElementProps } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';

interface IconButtonProps
  extends ActionIconProps, ElementProps<'button', keyof ActionIconProps | 'aria-label' | 'title'> {
  label: string;
  /** The label by default. */
  tooltip?: string;
  icon: Icon;
  iconSize?: number;
}

// On touch screens a tooltip would stay open after a press.
const events = { hover: true, focus: true, touch: false };

/** A button with an icon, named by its tooltip. */
export function IconButton({
  label,
  tooltip = label,
  icon: Shown,
  iconSize = 18,
  ...button
}: IconButtonProps) {
  return (
    <Tooltip label={tooltip} events={events}>
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
}
