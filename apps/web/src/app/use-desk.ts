import { useMediaQuery } from '@mantine/hooks';
import { startTransition, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { readCache, writeCache } from '../session/session-cache.ts';
import type { Evidence, EvidenceOffers, Offer, Viewed } from '../artifacts/evidence.ts';

/** Where the pane stands beside the page. */
const WIDE = '(min-width: 1280px)';

interface Offered {
  key: string;
  offered: Offer;
}

interface Opened {
  viewed: Viewed;
  /** The page that opened it: another one closes it. */
  on: string;
}

interface Pane {
  opened: Opened | null;
  /** What the shown answers rest on; the last one is looked at. */
  offers: readonly Offered[];
}

const EMPTY: Pane = { opened: null, offers: [] };

const without = (offers: readonly Offered[], key: string): readonly Offered[] =>
  offers.filter((one) => one.key !== key);

/** What answers tell the pane, which takes the newest of them for the one that is looked at. */
function useOffers(setPane: (change: (before: Pane) => Pane) => void): EvidenceOffers {
  return useMemo(
    () => ({
      offer: (key, offered) =>
        setPane((before) => {
          const { offers } = before;
          if (offers.every((one) => one.key !== key)) {
            return { opened: null, offers: [...offers, { key, offered }] };
          }
          const changed = offers.map((one) => (one.key === key ? { key, offered } : one));
          return { ...before, offers: changed };
        }),
      // Not at once: a click that gives an answer the focus most often opens a source as well.
      prefer: (key, offered) =>
        startTransition(() =>
          setPane((before) =>
            before.offers.at(-1)?.key === key
              ? before
              : { ...before, offers: [...without(before.offers, key), { key, offered }] },
          ),
        ),
      withdraw: (key) =>
        setPane(({ opened, offers }) => ({
          opened: offers.at(-1)?.key === key ? null : opened,
          offers: without(offers, key),
        })),
    }),
    [setPane],
  );
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
  const offers = useOffers(setPane);
  const opener = useRef<Element | null>(null);

  if (pane.opened && pane.opened.on !== pathname) setPane({ ...pane, opened: null });
  const shown = pane.opened?.viewed ?? entry.viewed;

  const latest = useRef(shown);
  useEffect(() => {
    latest.current = shown;
  });

  const { show, leave } = entry;
  const evidence = useMemo((): Evidence => {
    const open = (viewed: Viewed): void => {
      if (docked) setPane((before) => ({ ...before, opened: { viewed, on: pathname } }));
      else show(viewed);
    };
    return {
      docked,
      open: (viewed: Viewed): void => {
        const focused = document.activeElement;
        if (!focused?.closest('[data-evidence]')) opener.current = focused;
        open(viewed);
      },
      goTo: (n: number): void => {
        if (latest.current) open({ ...latest.current, n });
      },
      close: (): void => {
        leave();
        setPane((before) => ({ ...before, opened: null }));
      },
    };
  }, [pathname, docked, show, leave]);
  const returnFocus = useCallback(() => {
    // Reading goes on where it was left.
    if (opener.current instanceof HTMLElement) opener.current.focus();
  }, []);
  return { evidence, shown, offers, offered: pane.offers.at(-1)?.offered ?? null, returnFocus };
}
