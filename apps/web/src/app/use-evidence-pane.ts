import { useMediaQuery } from '@mantine/hooks';
import { startTransition, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { readCache, writeCache } from '../session/session-cache.ts';
import type { Evidence, EvidenceOffers, Offer, Viewed } from '../artifacts/evidence.ts';

/** From this width on the pane is beside the page. */
const WIDE = '(min-width: 1280px)';

interface Offered {
  key: string;
  offered: Offer;
}

interface Opened {
  viewed: Viewed;
  /** The page that opened it. Another page closes it. */
  on: string;
}

interface Pane {
  opened: Opened | null;
  /** The sources of the shown answers. The last ones belong to the current answer. */
  offers: readonly Offered[];
}

const EMPTY: Pane = { opened: null, offers: [] };

const without = (offers: readonly Offered[], key: string): readonly Offered[] =>
  offers.filter((one) => one.key !== key);

/** Lets answers register their sources. The latest answer is the current one. */
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
      // A transition, because a click that focuses an answer often opens a source too.
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

/** The state of a history entry with evidence above the page. */
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

/** What the evidence pane shows, and where the focus returns to. */
export function useEvidencePane() {
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
    if (opener.current instanceof HTMLElement) opener.current.focus();
  }, []);
  return { evidence, shown, offers, offered: pane.offers.at(-1)?.offered ?? null, returnFocus };
}
