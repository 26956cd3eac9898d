import { useLocalStorage, useWindowEvent } from '@mantine/hooks';
import { useLayoutEffect, useState, type KeyboardEvent, type PointerEvent } from 'react';
import classes from './desk.module.css';

/** Pixels that the pane has at least. */
const LEAST = 400;
/** Pixels that stay for the page beside it, and for the sidebar. */
const PAGE = 560;
const SIDEBAR = 232;
/** Pixels that an arrow key moves the border by. */
const STEP = 24;

/** How wide the pane is: as wide as it was left, so far as the page keeps its room. */
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

/** The border between page and pane, which is moved by pointer or by arrow keys. */
export function EvidenceHandle() {
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
    // A border that can be moved is focusable, as WAI-ARIA's window splitter is.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <hr
      className={classes.handle}
      aria-orientation="vertical"
      aria-label="Width of the evidence"
      aria-valuenow={width}
      aria-valuemin={LEAST}
      aria-valuemax={most}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
    />
  );
}
