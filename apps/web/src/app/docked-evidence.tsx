import { Box } from '@mantine/core';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { titleOf, type Evidence, type Viewed } from '../artifacts/evidence.ts';
import { LoadingBlocks } from '../components/loading-blocks.tsx';
import classes from './desk.module.css';
import { EvidenceHandle } from './evidence-handle.tsx';

const EvidenceContent = lazy(() => import('../features/viewer/components/evidence.tsx'));

const loading = (
  <Box py={18} px={20}>
    <LoadingBlocks label="Loading the sources" heights={[28, 96, 96]} />
  </Box>
);

interface DockedEvidenceProps {
  /** Null while it is not known yet what an answer rests on. */
  viewed: Viewed | null;
  /** Whether somebody has opened what is shown, rather than that it came with an answer. */
  takesFocus: boolean;
  onNavigate: Evidence['goTo'];
  onClose: () => void;
}

/** The evidence beside the page. */
export function DockedEvidence({ viewed, takesFocus, onNavigate, onClose }: DockedEvidenceProps) {
  const pane = useRef<HTMLElement>(null);
  const focusedFor = useRef<Viewed['list'] | null>(null);
  const list = takesFocus ? viewed?.list : undefined;
  useEffect(() => {
    // Who opens something reads it. What had the focus within goes when something else is shown.
    const isLost = focusedFor.current !== null && document.activeElement === document.body;
    if ((list && focusedFor.current !== list) || isLost)
      pane.current?.focus({ preventScroll: true });
    focusedFor.current = list ?? null;
  });
  return (
    <>
      <EvidenceHandle />
      <aside
        ref={pane}
        className={classes.pane}
        aria-label={viewed ? titleOf(viewed) : 'Sources'}
        tabIndex={-1}
        data-evidence
      >
        {viewed ? (
          <Suspense fallback={loading}>
            <EvidenceContent viewed={viewed} onNavigate={onNavigate} onClose={onClose} />
          </Suspense>
        ) : (
          loading
        )}
      </aside>
    </>
  );
}
