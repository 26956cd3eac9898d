import type { Session } from '@engram/contract';
import { Text, Title } from '@mantine/core';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { useAppSettings } from '../../../api/settings.ts';
import { onFirstInteraction } from '../../../browser/first-interaction.ts';
import { hasEnded, storeSession } from '../../../session/session.ts';
import { parseSignInLink, reasonToSignIn } from '../addresses.ts';
import { EmailForm } from './email-form.tsx';
import { GoogleSignIn } from './google-sign-in.tsx';
import { LinkSignIn } from './link-sign-in.tsx';

const otpModal = async () => ({ default: (await import('./otp-modal.tsx')).OtpModal });
const termsModal = async () => ({ default: (await import('./terms-modal.tsx')).TermsModal });

const OtpModal = lazy(otpModal);
const TermsModal = lazy(termsModal);

/** Fetches the dialogs before they are needed. A failure is repeated, and shown, when they open. */
function fetchModals(): void {
  otpModal().catch(() => undefined);
  termsModal().catch(() => undefined);
}

const highlighted = { px: 14, py: 10, bdrs: 10, bg: 'var(--eg-accent-soft)' } as const;

interface SignInProps {
  /** The page that the user opened. */
  from: string | undefined;
  /** Called with the page to continue to, if the user opened one. */
  onDone: (session: Session, from: string | undefined) => void;
}

/** Signs in by a mailed code or link, or by Google, and asks for the terms if they are not accepted. */
export function SignIn({ from, onDone }: SignInProps) {
  const { codesInLog } = useAppSettings();
  const { hash } = useLocation();
  const [dismissedLink, setDismissedLink] = useState<string | null>(null);
  const [sent, setSent] = useState({ email: '', useNewest: false, attempt: 0 });
  const [isCodeOpen, setCodeOpen] = useState(false);
  const [goOn, setGoOn] = useState<(() => void) | null>(null);
  // Read once: the message stays while the terms are read.
  const [sessionEnded] = useState(hasEnded);
  useEffect(() => onFirstInteraction(fetchModals), []);

  const signedIn = (session: Session, cameFrom: string | undefined): void => {
    storeSession(session);
    setCodeOpen(false);
    if (session.agreed) onDone(session, cameFrom);
    else setGoOn(() => () => onDone(session, cameFrom));
  };

  const terms = goOn && (
    <Suspense>
      <TermsModal onAgreed={goOn} />
    </Suspense>
  );
  const link = hash === dismissedLink ? null : parseSignInLink(hash);
  if (link) {
    return (
      <>
        <LinkSignIn
          key={hash}
          link={link}
          onSignedIn={(session) => signedIn(session, from)}
          onLeave={() => setDismissedLink(hash)}
        />
        {terms}
      </>
    );
  }
  const reason = reasonToSignIn(from);
  return (
    <>
      <Title fz={27} mb={6}>
        Sign in
      </Title>
      {sessionEnded && (
        <Text component="output" display="block" mb={16} {...highlighted}>
          Your session has ended. Please sign in again.
        </Text>
      )}
      {!sessionEnded && reason && (
        <Text mb={16} {...highlighted}>
          {reason} You go on there afterwards.
        </Text>
      )}
      <Text mb={16} c="dimmed">
        We send a 6 digit code to your e-mail.
      </Text>
      <EmailForm
        onSent={(email, useNewest) => {
          setSent({ email, useNewest, attempt: sent.attempt + 1 });
          setCodeOpen(true);
        }}
      />
      {codesInLog && (
        <Text mt={12} size="sm" c="dimmed" {...highlighted}>
          No mail server is set: the code is printed in the server&apos;s log.
        </Text>
      )}
      <GoogleSignIn from={from} onSignedIn={signedIn} />
      {sent.attempt > 0 && (
        <Suspense>
          <OtpModal
            {...sent}
            opened={isCodeOpen}
            onClose={() => setCodeOpen(false)}
            onSignedIn={(session) => signedIn(session, from)}
          />
        </Suspense>
      )}
      {terms}
    </>
  );
}
