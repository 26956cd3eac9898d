import { ApiError } from '@engram/client';
import { Center, Stack, Text, Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconAlertTriangle } from '@tabler/icons-react';
import { messageOf } from './notify.ts';

interface EmptyStateProps {
  icon?: ReactNode;
  title: string;
  text: ReactNode;
  action?: ReactNode;
  failed?: boolean;
}

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

interface ErrorStateProps {
  title: string;
  error: unknown;
  onRetry?: () => unknown;
  /** Shown if the server does not have the object. */
  missing?: Pick<EmptyStateProps, 'icon' | 'title' | 'text'>;
  children?: ReactNode;
}

export function ErrorState({ title, error, onRetry, missing, children }: ErrorStateProps) {
  if (missing && error instanceof ApiError && [400, 404].includes(error.status)) {
    return <EmptyState {...missing} />;
  }
  return (
    <>
      <EmptyState
        failed
        icon={<IconAlertTriangle size={22} stroke={1.6} />}
        title={title}
        text={messageOf(error)}
        action={
          onRetry && (
            <Button variant="default" onClick={() => void onRetry()}>
              Try again
            </Button>
          )
        }
      />
      {children}
    </>
  );
}
