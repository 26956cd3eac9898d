import type { Session } from '@engram/contract';
import { useState } from 'react';
import { storeSession } from '../../../lib/session.ts';
import { useAppSettings } from '../../../lib/settings.ts';
import { EmailForm } from './email-form.tsx';
import { OtpModal } from './otp-modal.tsx';
import classes from './sign-in.module.css';
import { TermsModal } from './terms-modal.tsx';

/** From the address over the code and the terms to a session. */
export function SignIn({ onDone }: { onDone: (session: Session) => void }) {
  const { codesInLog } = useAppSettings();
  const [email, setEmail] = useState('');
  const [attempt, setAttempt] = useState(0);
  const [asking, setAsking] = useState(false);
  const [unagreed, setUnagreed] = useState<Session | null>(null);

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
      <OtpModal
        opened={asking}
        attempt={attempt}
        email={email}
        onClose={() => setAsking(false)}
        onSignedIn={signedIn}
      />
      <TermsModal
        opened={unagreed !== null}
        onAgreed={() => {
          if (unagreed) onDone(unagreed);
        }}
      />
    </>
  );
}
