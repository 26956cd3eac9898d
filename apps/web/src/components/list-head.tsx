import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface ListHeadProps {
  id: string;
  title: string;
  /** How many the list has. Not shown if 0 or undefined. */
  count?: number | undefined;
  /** Actions for the whole list. */
  children?: ReactNode;
}

export const ListHead = ({ id, title, count = 0, children }: ListHeadProps) => (
  <Group gap={8} mb={12}>
    <Text component="h2" id={id} fz="lg" fw={650}>
      {title}
    </Text>
    {count > 0 && (
      <Text span size="sm" c="dimmed">
        {count.toLocaleString('en-US')}
      </Text>
    )}
    {children}
  </Group>
);
