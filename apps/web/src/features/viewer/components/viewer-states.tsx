import { ApiError } from '@engram/client';
import { Skeleton, Stack } from '@mantine/core';
import { IconFileOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Prose } from '../../../components/prose.tsx';

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

/** Says above a file what is not shown of it as it should be. */
export const ViewerNote = ({ children }: { children: ReactNode }) => (
  <Notice tone="warning" live="status" flex="none" bdrs={0}>
    {children}
  </Notice>
);

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
      {quote !== '' && (
        <Prose maw="62ch" mx="auto" px={16}>
          <blockquote>{quote}</blockquote>
        </Prose>
      )}
    </>
  );
}
