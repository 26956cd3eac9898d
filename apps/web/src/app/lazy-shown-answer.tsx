import { lazy, Suspense, type ComponentProps } from 'react';
import { AnswerSkeleton } from '../features/search/components/answer-skeleton.tsx';

/** Fetches what shows answers; the page without one does not need it. */
export const loadShownAnswer = () => import('./shown-answer.tsx');

const ShownAnswer = lazy(loadShownAnswer);
// It stands below the answer, and comes with it rather than before.
const AskedFrom = lazy(async () => {
  const loading = import('../features/location/components/asked-from.tsx');
  await loadShownAnswer();
  return { default: (await loading).AskedFrom };
});
const MissingAnswer = lazy(() => import('./missing-answer.tsx'));

/** An answer with its sources; its outline while the code for it is fetched. */
export function LazyShownAnswer(props: ComponentProps<typeof ShownAnswer>) {
  return (
    <Suspense fallback={<AnswerSkeleton />}>
      <ShownAnswer {...props} />
    </Suspense>
  );
}

/** What stands in an answer's place when there is none to show. */
export function LazyMissingAnswer(props: ComponentProps<typeof MissingAnswer>) {
  return (
    <Suspense fallback={<AnswerSkeleton />}>
      <MissingAnswer {...props} />
    </Suspense>
  );
}

/** On what and where a question was asked. */
export function LazyAskedFrom(props: ComponentProps<typeof AskedFrom>) {
  return (
    <Suspense>
      <AskedFrom {...props} />
    </Suspense>
  );
}
