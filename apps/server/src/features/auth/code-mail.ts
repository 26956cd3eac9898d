import { letter } from '../../platform/mail/letter.ts';
import type { MailMessage } from '../../platform/mail/mailer.ts';

/** The mail that carries a sign-in code. */
export const codeMail = (to: string, code: string, validMinutes: number): MailMessage =>
  letter({
    to,
    subject: `${code} is your Engram sign-in code`,
    parts: [
      { text: 'Enter this code to sign in to Engram:' },
      { code },
      { text: `It is valid for ${validMinutes} minutes and can be used once.` },
      {
        text: 'If you did not ask for it, you can ignore this mail: without the code nobody can sign in.',
      },
    ],
  });
