import type { Session } from '@engram/contract';
import { signInWithLink } from '@engram/contract/browser';
import { Anchor, Button, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { useAppSettings } from '../../../api/settings.ts';
import { useAction } from '../../../api/use-action.ts';
import { deviceLabel, currentPlaceName } from '../../../browser/device.ts';
import { lazyPart } from '../../../components/lazy-part.tsx';
import { messageOf } from '../../../components/notify.ts';
import { hasEnded, storeSession } from '../../../session/session.ts';
import { parseSignInLink, reasonToSignIn, type SignInLink } from '../addresses.ts';
import { EmailForm } from './email-form.tsx';
import { GoogleSignIn } from './google-sign-in.tsx';
import { PasskeySignIn } from './passkey-sign-in.tsx';

const OtpModal = lazyPart(() => import('./otp-modal.tsx'));
const TermsModal = lazyPart(() => import('./terms-modal.tsx'));

const highlighted = { px: 14, py: 10, bdrs: 10, bg: 'var(--eg-accent-soft)' } as const;

interface SignInProps {
  from: string | undefined;
  onDone: (session: Session, from: string | undefined) => void;
}

export function SignIn({ from, onDone }: SignInProps) {
  const { codesInLog } = useAppSettings();
  const { hash } = useLocation();
  const [dismissedLink, setDismissedLink] = useState<string | null>(null);
  const [sent, setSent] = useState({ email: '', useNewest: false, attempt: 0 });
  const [isCodeOpen, setCodeOpen] = useState(false);
  const [onAgreed, setOnAgreed] = useState<(() => void) | null>(null);
  // Read once, so that the message stays while the terms are shown.
  const [sessionEnded] = useState(hasEnded);

  const onSignedIn = (session: Session, returnTo: string | undefined): void => {
    storeSession(session);
    setCodeOpen(false);
    if (session.agreed) onDone(session, returnTo);
    else setOnAgreed(() => () => onDone(session, returnTo));
  };

  const terms = onAgreed && <TermsModal onAgreed={onAgreed} />;
  const link = hash === dismissedLink ? null : parseSignInLink(hash);
  if (link) {
    return (
      <>
        <LinkSignIn
          key={hash}
          link={link}
          onSignedIn={(session) => onSignedIn(session, from)}
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
          {reason}
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
      <GoogleSignIn from={from} onSignedIn={onSignedIn} />
      <PasskeySignIn onSignedIn={(session) => onSignedIn(session, from)} />
      {sent.attempt > 0 && (
        <OtpModal
          {...sent}
          opened={isCodeOpen}
          onClose={() => setCodeOpen(false)}
          onSignedIn={(session) => onSignedIn(session, from)}
        />
      )}
      {terms}
    </>
  );
}

interface LinkSignInProps {
  link: SignInLink;
  onSignedIn: (session: Session) => void;
  onLeave: () => void;
}

/** Signs in with a mailed link after a click, as mail scanners open links too. */
function LinkSignIn({ link, onSignedIn, onLeave }: LinkSignInProps) {
  const signIn = useAction(signInWithLink, { onSuccess: onSignedIn });
  return (
    <Stack gap={16}>
      <Title fz={27}>Sign in</Title>
      {signIn.isError ? (
        <Text c="red" role="alert">
          {messageOf(signIn.error)}
        </Text>
      ) : (
        <Text c="dimmed">
          You are about to sign in to Engram as{' '}
          <Text span fw={600} c="var(--eg-ink)" style={{ overflowWrap: 'anywhere' }}>
            {link.email}
          </Text>
          .
        </Text>
      )}
      <Button
        size="md"
        loading={signIn.isPending || signIn.isSuccess}
        onClick={() =>
          signIn.mutate({ body: { ...link, location: currentPlaceName(), device: deviceLabel() } })
        }
      >
        {signIn.isError ? 'Try again' : 'Sign in'}
      </Button>
      <Anchor component="button" type="button" size="sm" c="dimmed" onClick={onLeave}>
        {signIn.isError ? 'Ask for a new mail' : 'Use another address'}
      </Anchor>
    </Stack>
  );
}
