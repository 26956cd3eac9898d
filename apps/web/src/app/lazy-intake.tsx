import { lazy, Suspense, useState } from 'react';
import { wasInterrupted } from '../uploads/unsent-list.ts';
import { useUploadPanel } from '../uploads/upload-panel.ts';
import { useIntake } from './use-intake.ts';

let isLoaded = false;
const IntakeHost = lazy(() => {
  isLoaded = true;
  return import('./intake-host.tsx');
});

/**
 * Takes what is dropped or pasted anywhere. The tray loads with it, with the upload panel, or when an
 * upload was interrupted, and stays when the user goes on to a page with another layout.
 */
export function LazyIntake() {
  const { isOver, intakes } = useIntake();
  const [wanted, setWanted] = useState(() => isLoaded || wasInterrupted());
  const { isOpen } = useUploadPanel();
  if (!wanted && (isOver || isOpen || intakes.length > 0)) setWanted(true);
  return (
    wanted && (
      <Suspense>
        <IntakeHost isOver={isOver} intakes={intakes} />
      </Suspense>
    )
  );
}
