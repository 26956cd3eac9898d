import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface ListHeadProps {
  /** By which the list names itself. */
  id: string;
  title: string;
  /** How many it holds; 0 and undefined are not said. */
  count?: number | undefined;
  /** What can be done with all of it. */
  children?: ReactNode;
}

/** The heading of a list, with how many it holds. */
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
