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
  SourceListContext,
  ShownEvidenceContext,
  titleOf,
  type Evidence,
  type SourceListRegistry,
  type SourceList,
  type EvidenceView,
} from '../artifacts/evidence.ts';
import { lazyDialog, lazyPart } from '../components/lazy-part.tsx';
import { LoadingBlocks } from '../components/loading-blocks.tsx';
import { readCache, writeCache } from '../session/session-cache.ts';
import classes from './evidence-layout.module.css';

const EvidenceSheet = lazyDialog(() => import('../features/viewer/components/evidence-sheet.tsx'));

export function EvidenceLayout({ children }: { children: ReactNode }) {
  const { evidence, shown, registry, currentSources, returnFocus } = useEvidencePane();
  const { docked, goTo, close } = evidence;
  useEvidenceKeys({ evidence, shown, currentSources });
  return (
    <EvidenceContext value={evidence}>
      <ShownEvidenceContext value={shown}>
        <SourceListContext value={registry}>
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
        </SourceListContext>
      </ShownEvidenceContext>
    </EvidenceContext>
  );
}

const WIDE = '(min-width: 1280px)';

function useEvidencePane() {
  const { pathname } = useLocation();
  const { viewed, show, leave } = useEvidenceEntry();
  const docked = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false });
  // The docked view, and the path of the page that opened it. Another page closes it.
  const [opened, setOpened] = useState<{ viewed: EvidenceView; path: string } | null>(null);
  const { registry, currentSources } = useSourceLists(useCallback(() => setOpened(null), []));
  const opener = useRef<Element | null>(null);

  if (opened && opened.path !== pathname) setOpened(null);
  const shown = opened?.viewed ?? viewed;

  const latest = useRef(shown);
  useEffect(() => {
    latest.current = shown;
  });
  const returnFocus = useCallback(() => {
    if (opener.current instanceof HTMLElement) opener.current.focus();
  }, []);

  const evidence = useMemo((): Evidence => {
    const open = (next: EvidenceView): void => {
      if (docked) setOpened({ viewed: next, path: pathname });
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
        // The sheet returns the focus when it has closed.
        if (docked) returnFocus();
      },
    };
  }, [pathname, docked, show, leave, returnFocus]);
  return { evidence, shown, registry, currentSources, returnFocus };
}

/**
 * The sources of the shown answers. The last ones belong to the current answer. The docked pane is
 * closed when another answer becomes the current one by appearing or by being removed.
 */
function useSourceLists(closeDocked: () => void) {
  const list = useRef(new Map<string, SourceList>());
  const registry = useMemo((): SourceListRegistry => {
    const { current: known } = list;
    return {
      register: (key, sources) => {
        if (!known.has(key)) closeDocked();
        known.set(key, sources);
      },
      prefer: (key, sources) => {
        known.delete(key);
        known.set(key, sources);
      },
      unregister: (key) => {
        if ([...known.keys()].at(-1) === key) closeDocked();
        known.delete(key);
      },
    };
  }, [closeDocked]);
  const currentSources = useCallback(() => [...list.current.values()].at(-1), []);
  return { registry, currentSources };
}

interface EntryState {
  evidence?: EvidenceView;
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
 * The undocked evidence is an entry of the browser's history. Back closes it, and Forward or a reload
 * opens it.
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
    const show = (next: EvidenceView): void => {
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
      // A second close must not leave the page.
      if (shown === null || leaving.current === entry.key) return;
      leaving.current = entry.key;
      void navigate(-1);
    };
    return { show, leave };
  }, [navigate]);
  return { viewed, ...actions };
}

const KEY_HANDLERS =
  'input, textarea, select, audio, video, [contenteditable], [role="menu"], [role="separator"], [role="slider"], [role="listbox"], [role="dialog"]:not([data-evidence])';

const STEPS: Partial<Record<string, number>> = {
  ArrowLeft: -1,
  '[': -1,
  ArrowRight: 1,
  ']': 1,
};

interface EvidenceKeys {
  evidence: Evidence;
  shown: EvidenceView | null;
  currentSources: () => SourceList | undefined;
}

function actionOf(key: string, keys: EvidenceKeys): (() => void) | null {
  const { shown, currentSources } = keys;
  const { docked, open, goTo, close } = keys.evidence;
  if (key === 'Escape') return shown && docked ? close : null;
  const by = STEPS[key];
  if (by !== undefined && shown !== null) {
    const at = shown.list.findIndex(({ n }) => n === shown.n);
    const next = shown.list[at + by];
    return next ? () => goTo(next.n) : null;
  }
  const list = currentSources() ?? shown;
  const source = /^[1-9]$/u.test(key) ? list?.list.find(({ n }) => n === Number(key)) : undefined;
  return list && source ? () => open({ ...list, n: source.n }) : null;
}

/** 1 to 9 open a source, arrows or brackets step through them, Escape closes the pane. */
function useEvidenceKeys(keys: EvidenceKeys): void {
  useWindowEvent('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.closest(KEY_HANDLERS)) return;
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
  const [stored, setStored] = useLocalStorage<number | null>({
    key: 'evidence-width',
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const [windowWidth, setWindowWidth] = useState(window.innerWidth);
  useWindowEvent('resize', () => setWindowWidth(window.innerWidth));
  const maxWidth = Math.max(MIN_WIDTH, windowWidth - SIDEBAR_WIDTH - MIN_PAGE_WIDTH);
  const clamp = (width: number): number =>
    Math.round(Math.min(Math.max(width, MIN_WIDTH), maxWidth));
  return {
    width: clamp(stored ?? windowWidth * 0.4),
    maxWidth,
    setWidth: (width: number) => setStored(clamp(width)),
  };
}

function EvidenceHandle() {
  const { width, maxWidth, setWidth } = useEvidenceWidth();
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    style.setProperty('--eg-evidence', `${width}px`);
    return () => void style.removeProperty('--eg-evidence');
  }, [width]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const to: Partial<Record<string, number>> = {
      ArrowLeft: width + KEY_STEP,
      ArrowRight: width - KEY_STEP,
      Home: maxWidth,
      End: MIN_WIDTH,
    };
    const newWidth = to[event.key];
    if (newWidth === undefined) return;
    event.preventDefault();
    setWidth(newWidth);
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
      aria-valuemax={maxWidth}
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
  viewed: EvidenceView;
  onNavigate: Evidence['goTo'];
  onClose: () => void;
}

function DockedEvidence({ viewed, onNavigate, onClose }: DockedEvidenceProps) {
  const pane = useRef<HTMLElement>(null);
  const focusedFor = useRef<EvidenceView['list'] | null>(null);
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
