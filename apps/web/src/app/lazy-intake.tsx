import { lazy, Suspense, useState } from 'react';
import { wasInterrupted } from '../uploads/unsent-list.ts';
import { useIntake } from './use-intake.ts';

const IntakeHost = lazy(() => import('./intake-host.tsx'));

/** Takes what is dropped or pasted anywhere; the tray loads with it, or when an upload was interrupted. */
export function LazyIntake() {
  const { isOver, intakes } = useIntake();
  const [wanted, setWanted] = useState(wasInterrupted);
  if (!wanted && (isOver || intakes.length > 0)) setWanted(true);
  return (
    wanted && (
      <Suspense>
        <IntakeHost isOver={isOver} intakes={intakes} />
      </Suspense>
    )
  );
}
