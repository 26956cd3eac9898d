import { Box, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Chip } from '../../../components/chip.tsx';

interface ChipGroupProps {
  heading: string;
  children: ReactNode;
  centered?: boolean;
}

/** A quiet heading with chips below it. */
export function ChipGroup({ heading, centered = false, children }: ChipGroupProps) {
  return (
    <Box component="section" miw={0} data-screen-only aria-label={heading}>
      <Text component="h2" ta={centered ? 'center' : 'start'} mb={10} size="sm" fw={600} c="dimmed">
        {heading}
      </Text>
      <Group component="ul" justify={centered ? 'center' : 'flex-start'} gap={8}>
        {children}
      </Group>
    </Box>
  );
}

interface ChipItemProps {
  children: ReactNode;
  onClick: () => void;
  /** Given for a chip that is switched on and off. */
  pressed?: boolean;
  accent?: boolean;
  /** Stands before the text. */
  icon?: ReactNode;
  /** Says more than the text does. */
  title?: string;
}

export function ChipItem({ children, onClick, pressed, accent, icon, title }: ChipItemProps) {
  return (
    <Box component="li" maw="100%">
      <Chip
        data-accent={accent || undefined}
        aria-pressed={pressed}
        title={title}
        onClick={onClick}
      >
        {icon}
        {children}
      </Chip>
    </Box>
  );
}
