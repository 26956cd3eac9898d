import { Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router';
import { ErrorState } from '../components/error-state.tsx';
import { Logo } from '../components/logo.tsx';
import { useSessionRestoration } from '../session/restore-session.ts';
import { leftDeliberately, useSignedIn } from '../session/session.ts';
import { paths } from './paths.ts';

/** What the sign-in page is told of the page that sent a visitor to it. */
export interface SignInState {
  from: string;
}

/**
 * Shows its children to a signed-in person and sends everybody else to the sign-in page, which
 * leads back here, unless the person has just signed out. While the server cannot be asked who is
 * there, nobody is sent away.
 */
export function RequireSession({ children }: { children: ReactNode }) {
  const signedIn = useSignedIn();
  const { pathname, search, hash } = useLocation();
  const { error, retry } = useSessionRestoration();
  if (signedIn) return children;
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
        <ErrorState title="Engram cannot be reached" error={error} onRetry={retry} />
      </Stack>
    );
  }
  const state: SignInState | null = leftDeliberately()
    ? null
    : { from: `${pathname}${search}${hash}` };
  return <Navigate to={paths.login} replace state={state} />;
}
