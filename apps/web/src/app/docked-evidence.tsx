import { Box } from '@mantine/core';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { titleOf, type Evidence, type Viewed } from '../artifacts/evidence.ts';
import { LoadingBlocks } from '../components/loading-blocks.tsx';
import classes from './desk.module.css';
import { EvidenceHandle } from './evidence-handle.tsx';

const EvidenceContent = lazy(() => import('../features/viewer/components/evidence.tsx'));

const loading = (
  <Box py={18} px={20}>
    <LoadingBlocks label="Loading the file" heights={[28, 96, 96]} />
  </Box>
);

interface DockedEvidenceProps {
  viewed: Viewed;
  onNavigate: Evidence['goTo'];
  onClose: () => void;
}

/** The evidence beside the page. */
export function DockedEvidence({ viewed, onNavigate, onClose }: DockedEvidenceProps) {
  const pane = useRef<HTMLElement>(null);
  const focusedFor = useRef<Viewed['list'] | null>(null);
  const { list } = viewed;
  useEffect(() => {
    // Who opens something reads it. What had the focus within goes when something else is shown.
    const isLost = focusedFor.current !== null && document.activeElement === document.body;
    if (focusedFor.current !== list || isLost) pane.current?.focus({ preventScroll: true });
    focusedFor.current = list;
  });
  return (
    <>
      <EvidenceHandle />
      <aside
        ref={pane}
        className={classes.pane}
        aria-label={titleOf(viewed)}
        tabIndex={-1}
        data-evidence
      >
        <Suspense fallback={loading}>
          <EvidenceContent viewed={viewed} onNavigate={onNavigate} onClose={onClose} />
        </Suspense>
      </aside>
    </>
  );
}
