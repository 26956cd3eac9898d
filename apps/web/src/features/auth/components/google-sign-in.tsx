import { ApiError } from '@engram/client';
import type { Session } from '@engram/contract';
import { socialSignIn, startSocialSignIn } from '@engram/contract/browser';
import { Button, Divider, Text } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { api } from '../../../api/api.ts';
import { useAppSettings } from '../../../api/settings.ts';
import { paths } from '../../../app/paths.ts';
import { deviceLabel, heldPlace } from '../../../browser/device.ts';
import { SIGN_IN_FAILED, signInFailure } from '../api.ts';
import { beginAttempt, readReturn, takeAttempt, type Returned } from '../google-attempt.ts';

const DENIED = 'You did not let Google sign you in. Try again, or have a code sent to your e-mail.';
const OTHER_TAB = `${SIGN_IN_FAILED} This sign-in with Google was not begun in this tab.`;
const REFUSED = `${SIGN_IN_FAILED} Google could not sign you in.`;

/** The message of an error of this file, or the server's reason after what failed. */
const problemOf = (error: unknown): string =>
  error instanceof ApiError || error instanceof TypeError || !(error instanceof Error)
    ? signInFailure(error)
    : error.message;

interface GoogleSignInProps {
  /** The page that the user opened. */
  from: string | undefined;
  /** Called with the page that the user had opened before they left for Google. */
  onSignedIn: (session: Session, from: string | undefined) => void;
}

/**
 * The button that leads to Google's page, if the server has Google settings. Google sends the browser
 * back to the sign-in page with a code, which counts once and only in the tab that left.
 */
export function GoogleSignIn({ from, onSignedIn }: GoogleSignInProps) {
  const { google } = useAppSettings();
  const { search } = useLocation();
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(() => readReturn(search) !== null);
  const [problem, setProblem] = useState<string | null>(null);
  const handled = useRef<string | null>(null);

  const fail = (error: unknown): void => {
    setBusy(false);
    setProblem(problemOf(error));
  };

  const finish = async (returned: Returned): Promise<void> => {
    const attempt = takeAttempt(returned.state);
    // Removes the code from the address and keeps the page that the user had opened.
    const state = attempt?.from ? { from: attempt.from } : null;
    void navigate(paths.login, { replace: true, state });
    if (!attempt) throw new Error(OTHER_TAB);
    if ('error' in returned) {
      throw new Error(returned.error === 'access_denied' ? DENIED : REFUSED);
    }
    const { codeVerifier, redirectUri, nonce, place } = attempt;
    const proof = { code: returned.code, codeVerifier, redirectUri, nonce };
    const body = { ...proof, location: place, device: deviceLabel() };
    onSignedIn((await api.call(socialSignIn, { body })).data, attempt.from ?? undefined);
  };

  const handleReturn = useEffectEvent((query: string) => {
    const returned = readReturn(query);
    // Effects may run twice, and a code works once.
    if (returned === null || handled.current === returned.state) return;
    handled.current = returned.state;
    finish(returned).catch(fail);
  });
  useEffect(() => handleReturn(search), [search]);

  useEffect(() => {
    // The browser's Back button shows this page as it was left, with the button disabled.
    const reset = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) setBusy(false);
    };
    window.addEventListener('pageshow', reset);
    return () => window.removeEventListener('pageshow', reset);
  }, []);

  const start = async (): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      const query = await beginAttempt({ from: from ?? null, place: heldPlace() });
      window.open((await api.call(startSocialSignIn, { query })).data.url, '_self');
    } catch (error) {
      fail(error);
    }
  };

  if (!google && !isBusy && problem === null) return null;
  return (
    <>
      <Divider my={20} label="OR" />
      <Button
        variant="default"
        fullWidth
        h={50}
        radius="var(--eg-radius)"
        bd="1px solid var(--eg-line-strong)"
        fz={15}
        leftSection={<GoogleMark />}
        opacity={isBusy ? 0.6 : 1}
        aria-busy={isBusy}
        aria-disabled={isBusy}
        onClick={() => {
          if (!isBusy) void start();
        }}
      >
        Continue with Google
      </Button>
      {problem !== null && (
        <Text mt={10} mx={2} size="sm" c="red" role="alert">
          {problem}
        </Text>
      )}
    </>
  );
}

/** Google's mark in its own colours, as its branding guidelines ask for. */
const GoogleMark = () => (
  <svg viewBox="0 0 48 48" width="18" height="18" aria-hidden="true">
    <path
      fill="#EA4335"
      d="M24 9.5c3.54 0 6.71 1.22 9.21 3.6l6.85-6.85C35.9 2.38 30.47 0 24 0 14.62 0 6.51 5.38 2.56 13.22l7.98 6.19C12.43 13.72 17.74 9.5 24 9.5z"
    />
    <path
      fill="#4285F4"
      d="M46.98 24.55c0-1.57-.15-3.09-.38-4.55H24v9.02h12.94c-.58 2.96-2.26 5.48-4.78 7.18l7.73 6c4.51-4.18 7.09-10.36 7.09-17.65z"
    />
    <path
      fill="#FBBC05"
      d="M10.53 28.59c-.48-1.45-.76-2.99-.76-4.59s.27-3.14.76-4.59l-7.98-6.19C.92 16.46 0 20.12 0 24c0 3.88.92 7.54 2.56 10.78l7.97-6.19z"
    />
    <path
      fill="#34A853"
      d="M24 48c6.48 0 11.93-2.13 15.89-5.81l-7.73-6c-2.15 1.45-4.92 2.3-8.16 2.3-6.26 0-11.57-4.22-13.47-9.91l-7.98 6.19C6.51 42.62 14.62 48 24 48z"
    />
  </svg>
);
