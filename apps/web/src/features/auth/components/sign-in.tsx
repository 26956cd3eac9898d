import type { Session } from '@engram/contract';
import { Text, Title } from '@mantine/core';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { onFirstInteraction } from '../../../browser/first-interaction.ts';
import { hasEnded, storeSession } from '../../../session/session.ts';
import { useAppSettings } from '../../../api/settings.ts';
import { reasonToSignIn } from '../came-for.ts';
import { signInLinkIn } from '../sign-in-link.ts';
import { EmailForm } from './email-form.tsx';
import { GoogleButton } from './google-button.tsx';
import { LinkSignIn } from './link-sign-in.tsx';

const otpModal = async () => ({ default: (await import('./otp-modal.tsx')).OtpModal });
const termsModal = async () => ({ default: (await import('./terms-modal.tsx')).TermsModal });

// Fetched once somebody begins, and so before they are wanted.
const OtpModal = lazy(otpModal);
const TermsModal = lazy(termsModal);

/** A failure shows again, and is told, when they are wanted. */
function fetchModals(): void {
  otpModal().catch(() => undefined);
  termsModal().catch(() => undefined);
}

/** Words on a ground that sets them off. */
const told = { px: 14, py: 10, bdrs: 10, bg: 'var(--eg-accent-soft)' } as const;

interface SignInProps {
  /** The page that the person came for. */
  from: string | undefined;
  /** Called with the page to go on to, if the person came for one. */
  onDone: (session: Session, from: string | undefined) => void;
}

/** From a mailed code or link, or from Google, over the terms to a session. */
export function SignIn({ from, onDone }: SignInProps) {
  const { codesInLog } = useAppSettings();
  const { hash } = useLocation();
  const [leftLink, setLeftLink] = useState<string | null>(null);
  const link = hash === leftLink ? null : signInLinkIn(hash);
  const [email, setEmail] = useState('');
  const [useNewest, setUseNewest] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const [asking, setAsking] = useState(false);
  const [goOn, setGoOn] = useState<(() => void) | null>(null);
  // It stands until they have gone on, also while the terms are read.
  const [wasEnded] = useState(hasEnded);

  const reason = reasonToSignIn(from);

  useEffect(() => onFirstInteraction(fetchModals), []);

  const signedIn = (session: Session, cameFor: string | undefined): void => {
    storeSession(session);
    setAsking(false);
    if (session.agreed) onDone(session, cameFor);
    else setGoOn(() => () => onDone(session, cameFor));
  };

  const terms = goOn && (
    <Suspense>
      <TermsModal onAgreed={goOn} />
    </Suspense>
  );
  if (link) {
    return (
      <>
        <LinkSignIn
          key={hash}
          link={link}
          onSignedIn={(session) => signedIn(session, from)}
          onLeave={() => setLeftLink(hash)}
        />
        {terms}
      </>
    );
  }
  return (
    <>
      <Title fz={27} mb={6}>
        Sign in
      </Title>
      {wasEnded ? (
        <Text component="output" display="block" mb={16} {...told}>
          Your session has ended. Please sign in again.
        </Text>
      ) : (
        reason && (
          <Text mb={16} {...told}>
            {reason} You go on there afterwards.
          </Text>
        )
      )}
      <Text mb={16} c="dimmed">
        We send a 6 digit code to your e-mail.
      </Text>
      <EmailForm
        onSent={(address, newest) => {
          setEmail(address);
          setUseNewest(newest);
          setAttempt(attempt + 1);
          setAsking(true);
        }}
      />
      {codesInLog && (
        <Text mt={12} size="sm" c="dimmed" {...told}>
          No mail server is set: the code is printed in the server&apos;s log.
        </Text>
      )}
      <GoogleButton
        from={from}
        onSignedIn={(session, cameFor) => signedIn(session, cameFor ?? undefined)}
      />
      {attempt > 0 && (
        <Suspense>
          <OtpModal
            opened={asking}
            attempt={attempt}
            email={email}
            useNewest={useNewest}
            onClose={() => setAsking(false)}
            onSignedIn={(session) => signedIn(session, from)}
          />
        </Suspense>
      )}
      {terms}
    </>
  );
}
