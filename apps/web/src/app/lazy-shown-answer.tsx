import { Skeleton, Stack } from '@mantine/core';
import { lazyPart } from '../components/lazy-part.tsx';

export const AnswerSkeleton = () => (
  <Stack component="section" miw={0} gap={24} aria-busy="true" aria-label="Loading the answer">
    <Skeleton height={16} width={240} />
    <Skeleton height={42} width="70%" radius={14} />
    <Skeleton height={16} />
    <Skeleton height={16} width="85%" />
    <Skeleton height={110} radius={12} />
  </Stack>
);

/** Loads the code that shows answers. Pages without an answer do not need it. */
export const loadShownAnswer = () => import('./shown-answer.tsx');

export const LazyShownAnswer = lazyPart(loadShownAnswer, <AnswerSkeleton />);

export const LazyMissingAnswer = lazyPart(
  async () => ({ default: (await loadShownAnswer()).MissingAnswer }),
  <AnswerSkeleton />,
);

export const LazyAskedFrom = lazyPart(async () => {
  const loading = import('../features/location/components/asked-from.tsx');
  await loadShownAnswer();
  return loading;
});
