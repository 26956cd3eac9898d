import { lazyPart } from '../components/lazy-part.tsx';
import { Box } from '@mantine/core';
import {
  useEffect,
  useRef,
  useLayoutEffect,
  useState,
  type KeyboardEvent,
  type PointerEvent,
} from 'react';
import { titleOf, type Evidence, type Viewed } from '../artifacts/evidence.ts';
import { LoadingBlocks } from '../components/loading-blocks.tsx';
import classes from './evidence-layout.module.css';
import { useLocalStorage, useWindowEvent } from '@mantine/hooks';

const LEAST = 400;
/** The minimum width of the page beside it, and the width of the sidebar. */
const PAGE = 560;
const SIDEBAR = 232;
const STEP = 24;

/** The width of the pane as last set on this device, within the limits. */
function useEvidenceWidth() {
  const [wanted, setWanted] = useLocalStorage<number | null>({
    key: 'evidence-width',
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const [room, setRoom] = useState(window.innerWidth);
  useWindowEvent('resize', () => setRoom(window.innerWidth));
  const most = Math.max(LEAST, room - SIDEBAR - PAGE);
  const clamp = (width: number): number => Math.round(Math.min(Math.max(width, LEAST), most));
  return {
    width: clamp(wanted ?? room * 0.4),
    most,
    setWidth: (width: number) => setWanted(clamp(width)),
  };
}

function EvidenceHandle() {
  const { width, most, setWidth } = useEvidenceWidth();
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    style.setProperty('--eg-evidence', `${width}px`);
    return () => void style.removeProperty('--eg-evidence');
  }, [width]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const to: Partial<Record<string, number>> = {
      ArrowLeft: width + STEP,
      ArrowRight: width - STEP,
      Home: most,
      End: LEAST,
    };
    const wanted = to[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    setWidth(wanted);
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    setWidth(document.documentElement.clientWidth - event.clientX);
  };
  return (
    // A window splitter of WAI-ARIA, which is focusable.
    <hr
      className={classes.handle}
      aria-orientation="vertical"
      aria-label="Width of the evidence"
      aria-valuenow={width}
      aria-valuemin={LEAST}
      aria-valuemax={most}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
    />
  );
}

const EvidenceContent = lazyPart(
  async () => (await import('../features/viewer/components/source-viewer.tsx')).default,
  <Box py={18} px={20}>
    <LoadingBlocks label="Loading the file" heights={[28, 96, 96]} />
  </Box>,
);

interface DockedEvidenceProps {
  viewed: Viewed;
  onNavigate: Evidence['goTo'];
  onClose: () => void;
}

export function DockedEvidence({ viewed, onNavigate, onClose }: DockedEvidenceProps) {
  const pane = useRef<HTMLElement>(null);
  const focusedFor = useRef<Viewed['list'] | null>(null);
  const { list } = viewed;
  useEffect(() => {
    // The pane takes the focus when it opens, and when its focused element was removed.
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
        <EvidenceContent viewed={viewed} onNavigate={onNavigate} onClose={onClose} />
      </aside>
    </>
  );
}
