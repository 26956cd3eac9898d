import { Skeleton, Stack } from '@mantine/core';

/** The outline of an answer that is being fetched. */
export function AnswerSkeleton() {
  return (
    <Stack component="section" miw={0} gap={24} aria-busy="true" aria-label="Loading the answer">
      <Skeleton height={16} width={240} />
      <Skeleton height={42} width="70%" radius={14} />
      <Skeleton height={16} />
      <Skeleton height={16} width="85%" />
      <Skeleton height={110} radius={12} />
    </Stack>
  );
}
