import { Skeleton } from '@mantine/core';

interface LoadingBlocksProps {
  /** What is being loaded, such as 'Loading your billing'. */
  label: string;
  /** Pixels of each block. */
  heights: readonly number[];
}

/** Stands where blocks will stand when they are loaded. */
export function LoadingBlocks({ label, heights }: LoadingBlocksProps) {
  return (
    <section aria-busy="true" aria-label={label}>
      {heights.map((height, at) => {
        const key = `${at} ${height}`;
        return <Skeleton key={key} height={height} radius={12} mb={16} />;
      })}
    </section>
  );
}
