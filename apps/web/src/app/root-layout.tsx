import { useDidUpdate, useWindowEvent } from '@mantine/hooks';
import { useEffect, useRef, useState, type ComponentType } from 'react';
import { Outlet, ScrollRestoration, useLocation, type ScrollRestorationProps } from 'react-router';
import { uploadPanel } from '../artifacts/dialogs.ts';
import { useStore } from '../browser/store.ts';
import { whenIdle } from '../browser/when-idle.ts';
import { lazyDialog, lazyPart } from '../components/lazy-part.tsx';
import { useAuthenticationPrompt } from '../session/recent-authentication.ts';
import { storeReturnPath } from '../session/session-cache.ts';
import { useSignedIn } from '../session/session.ts';
import { paths } from './paths.ts';
import classes from './root-layout.module.css';

const AuthenticationDialog = lazyDialog(
  () => import('../features/auth/components/authentication-dialog.tsx'),
);

const Installation = lazyPart(async (): Promise<{ default: ComponentType }> => {
  try {
    return await import('../features/installation/components/notices.tsx');
  } catch {
    // Offline, and not cached yet. The page works without it.
    return { default: () => null };
  }
});

/** Loads the service worker and its notices when the page is idle or goes offline. */
function LazyInstallation() {
  const [isNeeded, setNeeded] = useState(() => !navigator.onLine);
  useWindowEvent('offline', () => setNeeded(true));
  useEffect(() => whenIdle(() => setNeeded(true)), []);
  return isNeeded && <Installation />;
}

const UploadPanel = lazyDialog(() => import('../features/upload/components/upload-panel.tsx'));

async function removeShared(ids: readonly string[]): Promise<void> {
  const inbox = await import('../features/installation/share-inbox.ts');
  await inbox.removeShared(ids);
}

/**
 * The key of a stored scroll position. The first pages of a tab share one key of the router, so they use
 * their addresses.
 */
const scrollKey: ScrollRestorationProps['getKey'] = ({ key, pathname, search, hash }) =>
  key === 'default' ? `${pathname}${search}${hash}` : key;

const focusMain = (): void => document.getElementById('main')?.focus({ preventScroll: true });

function useFocusOnNavigation(): void {
  const { pathname } = useLocation();
  useDidUpdate(() => {
    const main = document.getElementById('main');
    // The page may have set the focus itself.
    if (main?.contains(document.activeElement) && main !== document.activeElement) return;
    const heading = main?.querySelector<HTMLElement>('[data-page-heading]');
    if (heading) heading.focus({ preventScroll: true });
    else focusMain();
  }, [pathname]);
}

const NO_RETURN = new Set<string>([
  paths.login,
  paths.home,
  paths.questions,
  paths.pricing,
  paths.message,
]);

/** Stores the page from which the plans were opened, so that the payment returns there. */
function useReturnPath(): void {
  const { pathname, search, hash } = useLocation();
  const previous = useRef({ pathname: '', address: '' });
  useEffect(() => {
    const { pathname: from, address } = previous.current;
    if (pathname === paths.pricing && from !== pathname) {
      storeReturnPath(from === '' || NO_RETURN.has(from) ? null : address);
    }
    previous.current = { pathname, address: `${pathname}${search}${hash}` };
  }, [pathname, search, hash]);
}

export function RootLayout() {
  const signedIn = useSignedIn();
  const isPanelOpen = useStore(uploadPanel);
  const isAsking = useAuthenticationPrompt() !== null;
  useFocusOnNavigation();
  useReturnPath();
  return (
    <>
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
      {signedIn && <UploadPanel opened={isPanelOpen} onSettled={(ids) => void removeShared(ids)} />}
      {signedIn && <AuthenticationDialog opened={isAsking} />}
      <LazyInstallation />
      <ScrollRestoration getKey={scrollKey} />
    </>
  );
}
