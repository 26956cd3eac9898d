import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { EmptyState } from './empty-state.tsx';
import { messageOf } from './notify.ts';

interface ErrorStateProps {
  /** What failed, such as 'Your files could not be loaded.' */
  title: string;
  error: unknown;
  onRetry?: () => void;
}

/** Something could not be loaded: what, why, and a way to try again. */
export function ErrorState({ title, error, onRetry }: ErrorStateProps) {
  return (
    <EmptyState
      failed
      icon={<IconAlertTriangle size={22} stroke={1.6} />}
      title={title}
      text={messageOf(error)}
      action={
        onRetry && (
          <Button variant="default" onClick={onRetry}>
            Try again
          </Button>
        )
      }
    />
  );
}
