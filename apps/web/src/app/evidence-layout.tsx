import { useWindowEvent } from '@mantine/hooks';
import { lazyDialog } from '../components/lazy-part.tsx';
import { Box } from '@mantine/core';
import { useCallback, type ReactNode } from 'react';
import {
  EvidenceContext,
  EvidenceOffersContext,
  ShownEvidenceContext,
  type Evidence,
  type Viewed,
  type Offer,
} from '../artifacts/evidence.ts';
import classes from './evidence-layout.module.css';
import { DockedEvidence } from './docked-evidence.tsx';
import { useEvidencePane } from './use-evidence-pane.ts';

const EvidenceSheet = lazyDialog(
  async () => (await import('../features/viewer/components/evidence-sheet.tsx')).default,
);

/** A page with the evidence pane beside it, or above it on smaller screens. */
export function EvidenceLayout({ children }: { children: ReactNode }) {
  const { evidence, shown, offers, offered, returnFocus } = useEvidencePane();
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
            <EvidenceSheet
              opened={shown !== null}
              viewed={shown}
              onNavigate={goTo}
              onClose={close}
              onClosed={returnFocus}
            />
          )}
        </EvidenceOffersContext>
      </ShownEvidenceContext>
    </EvidenceContext>
  );
}

/** Elements that handle these keys themselves. */
const OTHERS =
  'input, textarea, select, audio, video, [contenteditable], [role="menu"], [role="separator"], [role="slider"], [role="listbox"], [role="dialog"]:not([data-evidence])';

const STEPS: Partial<Record<string, number>> = {
  ArrowLeft: -1,
  '[': -1,
  ArrowRight: 1,
  ']': 1,
};

interface EvidenceKeys {
  evidence: Evidence;
  shown: Viewed | null;
  /** The sources of the current answer. */
  offered: Offer | null;
  onClose: () => void;
}

/** The action of a key, or null. */
function actionOf(key: string, keys: EvidenceKeys): (() => void) | null {
  const { shown, offered, onClose } = keys;
  const { docked, open, goTo } = keys.evidence;
  if (key === 'Escape') return shown && docked ? onClose : null;
  const by = STEPS[key];
  if (by !== undefined && shown !== null) {
    const at = shown.list.findIndex(({ n }) => n === shown.n);
    const next = shown.list[at + by];
    return next ? () => goTo(next.n) : null;
  }
  const list = offered ?? shown;
  const wanted = /^[1-9]$/u.test(key) ? list?.list.find(({ n }) => n === Number(key)) : undefined;
  return list && wanted ? () => open({ ...list, n: wanted.n }) : null;
}

/** 1 to 9 open a source, arrows or brackets step through them, Escape closes the pane. */
function useEvidenceKeys(keys: EvidenceKeys): void {
  useWindowEvent('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.closest(OTHERS)) return;
    const action = actionOf(event.key, keys);
    if (!action) return;
    event.preventDefault();
    action();
  });
}
