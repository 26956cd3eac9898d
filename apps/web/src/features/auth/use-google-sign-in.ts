import type { Session } from '@engram/contract';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { api } from '../../api/api.ts';
import { deviceLabel } from '../../browser/device.ts';
import { paths } from '../../app/paths.ts';
import { heldPlace } from '../../browser/position.ts';
import { ApiError } from '@engram/client';
import { socialSignIn, startSocialSignIn } from '@engram/contract/browser';
import { failedBecause, failureText } from './failure-text.ts';
import { beginAttempt, readReturn, takeAttempt, type Returned } from './google-attempt.ts';

const DENIED = 'You did not let Google sign you in. Try again, or have a code sent to your e-mail.';
const NOT_OURS = failedBecause('This sign-in with Google was not begun in this tab.');

export interface GoogleSignIn {
  /** Whether the person is on the way to Google, or has just come back. */
  busy: boolean;
  /** What went wrong, in a sentence. */
  problem: string | null;
  start: () => void;
}

type State = { busy: boolean; problem: string | null };

const idle: State = { busy: false, problem: null };

/** Sentences of our own stand as they are; the server's come behind what failed. */
const textOf = (error: unknown): string =>
  error instanceof ApiError || error instanceof TypeError || !(error instanceof Error)
    ? failureText(error)
    : error.message;

/**
 * Signing in at Google's page: leaves for it, and goes on when the browser comes back to the sign-in
 * page with a code. Each return counts once, and only in the tab that left.
 */
export function useGoogleSignIn(
  from: string | undefined,
  onSignedIn: (session: Session, from: string | null) => void,
): GoogleSignIn {
  const { search } = useLocation();
  const navigate = useNavigate();
  const returned = readReturn(search);
  const [state, setState] = useState<State>({ ...idle, busy: returned !== null });
  const handled = useRef<string | null>(null);
  const signedIn = useRef(onSignedIn);
  useEffect(() => {
    signedIn.current = onSignedIn;
  });

  const finish = useCallback(
    async (arrived: Returned): Promise<void> => {
      const attempt = takeAttempt(arrived.state);
      const place = attempt?.from ? { from: attempt.from } : null;
      // The code is in no history and no screenshot, and the page it led to is remembered.
      void navigate(paths.login, { replace: true, state: place });
      if (!attempt) throw new Error(NOT_OURS);
      if ('error' in arrived) {
        throw new Error(
          arrived.error === 'access_denied'
            ? DENIED
            : failedBecause('Google could not sign you in.'),
        );
      }
      const { codeVerifier, redirectUri, nonce, place: location, from } = attempt;
      const proof = { code: arrived.code, codeVerifier, redirectUri, nonce };
      const body = { ...proof, location, device: deviceLabel() };
      signedIn.current((await api.call(socialSignIn, { body })).data, from);
    },
    [navigate],
  );

  useEffect(() => {
    // Effects may run twice, and a code works once.
    if (returned === null || handled.current === returned.state) return;
    handled.current = returned.state;
    finish(returned).catch((error: unknown) => setState({ busy: false, problem: textOf(error) }));
  }, [returned, finish]);

  useEffect(() => {
    // Whoever goes back from Google's page finds this one as it was left.
    const shownAgain = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) setState(idle);
    };
    window.addEventListener('pageshow', shownAgain);
    return () => window.removeEventListener('pageshow', shownAgain);
  }, []);

  const start = useCallback(() => {
    setState({ busy: true, problem: null });
    beginAttempt({ from: from ?? null, place: heldPlace() })
      .then((query) => api.call(startSocialSignIn, { query }))
      .then(
        ({ data }) => void window.open(data.url, '_self'),
        (error: unknown) => setState({ busy: false, problem: textOf(error) }),
      );
  }, [from]);

  return { ...state, start };
}
