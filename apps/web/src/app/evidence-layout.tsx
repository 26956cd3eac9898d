import { Box } from '@mantine/core';
import { useLocalStorage, useMediaQuery, useWindowEvent } from '@mantine/hooks';
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
} from 'react';
import { useLocation, useNavigate } from 'react-router';
import {
  EvidenceContext,
  EvidenceOffersContext,
  ShownEvidenceContext,
  titleOf,
  type Evidence,
  type EvidenceOffers,
  type Offer,
  type Viewed,
} from '../artifacts/evidence.ts';
import { lazyDialog, lazyPart } from '../components/lazy-part.tsx';
import { LoadingBlocks } from '../components/loading-blocks.tsx';
import { readCache, writeCache } from '../session/session-cache.ts';
import classes from './evidence-layout.module.css';

const EvidenceSheet = lazyDialog(() => import('../features/viewer/components/evidence-sheet.tsx'));

/** A page with the evidence pane beside it, or above it on smaller screens. */
export function EvidenceLayout({ children }: { children: ReactNode }) {
  const { evidence, shown, offers, currentOffer, returnFocus } = useEvidencePane();
  const { docked, goTo, close } = evidence;
  useEvidenceKeys({ evidence, shown, currentOffer });
  return (
    <EvidenceContext value={evidence}>
      <ShownEvidenceContext value={shown}>
        <EvidenceOffersContext value={offers}>
          <Box display="flex" miw={0}>
            <div className={classes.page}>{children}</div>
            {docked && shown && <DockedEvidence viewed={shown} onNavigate={goTo} onClose={close} />}
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

const WIDE = '(min-width: 1280px)';

function useEvidencePane() {
  const { pathname } = useLocation();
  const { viewed, show, leave } = useEvidenceEntry();
  const docked = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false });
  // What is shown beside the page, and the page that opened it. Another page closes it.
  const [opened, setOpened] = useState<{ viewed: Viewed; on: string } | null>(null);
  const { offers, currentOffer } = useOffers(useCallback(() => setOpened(null), []));
  const opener = useRef<Element | null>(null);

  if (opened && opened.on !== pathname) setOpened(null);
  const shown = opened?.viewed ?? viewed;

  const latest = useRef(shown);
  useEffect(() => {
    latest.current = shown;
  });
  const returnFocus = useCallback(() => {
    if (opener.current instanceof HTMLElement) opener.current.focus();
  }, []);

  const evidence = useMemo((): Evidence => {
    const open = (next: Viewed): void => {
      if (docked) setOpened({ viewed: next, on: pathname });
      else show(next);
    };
    return {
      docked,
      open: (next) => {
        const focused = document.activeElement;
        if (!focused?.closest('[data-evidence]')) opener.current = focused;
        open(next);
      },
      goTo: (n) => {
        if (latest.current) open({ ...latest.current, n });
      },
      close: () => {
        leave();
        setOpened(null);
        // The sheet returns the focus once it has slid out.
        if (docked) returnFocus();
      },
    };
  }, [pathname, docked, show, leave, returnFocus]);
  return { evidence, shown, offers, currentOffer, returnFocus };
}

/**
 * The sources of the shown answers. The last ones belong to the current answer. The docked pane is
 * closed when another answer becomes the current one by appearing or by being removed.
 */
function useOffers(closeDocked: () => void) {
  const list = useRef(new Map<string, Offer>());
  const offers = useMemo((): EvidenceOffers => {
    const { current: known } = list;
    return {
      offer: (key, offered) => {
        if (!known.has(key)) closeDocked();
        known.set(key, offered);
      },
      prefer: (key, offered) => {
        known.delete(key);
        known.set(key, offered);
      },
      withdraw: (key) => {
        if ([...known.keys()].at(-1) === key) closeDocked();
        known.delete(key);
      },
    };
  }, [closeDocked]);
  const currentOffer = useCallback(() => [...list.current.values()].at(-1), []);
  return { offers, currentOffer };
}

interface EntryState {
  evidence?: Viewed;
  /** The session that opened it. It stays closed after another sign-in in the same tab. */
  session?: string | undefined;
}

const SESSION_KEY = 'evidenceSession';

const storedSession = (): string | undefined => readCache<string>(SESSION_KEY)?.data;

function currentSession(): string | undefined {
  if (storedSession() === undefined) writeCache(SESSION_KEY, String(Math.random()));
  return storedSession();
}

/**
 * The evidence above the page is an entry of the browser's history: Back closes it, a reload and
 * Forward open it again.
 */
function useEvidenceEntry() {
  const location = useLocation();
  const navigate = useNavigate();
  const state = location.state as EntryState | null;
  const viewed = (state?.session === storedSession() && state?.evidence) || null;
  const latest = useRef({ location, viewed });
  const leaving = useRef<string | null>(null);
  useEffect(() => {
    latest.current = { location, viewed };
    if (viewed === null) leaving.current = null;
  });
  const actions = useMemo(() => {
    const show = (next: Viewed): void => {
      const { pathname, search, hash, state: before } = latest.current.location;
      void navigate(
        { pathname, search, hash },
        {
          state: { ...(before as EntryState | null), evidence: next, session: currentSession() },
          replace: latest.current.viewed !== null,
          preventScrollReset: true,
        },
      );
    };
    const leave = (): void => {
      const { viewed: shown, location: entry } = latest.current;
      // Closing it twice must not leave the page.
      if (shown === null || leaving.current === entry.key) return;
      leaving.current = entry.key;
      void navigate(-1);
    };
    return { show, leave };
  }, [navigate]);
  return { viewed, ...actions };
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
  currentOffer: () => Offer | undefined;
}

function actionOf(key: string, keys: EvidenceKeys): (() => void) | null {
  const { shown, currentOffer } = keys;
  const { docked, open, goTo, close } = keys.evidence;
  if (key === 'Escape') return shown && docked ? close : null;
  const by = STEPS[key];
  if (by !== undefined && shown !== null) {
    const at = shown.list.findIndex(({ n }) => n === shown.n);
    const next = shown.list[at + by];
    return next ? () => goTo(next.n) : null;
  }
  const list = currentOffer() ?? shown;
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

const MIN_WIDTH = 400;
/** The minimum width of the page beside it, and the width of the sidebar. */
const MIN_PAGE_WIDTH = 560;
const SIDEBAR_WIDTH = 232;
const KEY_STEP = 24;

function useEvidenceWidth() {
  const [wanted, setWanted] = useLocalStorage<number | null>({
    key: 'evidence-width',
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const [room, setRoom] = useState(window.innerWidth);
  useWindowEvent('resize', () => setRoom(window.innerWidth));
  const most = Math.max(MIN_WIDTH, room - SIDEBAR_WIDTH - MIN_PAGE_WIDTH);
  const clamp = (width: number): number => Math.round(Math.min(Math.max(width, MIN_WIDTH), most));
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
      ArrowLeft: width + KEY_STEP,
      ArrowRight: width - KEY_STEP,
      Home: most,
      End: MIN_WIDTH,
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
      aria-valuemin={MIN_WIDTH}
      aria-valuemax={most}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
    />
  );
}

const EvidenceContent = lazyPart(
  () => import('../features/viewer/components/source-viewer.tsx'),
  <Box py={18} px={20}>
    <LoadingBlocks label="Loading the file" heights={[28, 96, 96]} />
  </Box>,
);

interface DockedEvidenceProps {
  viewed: Viewed;
  onNavigate: Evidence['goTo'];
  onClose: () => void;
}

function DockedEvidence({ viewed, onNavigate, onClose }: DockedEvidenceProps) {
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
