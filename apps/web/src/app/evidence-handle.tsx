import { useLocalStorage, useViewportSize } from '@mantine/hooks';
import { useLayoutEffect, type KeyboardEvent, type PointerEvent } from 'react';
import classes from './desk.module.css';

/** Pixels that the pane has at least. */
const LEAST = 400;
/** Pixels that stay for the page beside it, and for the sidebar. */
const PAGE = 560;
const SIDEBAR = 232;
/** Pixels that an arrow key moves the border by. */
const STEP = 24;

/** How wide the pane is: as wide as it was left, so far as the page keeps its room (desk.module.css). */
function useEvidenceWidth() {
  const [wanted, setWanted] = useLocalStorage<number | null>({
    key: 'evidence-width',
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const { width: window } = useViewportSize();
  const most = Math.max(LEAST, window - SIDEBAR - PAGE);
  const clamp = (width: number): number => Math.round(Math.min(Math.max(width, LEAST), most));
  return {
    width: clamp(wanted ?? window * 0.4),
    least: LEAST,
    most,
    wanted,
    setWidth: (width: number) => setWanted(clamp(width)),
  };
}

/** The border between page and pane, which is moved by pointer or by arrow keys. */
export function EvidenceHandle() {
  const { wanted, width, least, most, setWidth } = useEvidenceWidth();
  useLayoutEffect(() => {
    if (wanted !== null) {
      document.documentElement.style.setProperty('--eg-evidence', `${wanted}px`);
    }
  }, [wanted]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const to: Partial<Record<string, number>> = {
      ArrowLeft: width + STEP,
      ArrowRight: width - STEP,
      Home: most,
      End: least,
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
      aria-valuemin={least}
      aria-valuemax={most}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
    />
  );
}
