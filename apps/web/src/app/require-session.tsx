import { lazyPart } from '../components/lazy-part.tsx';
import { Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { Navigate, useLocation } from 'react-router';
import { useStore } from '../browser/store.ts';
import { ErrorState } from '../components/empty-state.tsx';
import { Logo } from '../components/logo.tsx';
import { restorationError, restoreSession } from '../session/restore-session.ts';
import { hasSignedOut, useSignedIn } from '../session/session.ts';
import { paths } from './paths.ts';
import { useProfile } from '../session/account.ts';
import { notifyErrorOnce } from '../components/notify.ts';

export interface SignInState {
  from: string;
}

/**
 * Shows its children to signed-in users, who must accept the terms. Redirects visitors to the sign-in
 * page, which returns here unless they have just signed out. Shows an error if the server cannot be
 * reached.
 */
export function RequireSession({ children }: { children: ReactNode }) {
  const signedIn = useSignedIn();
  const { pathname, search, hash } = useLocation();
  const error = useStore(restorationError);
  if (signedIn) {
    return (
      <>
        {children}
        <TermsGate />
      </>
    );
  }
  if (error !== null) {
    return (
      <Stack
        component="main"
        id="main"
        tabIndex={-1}
        align="center"
        justify="center"
        gap={0}
        mih="100dvh"
        p={16}
      >
        <Title order={1}>
          <Logo />
        </Title>
        <ErrorState title="Engram cannot be reached" error={error} onRetry={restoreSession} />
      </Stack>
    );
  }
  const state: SignInState | null = hasSignedOut() ? null : { from: `${pathname}${search}${hash}` };
  return <Navigate to={paths.login} replace state={state} />;
}

const TermsModal = lazyPart(() => import('../features/auth/components/terms-modal.tsx'));

function TermsGate() {
  const { data: profile, refetch, error, isLoadingError } = useProfile();
  useEffect(() => {
    // The connection notice reports a server that cannot be reached.
    const isReported = error instanceof TypeError;
    if (isLoadingError && !isReported) notifyErrorOnce('Your profile could not be loaded', error);
  }, [isLoadingError, error]);
  return profile?.isAgreedTerms === false && <TermsModal onAgreed={() => void refetch()} />;
}
