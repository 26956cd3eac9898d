import type { Session } from '@engram/contract';
import { lazy, Suspense, useEffect, useState } from 'react';
import { storeSession } from '../../../lib/session.ts';
import { useAppSettings } from '../../../lib/settings.ts';
import { EmailForm } from './email-form.tsx';
import classes from './sign-in.module.css';

const otpModal = async () => ({ default: (await import('./otp-modal.tsx')).OtpModal });
const termsModal = async () => ({ default: (await import('./terms-modal.tsx')).TermsModal });

// Fetched once the page stands: they are seldom wanted within the first second.
const OtpModal = lazy(otpModal);
const TermsModal = lazy(termsModal);

/** From the address over the code and the terms to a session. */
export function SignIn({ onDone }: { onDone: (session: Session) => void }) {
  const { codesInLog } = useAppSettings();
  const [email, setEmail] = useState('');
  const [attempt, setAttempt] = useState(0);
  const [asking, setAsking] = useState(false);
  const [unagreed, setUnagreed] = useState<Session | null>(null);

  useEffect(() => {
    void otpModal();
    void termsModal();
  }, []);

  const signedIn = (session: Session): void => {
    storeSession(session);
    setAsking(false);
    if (session.agreed) onDone(session);
    else setUnagreed(session);
  };

  return (
    <>
      <h1 className={classes.title}>Sign in</h1>
      <p className={classes.lead}>We send a 6 digit code to your e-mail.</p>
      <EmailForm
        onSent={(address) => {
          setEmail(address);
          setAttempt(attempt + 1);
          setAsking(true);
        }}
      />
      {codesInLog && (
        <p className={classes.note}>
          No mail server is set: the code is printed in the server&apos;s log.
        </p>
      )}
      {attempt > 0 && (
        <Suspense>
          <OtpModal
            opened={asking}
            attempt={attempt}
            email={email}
            onClose={() => setAsking(false)}
            onSignedIn={signedIn}
          />
        </Suspense>
      )}
      {unagreed && (
        <Suspense>
          <TermsModal opened onAgreed={() => onDone(unagreed)} />
        </Suspense>
      )}
    </>
  );
}
