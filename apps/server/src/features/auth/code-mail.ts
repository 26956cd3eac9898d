import { letter } from '../../platform/mail/letter.ts';
import type { MailMessage } from '../../platform/mail/mailer.ts';

export interface CodeMail {
  to: string;
  code: string;
  /** The address that signs in with one click; null where the server does not know its own. */
  link: string | null;
  validMinutes: number;
}

/** The mail that carries a sign-in code and, where there is one, a sign-in link. */
export const codeMail = ({ to, code, link, validMinutes }: CodeMail): MailMessage =>
  letter({
    to,
    subject: `${code} is your Engram sign-in code`,
    parts: [
      { text: 'Enter this code to sign in to Engram:' },
      { code },
      ...(link === null
        ? [{ text: `It is valid for ${validMinutes} minutes and can be used once.` }]
        : [
            { text: 'Or sign in with this link, in any browser:' },
            { button: { label: 'Sign in to Engram', url: link } },
            {
              text: `Both are valid for ${validMinutes} minutes, and one of them can be used once.`,
            },
          ]),
      {
        text: 'If you did not ask for this mail, you can ignore it: nobody can sign in without it.',
      },
    ],
  });
