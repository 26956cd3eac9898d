import { lazy, Suspense, useEffect, useState } from 'react';
import { onFirstInteraction } from '../browser/first-interaction.ts';
import { wasInterrupted } from '../features/upload/unsent-list.ts';
import { useUploadPanel } from '../artifacts/dialogs.ts';
import { useIntake } from './use-intake.ts';

let isLoaded = false;
const IntakeHost = lazy(() => {
  isLoaded = true;
  return import('./intake-host.tsx');
});

/**
 * Takes what is dropped or pasted anywhere. The tray loads with it, as soon as the upload panel is
 * used, or when an upload was interrupted, and stays when the user goes on to a page with another layout.
 */
export function LazyIntake() {
  const { isOver, intakes } = useIntake();
  const [wanted, setWanted] = useState(() => isLoaded || wasInterrupted());
  const { isOpen } = useUploadPanel();
  if (!wanted && (isOver || intakes.length > 0)) setWanted(true);
  useEffect(() => {
    if (!isOpen) return undefined;
    const load = (): void => setWanted(true);
    const callOff = onFirstInteraction(load);
    return () => {
      callOff();
      load();
    };
  }, [isOpen]);
  return (
    wanted && (
      <Suspense>
        <IntakeHost isOver={isOver} intakes={intakes} />
      </Suspense>
    )
  );
}
