import { lazy, Suspense, useState } from 'react';
import { useFreshCodeAsk } from '../session/fresh-code.ts';

const FreshCodeDialog = lazy(async () => ({
  default: (await import('../features/auth/components/fresh-code-dialog.tsx')).FreshCodeDialog,
}));

/** The question for a fresh code, loaded when it is first asked. */
export function LazyFreshCode() {
  const ask = useFreshCodeAsk();
  const [wasAsked, setWasAsked] = useState(false);
  if (ask && !wasAsked) setWasAsked(true);
  return (
    wasAsked && (
      <Suspense>
        <FreshCodeDialog ask={ask} />
      </Suspense>
    )
  );
}
