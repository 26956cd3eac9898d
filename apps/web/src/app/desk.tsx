import { useMediaQuery } from '@mantine/hooks';
import {
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import { useLocation } from 'react-router';
import { EvidenceContext, titleOf, type Evidence, type Viewed } from '../artifacts/evidence.ts';
import classes from './desk.module.css';
import { EvidenceHandle } from './evidence-handle.tsx';

const EvidenceContent = lazy(() => import('../features/viewer/components/evidence.tsx'));
const EvidenceSheet = lazy(() => import('../features/viewer/components/evidence-sheet.tsx'));

/** Where the pane stands beside the page. */
const WIDE = '(min-width: 1280px)';

/** What the pane shows, and where the focus was before it opened. */
function useDesk(): { evidence: Evidence; returnFocus: () => void } {
  const { pathname } = useLocation();
  const [opened, setOpened] = useState<{ viewed: Viewed; on: string } | null>(null);
  const opener = useRef<Element | null>(null);
  // Another page closes what this one has opened.
  const shown = opened?.on === pathname ? opened.viewed : null;
  const evidence = useMemo(
    (): Evidence => ({
      shown,
      open: (viewed) => {
        const focused = document.activeElement;
        if (!focused?.closest('[data-evidence]')) opener.current = focused;
        setOpened({ viewed, on: pathname });
      },
      goTo: (n) => setOpened((before) => before && { ...before, viewed: { ...before.viewed, n } }),
      close: () => setOpened(null),
    }),
    [shown, pathname],
  );
  const returnFocus = useCallback(() => {
    // Reading goes on where it was left.
    if (opener.current instanceof HTMLElement) opener.current.focus();
  }, []);
  return { evidence, returnFocus };
}

/** A page, and beside it (above it on smaller screens) the evidence that it opens. */
export function Desk({ children }: { children: ReactNode }) {
  const { evidence, returnFocus } = useDesk();
  const isWide = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false });
  // The sheet stays mounted while it slides out.
  const [wasOpened, setWasOpened] = useState(false);
  if (evidence.shown && !wasOpened) setWasOpened(true);
  const { shown, goTo, close } = evidence;
  const closeDocked = useCallback(() => {
    close();
    returnFocus();
  }, [close, returnFocus]);
  return (
    <EvidenceContext value={evidence}>
      <div className={classes.desk}>
        <div className={classes.page}>{children}</div>
        {isWide && shown && <Docked viewed={shown} onNavigate={goTo} onClose={closeDocked} />}
      </div>
      {!isWide && wasOpened && (
        <Suspense>
          <EvidenceSheet viewed={shown} onNavigate={goTo} onClose={close} onClosed={returnFocus} />
        </Suspense>
      )}
    </EvidenceContext>
  );
}

interface DockedProps {
  viewed: Viewed;
  onNavigate: Evidence['goTo'];
  onClose: () => void;
}

function Docked({ viewed, onNavigate, onClose }: DockedProps) {
  const pane = useRef<HTMLElement>(null);
  const { list } = viewed;
  const focused = useRef<Viewed['list'] | null>(null);
  // Who opens something reads it: the focus follows.
  useEffect(() => {
    if (focused.current === list) return;
    focused.current = list;
    pane.current?.focus({ preventScroll: true });
  }, [list]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      if (event.target instanceof Element && event.target.closest('[role="dialog"], [role="menu"]'))
        return;
      onClose();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [onClose]);
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
        <Suspense>
          <EvidenceContent viewed={viewed} onNavigate={onNavigate} onClose={onClose} />
        </Suspense>
      </aside>
    </>
  );
}
