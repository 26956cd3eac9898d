import { Center, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  icon?: ReactNode;
  title: string;
  /** What to do next. */
  text: ReactNode;
  /** The button that does it. */
  action?: ReactNode;
  /** Whether it is a failure, which is said at once. */
  failed?: boolean;
}

/** Nothing is here yet, and what to do about it. */
export function EmptyState({ icon, title, text, action, failed = false }: EmptyStateProps) {
  const tone = failed ? 'danger' : 'accent';
  return (
    <Stack
      align="center"
      gap={8}
      px={24}
      py={56}
      ta="center"
      {...(failed ? { role: 'alert' } : {})}
    >
      {icon && (
        <Center
          w={52}
          h={52}
          mb={8}
          bdrs={14}
          bg={`var(--eg-${tone}-soft)`}
          c={`var(--eg-${tone})`}
          aria-hidden="true"
        >
          {icon}
        </Center>
      )}
      <Text component="h2" fz="lg" fw={650}>
        {title}
      </Text>
      <Text maw="46ch" mb={12} c="dimmed">
        {text}
      </Text>
      {action}
    </Stack>
  );
}
