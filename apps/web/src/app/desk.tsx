import { Box } from '@mantine/core';
import { lazy, Suspense, useCallback, useState, type ReactNode } from 'react';
import {
  EvidenceContext,
  EvidenceOffersContext,
  ShownEvidenceContext,
  type Evidence,
  type Viewed,
} from '../artifacts/evidence.ts';
import classes from './desk.module.css';
import { DockedEvidence } from './docked-evidence.tsx';
import { useDesk } from './use-desk.ts';
import { useEvidenceKeys } from './use-evidence-keys.ts';

const EvidenceSheet = lazy(() => import('../features/viewer/components/evidence-sheet.tsx'));

/** A page, and beside it (above it on smaller screens) the evidence that it opens. */
export function Desk({ children }: { children: ReactNode }) {
  const { evidence, shown, offers, offered, returnFocus } = useDesk();
  const { docked, goTo, close } = evidence;
  const closeDocked = useCallback(() => {
    close();
    returnFocus();
  }, [close, returnFocus]);
  useEvidenceKeys({ evidence, shown, offered, onClose: docked ? closeDocked : close });
  return (
    <EvidenceContext value={evidence}>
      <ShownEvidenceContext value={shown}>
        <EvidenceOffersContext value={offers}>
          <Box display="flex" miw={0}>
            <div className={classes.page}>{children}</div>
            {docked && shown && (
              <DockedEvidence viewed={shown} onNavigate={goTo} onClose={closeDocked} />
            )}
          </Box>
          {!docked && (
            <Sheet viewed={shown} onNavigate={goTo} onClose={close} onClosed={returnFocus} />
          )}
        </EvidenceOffersContext>
      </ShownEvidenceContext>
    </EvidenceContext>
  );
}

interface SheetProps {
  viewed: Viewed | null;
  onNavigate: Evidence['goTo'];
  onClose: () => void;
  onClosed: () => void;
}

/** The sheet from when it is first opened on: it stays mounted while it slides out. */
function Sheet(props: SheetProps) {
  const [wasOpened, setWasOpened] = useState(false);
  if (props.viewed && !wasOpened) setWasOpened(true);
  return (
    wasOpened && (
      <Suspense>
        <EvidenceSheet {...props} />
      </Suspense>
    )
  );
}
