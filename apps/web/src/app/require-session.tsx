import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router';
import { leftDeliberately } from '../lib/session.ts';
import { useSignedIn } from '../lib/use-session.ts';
import { paths } from './paths.ts';

/** What the sign-in page is told of the page that sent a visitor to it. */
export interface SignInState {
  from: string;
}

/**
 * Shows its children to a signed-in person and sends everybody else to the sign-in page, which
 * leads back here, unless the person has just signed out.
 */
export function RequireSession({ children }: { children: ReactNode }) {
  const signedIn = useSignedIn();
  const { pathname, search, hash } = useLocation();
  if (signedIn) return children;
  const state: SignInState | null = leftDeliberately()
    ? null
    : { from: `${pathname}${search}${hash}` };
  return <Navigate to={paths.login} replace state={state} />;
}
