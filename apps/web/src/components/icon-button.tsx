import { ActionIcon, Tooltip, type ActionIconProps, type ElementProps } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';

interface IconButtonProps
  extends ActionIconProps, ElementProps<'button', keyof ActionIconProps | 'aria-label' | 'title'> {
  /** Names the button for those who do not see it. */
  label: string;
  /** Shown beside the pointer and on focus; the label where it is left out. */
  tooltip?: string;
  icon: Icon;
  iconSize?: number;
}

// A finger that presses would leave the tooltip open.
const events = { hover: true, focus: true, touch: false };

/** A button that shows an icon only: its name stands in a tooltip. */
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
