import { Paper, Skeleton } from '@mantine/core';
import { Children, type ReactNode } from 'react';
import { ErrorState } from './empty-state.tsx';

interface LoadingBlocksProps {
  label: string;
  heights: readonly number[];
}

/** Blocks up to this height in pixels have one line. */
const ONE_LINE_HEIGHT = 56;

export const LoadingBlocks = ({ label, heights }: LoadingBlocksProps) => (
  <section aria-busy="true" aria-label={label}>
    {Children.map(heights, (height) => (
      <Paper h={height} mb={12} px={20} py={14} radius={14}>
        <Skeleton width="30%" height={12} />
        {height > ONE_LINE_HEIGHT && <Skeleton width="62%" height={10} mt={10} />}
      </Paper>
    ))}
  </section>
);

export interface LoadStateProps {
  call: { error: unknown; refetch: () => unknown };
  /** Such as 'your billing'. */
  what: string;
  /** The title if it fails, instead of 'Your billing could not be loaded'. */
  failed?: string;
  heights?: readonly number[];
  loading?: ReactNode;
}

export function LoadState({ call, what, failed, heights, loading }: LoadStateProps) {
  if (!call.error)
    return loading ?? <LoadingBlocks label={`Loading ${what}`} heights={heights ?? []} />;
  const title = failed ?? `${what.charAt(0).toUpperCase()}${what.slice(1)} could not be loaded`;
  return <ErrorState title={title} error={call.error} onRetry={call.refetch} />;
}
