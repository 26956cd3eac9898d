import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import {
  Outlet,
  ScrollRestoration,
  useLocation,
  useNavigate,
  type ScrollRestorationProps,
} from 'react-router';
import { isSignedIn, useSignedIn } from '../session/session.ts';
import { keepWayBack } from '../session/session-cache.ts';
import { UploadPanelContext, type HandedIn } from '../artifacts/dialogs.ts';
import { LazyFreshCode } from './lazy-fresh-code.tsx';
import { LazyInstallation } from './lazy-installation.tsx';
import { paths } from './paths.ts';
import classes from './root-layout.module.css';

const UploadPanelHost = lazy(async () => ({
  default: (await import('./upload-panel-host.tsx')).UploadPanelHost,
}));

/**
 * What a scroll position is kept by. All pages that a tab comes to from outside have one key of the
 * router's: their addresses tell them apart, so that a link to a place leads there.
 */
const scrollKey: ScrollRestorationProps['getKey'] = ({ key, pathname, search, hash }) =>
  key === 'default' ? `${pathname}${search}${hash}` : key;

const focusMain = (): void => document.getElementById('main')?.focus({ preventScroll: true });

/** Puts the focus on a new page's heading, so that a screen reader reads it and Tab goes on from it. */
function useFocusOnNavigation(): void {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    const main = document.getElementById('main');
    // A page that has put the focus where it wants it keeps it there.
    if (main?.contains(document.activeElement) && main !== document.activeElement) return;
    const heading = main?.querySelector<HTMLElement>('[data-page-heading]');
    if (heading) heading.focus({ preventScroll: true });
    else focusMain();
  }, [pathname]);
}

/** Pages on which nobody is in the middle of something. */
const BETWEEN = new Set<string>([
  paths.login,
  paths.home,
  paths.questions,
  paths.pricing,
  paths.message,
]);

/** Notes where somebody was who goes to the plans, so that the payment's end leads back there. */
function useWayBack(): void {
  const { pathname, search, hash } = useLocation();
  const before = useRef({ pathname: '', address: '' });
  useEffect(() => {
    const { pathname: from, address } = before.current;
    if (pathname === paths.pricing && from !== pathname) {
      keepWayBack(from === '' || BETWEEN.has(from) ? null : address);
    }
    before.current = { pathname, address: `${pathname}${search}${hash}` };
  }, [pathname, search, hash]);
}

/** What all pages share: the upload panel, focus and scroll position. */
export function RootLayout() {
  const signedIn = useSignedIn();
  const [opened, setOpened] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const [handedIn, setHandedIn] = useState<readonly HandedIn[]>([]);
  const navigate = useNavigate();
  const actions = useMemo(() => {
    const open = (): void => {
      if (!isSignedIn()) return void navigate(paths.login);
      setWasOpened(true);
      setOpened(true);
    };
    const handIn = (content: readonly HandedIn[]): void => {
      setHandedIn(content);
      open();
    };
    return { open, handIn };
  }, [navigate]);
  const panel = useMemo(() => ({ ...actions, isOpen: opened }), [actions, opened]);
  // What was meant for one person's panel never comes into another's.
  if (!signedIn && handedIn.length > 0) setHandedIn([]);
  useFocusOnNavigation();
  useWayBack();
  return (
    <UploadPanelContext value={panel}>
      <a
        className={classes.skip}
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          focusMain();
        }}
      >
        Skip to content
      </a>
      <Outlet />
      {signedIn && wasOpened && (
        <Suspense>
          <UploadPanelHost
            opened={opened}
            onClose={() => setOpened(false)}
            handedIn={handedIn}
            onTaken={() => setHandedIn([])}
          />
        </Suspense>
      )}
      {signedIn && <LazyFreshCode />}
      <LazyInstallation />
      <ScrollRestoration getKey={scrollKey} />
    </UploadPanelContext>
  );
}
