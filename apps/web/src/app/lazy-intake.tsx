import { lazy, Suspense, useState } from 'react';
import { useIntake } from './use-intake.ts';

const IntakeHost = lazy(() => import('./intake-host.tsx'));

/** Takes what is dropped or pasted anywhere; the tray loads with the first thing that comes. */
export function LazyIntake() {
  const { isOver, intakes } = useIntake();
  const [wanted, setWanted] = useState(false);
  if (!wanted && (isOver || intakes.length > 0)) setWanted(true);
  return (
    wanted && (
      <Suspense>
        <IntakeHost isOver={isOver} intakes={intakes} />
      </Suspense>
    )
  );
}
