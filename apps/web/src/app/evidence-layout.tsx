import { Box } from '@mantine/core';
import { useLocalStorage, useWindowEvent } from '@mantine/hooks';
import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
} from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useStore } from '../browser/store.ts';
import {
  closeEvidence,
  connectSheet,
  currentSources,
  goToSource,
  isDocked,
  openEvidence,
  shownEvidence,
  titleOf,
  useDocked,
  type EvidenceView,
} from '../artifacts/evidence.ts';
import { lazyDialog, lazyPart } from '../components/lazy-part.tsx';
import { LoadingBlocks } from '../components/loading-blocks.tsx';
import { readCache, writeCache } from '../session/session-cache.ts';
import classes from './evidence-layout.module.css';

const EvidenceSheet = lazyDialog(() => import('../features/viewer/components/evidence-sheet.tsx'));

export function EvidenceLayout({ children }: { children: ReactNode }) {
  const docked = useDocked();
  const shown = useStore(shownEvidence);
  useEvidenceEntry();
  useEvidenceKeys();
  return (
    <>
      <Box display="flex" miw={0}>
        <div className={classes.page}>{children}</div>
        {docked && shown && <DockedEvidence viewed={shown} />}
      </Box>
      {!docked && <EvidenceSheet opened={shown !== null} viewed={shown} />}
    </>
  );
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
function useEvidenceEntry(): void {
  const { pathname, search, hash, ...location } = useLocation();
  const state = location.state as EntryState | null;
  const navigate = useNavigate();
  const viewed = (state?.session === storedSession() && state?.evidence) || null;
  // Another page closes the docked evidence.
  // oxlint-disable-next-line react/exhaustive-effect-dependencies
  useLayoutEffect(() => shownEvidence.set(viewed), [viewed, pathname]);
  useLayoutEffect(() => {
    connectSheet({
      show: (next) =>
        void navigate(
          { pathname, search, hash },
          {
            state: { ...state, evidence: next, session: currentSession() },
            replace: viewed !== null,
            preventScrollReset: true,
          },
        ),
      leave: () => void (viewed && navigate(-1)),
    });
  });
  useEffect(
    () => () => {
      connectSheet(null);
      shownEvidence.set(null);
    },
    [],
  );
}

const KEY_HANDLERS =
  'input, textarea, select, audio, video, [contenteditable], [role="menu"], [role="separator"], [role="slider"], [role="listbox"], [role="dialog"]:not([data-evidence])';

const STEPS: Partial<Record<string, number>> = {
  ArrowLeft: -1,
  '[': -1,
  ArrowRight: 1,
  ']': 1,
};

function actionOf(key: string): (() => void) | null {
  const shown = shownEvidence.get();
  if (key === 'Escape') return shown && isDocked() ? closeEvidence : null;
  const step = STEPS[key];
  if (step !== undefined && shown !== null) {
    const index = shown.list.findIndex(({ n }) => n === shown.n);
    const next = shown.list[index + step];
    return next ? () => goToSource(next.n) : null;
  }
  const list = currentSources() ?? shown;
  const source = /^[1-9]$/u.test(key) ? list?.list.find(({ n }) => n === Number(key)) : undefined;
  return list && source ? () => openEvidence({ ...list, n: source.n }) : null;
}

/** 1 to 9 open a source, arrows or brackets step through them, Escape closes the pane. */
function useEvidenceKeys(): void {
  useWindowEvent('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.closest(KEY_HANDLERS)) return;
    const action = actionOf(event.key);
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
    const widths: Partial<Record<string, number>> = {
      ArrowLeft: width + KEY_STEP,
      ArrowRight: width - KEY_STEP,
      Home: maxWidth,
      End: MIN_WIDTH,
    };
    const newWidth = widths[event.key];
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

function DockedEvidence({ viewed }: { viewed: EvidenceView }) {
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
        <EvidenceContent viewed={viewed} />
      </aside>
    </>
  );
}
