import { ApiError } from '@engram/client';
import { Skeleton, Stack } from '@mantine/core';
import { IconFileOff } from '@tabler/icons-react';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import classes from './viewer.module.css';

/** Lines of text that are still to come. */
export function ViewerSkeleton() {
  return (
    <Stack component="section" gap={14} p={32} aria-busy="true" aria-label="Loading the file">
      {['92%', '97%', '88%', '95%', '40%', '93%', '90%', '60%'].map((width) => (
        <Skeleton key={width} height={14} width={width} />
      ))}
    </Stack>
  );
}

interface ViewerFailureProps {
  error: unknown;
  quote: string;
  onRetry: () => void;
}

/** Why a file cannot be shown. A file that was deleted stays so: there is nothing to try again. */
export function ViewerFailure({ error, quote, onRetry }: ViewerFailureProps) {
  if (error instanceof ApiError && error.status === 404) {
    return (
      <EmptyState
        icon={<IconFileOff size={24} stroke={1.6} />}
        title="This file was deleted"
        text="It was there when the answer was given. Ask again to get an answer from the files you have now."
      />
    );
  }
  return (
    <>
      <ErrorState title="The file could not be opened" error={error} onRetry={onRetry} />
      {quote !== '' && <blockquote className={classes.quote}>{quote}</blockquote>}
    </>
  );
}
