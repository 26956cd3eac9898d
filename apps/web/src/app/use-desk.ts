import { useMediaQuery } from '@mantine/hooks';
import { startTransition, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { readCache, writeCache } from '../session/session-cache.ts';
import type { Evidence, EvidenceOffers, Viewed } from '../artifacts/evidence.ts';

/** Where the pane stands beside the page. */
const WIDE = '(min-width: 1280px)';

interface Offered {
  key: string;
  viewed: Viewed;
}

interface Opened {
  viewed: Viewed;
  /** The page that opened it: another one closes it. */
  on: string;
}

interface Pane {
  opened: Opened | null;
  /** What the shown answers rest on; the last one is looked at. */
  offered: readonly Offered[];
  /** Whether the resting pane was closed; opening anything brings it back. */
  putAway: boolean;
}

const EMPTY: Pane = { opened: null, offered: [], putAway: false };

const without = (offered: readonly Offered[], key: string): readonly Offered[] =>
  offered.filter((one) => one.key !== key);

/** What answers tell the pane, which takes the newest of them for the one that is looked at. */
function useOffers(setPane: (change: (before: Pane) => Pane) => void) {
  const [rooms, setRooms] = useState(0);
  const offers = useMemo(
    (): EvidenceOffers => ({
      offer: (key, viewed) =>
        setPane((before) => {
          const { offered } = before;
          if (offered.every((one) => one.key !== key)) {
            return { ...before, opened: null, offered: [...offered, { key, viewed }] };
          }
          const changed = offered.map((one) => (one.key === key ? { key, viewed } : one));
          return { ...before, offered: changed };
        }),
      // Not at once: a click that gives an answer the focus most often opens a source as well.
      prefer: (key, viewed) =>
        startTransition(() =>
          setPane((before) =>
            before.offered.at(-1)?.key === key
              ? before
              : { ...before, offered: [...without(before.offered, key), { key, viewed }] },
          ),
        ),
      withdraw: (key) =>
        setPane((before) => ({
          ...before,
          opened: before.offered.at(-1)?.key === key ? null : before.opened,
          offered: without(before.offered, key),
        })),
      keepRoom: () => {
        setRooms((count) => count + 1);
        return () => setRooms((count) => count - 1);
      },
    }),
    [setPane],
  );
  return { offers, keepsRoom: rooms > 0 };
}

/** What an entry of the browser's history has opened above the page. */
interface EntryState {
  evidence?: Viewed;
  /** The session that opened it: after another sign-in in the same tab it stays closed. */
  session?: string | undefined;
}

const SESSION_KEY = 'evidenceSession';

/** A value that is stored until the session ends. */
const storedSession = (): string | undefined => readCache<string>(SESSION_KEY)?.data;

function currentSession(): string | undefined {
  if (storedSession() === undefined) writeCache(SESSION_KEY, String(Math.random()));
  return storedSession();
}

/**
 * The evidence that lies above the page, which is an entry of the browser's history: Back closes it,
 * a reload and Forward open it again.
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

/** What the evidence pane shows, and where the focus was before it opened. */
export function useDesk() {
  const { pathname } = useLocation();
  const entry = useEvidenceEntry();
  const docked = useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false });
  const [pane, setPane] = useState(EMPTY);
  const { offers, keepsRoom } = useOffers(setPane);
  const opener = useRef<Element | null>(null);

  if (pane.opened && pane.opened.on !== pathname) setPane({ ...pane, opened: null });
  const opened = pane.opened?.viewed ?? entry.viewed;
  const rests = docked && keepsRoom && !pane.putAway;
  const offered = pane.offered.at(-1)?.viewed ?? null;
  const shown = opened ?? (rests ? offered : null);

  const latest = useRef({ rests, opened, offered });
  useEffect(() => {
    latest.current = { rests, opened, offered };
  });

  const { show, leave } = entry;
  const evidence = useMemo((): Evidence => {
    const open = (viewed: Viewed): void => {
      setPane((before) => ({
        ...before,
        opened: docked ? { viewed, on: pathname } : null,
        putAway: false,
      }));
      if (!docked) show(viewed);
    };
    return {
      docked,
      open: (viewed: Viewed): void => {
        const focused = document.activeElement;
        if (!focused?.closest('[data-evidence]')) opener.current = focused;
        open(viewed);
      },
      goTo: (n: number | null): void => {
        const viewed = latest.current.opened ?? latest.current.offered;
        if (viewed) open({ ...viewed, n });
      },
      close: (): void => {
        const { rests: wasResting, opened: closed } = latest.current;
        leave();
        setPane((before) => ({
          ...before,
          opened: null,
          // A file by itself leaves the list of sources where it was.
          putAway: before.putAway || (wasResting && closed?.noun !== 'file'),
        }));
      },
    };
  }, [pathname, docked, show, leave]);
  const returnFocus = useCallback(() => {
    // Reading goes on where it was left.
    if (opener.current instanceof HTMLElement) opener.current.focus();
  }, []);
  return {
    evidence,
    shown,
    rests,
    offers,
    offered,
    isOpen: opened !== null,
    returnFocus,
  };
}
