import { lazyPart } from '../components/lazy-part.tsx';
import { AnswerSkeleton } from '../features/search/components/answer-skeleton.tsx';

/** Loads the code that shows answers. Pages without an answer do not need it. */
export const loadShownAnswer = () => import('./shown-answer.tsx');

/** An answer with its sources. */
export const LazyShownAnswer = lazyPart(
  async () => (await loadShownAnswer()).default,
  <AnswerSkeleton />,
);

/** In place of an answer that cannot be shown. */
export const LazyMissingAnswer = lazyPart(
  async () => (await loadShownAnswer()).MissingAnswer,
  <AnswerSkeleton />,
);

/** On which device and where a question was asked. It appears together with the answer above it. */
export const LazyAskedFrom = lazyPart(async () => {
  const loading = import('../features/location/components/asked-from.tsx');
  await loadShownAnswer();
  return (await loading).AskedFrom;
});
