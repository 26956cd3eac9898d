import { ApiError } from '@engram/client';
import type { Session } from '@engram/contract';
import { socialSignIn, startSocialSignIn } from '@engram/contract/browser';
import { Button, Divider } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { api } from '../../../api/api.ts';
import { useAppSettings } from '../../../api/settings.ts';
import { paths } from '../../../app/paths.ts';
import { deviceLabel, currentPlaceName } from '../../../browser/device.ts';
import { ErrorText } from '../../../components/notice.tsx';
import { SIGN_IN_FAILED, signInFailure } from '../api.ts';
import googleMark from '../google.svg';

const KEY = 'googleSignIn';

interface Attempt {
  state: string;
  nonce: string;
  codeVerifier: string;
  redirectUri: string;
  from: string | null;
  place: string | null;
}

type Redirect = { state: string; code: string } | { state: string; error: string };

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const randomToken = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));

/**
 * Stores a new attempt in this tab and returns its parameters for the server (OAuth with PKCE).
 * @throws Error on a page without https, where browsers have no digest
 */
async function startAttempt(context: Pick<Attempt, 'from' | 'place'>) {
  if (!globalThis.crypto?.subtle) {
    throw new Error('Signing in with Google needs an https address.');
  }
  const attempt: Attempt = {
    ...context,
    state: randomToken(),
    nonce: randomToken(),
    codeVerifier: randomToken(),
    redirectUri: new URL(paths.login, window.location.origin).href,
  };
  const verifier = new TextEncoder().encode(attempt.codeVerifier);
  const codeChallenge = base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', verifier)));
  sessionStorage.setItem(KEY, JSON.stringify(attempt));
  const { state, nonce, redirectUri } = attempt;
  return { state, nonce, redirectUri, codeChallenge };
}

function takeAttempt(state: string): Attempt | null {
  try {
    const attempt = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Attempt | null;
    return attempt?.state === state ? attempt : null;
  } catch {
    return null;
  } finally {
    sessionStorage.removeItem(KEY);
  }
}

/** Parses the query of Google's redirect; null for any other query. */
function parseRedirect(search: string): Redirect | null {
  const query = new URLSearchParams(search);
  const [state, code, error] = ['state', 'code', 'error'].map((name) => query.get(name));
  if (!state) return null;
  if (code) return { state, code };
  return error ? { state, error } : null;
}

const DENIED =
  'You did not allow the sign-in with Google. Try again, or sign in with a mailed code.';
const OTHER_TAB = `${SIGN_IN_FAILED} This sign-in with Google was not started in this tab.`;
const REFUSED = `${SIGN_IN_FAILED} Google could not sign you in.`;

const failureText = (error: unknown): string =>
  error instanceof ApiError || error instanceof TypeError || !(error instanceof Error)
    ? signInFailure(error)
    : error.message;

interface GoogleSignInProps {
  from: string | undefined;
  onSignedIn: (session: Session, from: string | undefined) => void;
}

/**
 * The button that opens Google's page, if the server has Google settings. Google redirects back with a
 * code, which works once and only in the same tab.
 */
export function GoogleSignIn({ from, onSignedIn }: GoogleSignInProps) {
  const { google } = useAppSettings();
  const { search } = useLocation();
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(() => parseRedirect(search) !== null);
  const [problem, setProblem] = useState<string | null>(null);
  const handled = useRef<string | null>(null);

  const fail = (error: unknown): void => {
    setBusy(false);
    setProblem(failureText(error));
  };

  const finish = async (redirect: Redirect): Promise<void> => {
    const attempt = takeAttempt(redirect.state);
    // Removes the code from the address and keeps the page that the user had opened.
    const state = attempt?.from ? { from: attempt.from } : null;
    void navigate(paths.login, { replace: true, state });
    if (!attempt) throw new Error(OTHER_TAB);
    if ('error' in redirect) {
      throw new Error(redirect.error === 'access_denied' ? DENIED : REFUSED);
    }
    const { codeVerifier, redirectUri, nonce, place } = attempt;
    const proof = { code: redirect.code, codeVerifier, redirectUri, nonce };
    const body = { ...proof, location: place, device: deviceLabel() };
    onSignedIn((await api.call(socialSignIn, { body })).data, attempt.from ?? undefined);
  };

  const handleReturn = useEffectEvent((query: string) => {
    const redirect = parseRedirect(query);
    // Effects may run twice, and a code works once.
    if (redirect === null || handled.current === redirect.state) return;
    handled.current = redirect.state;
    finish(redirect).catch(fail);
  });
  useEffect(() => handleReturn(search), [search]);

  // The browser's Back button shows this page as it was left, with the button disabled.
  useWindowEvent('pageshow', ({ persisted }) => {
    if (persisted) setBusy(false);
  });

  const start = async (): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      const query = await startAttempt({ from: from ?? null, place: currentPlaceName() });
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
        leftSection={<img src={googleMark} width={18} height={18} alt="" />}
        opacity={isBusy ? 0.6 : 1}
        aria-busy={isBusy}
        aria-disabled={isBusy}
        onClick={() => {
          if (!isBusy) void start();
        }}
      >
        Continue with Google
      </Button>
      <ErrorText mt={10} mx={2}>
        {problem}
      </ErrorText>
    </>
  );
}
