import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import type { Topic } from './question.ts';

export const account: Topic = {
  id: 'account',
  label: 'Account Creation, Management & Security',
  questions: [
    {
      id: 'create-account',
      question: 'How do I create an account?',
      answer: ({ google }) => (
        <p>
          Enter your e-mail address on the sign-in page and type in the six digits that you are
          sent; the account is made the first time. {google && 'Or choose ‘Continue with Google’. '}
          There is no password. Whoever runs this server can limit new accounts to people they have
          invited.
        </p>
      ),
    },
    {
      id: 'no-code',
      question: 'I did not get a code. What now?',
      answer: ({ codesInLog }) => (
        <>
          <p>
            Look among your spam, and check how the address is written. After a minute you can have
            another one sent; it makes the one before void. A code holds for ten minutes and five
            tries.
          </p>
          {codesInLog && (
            <p>
              This server has no mail server set and prints its codes where it was started: look
              there.
            </p>
          )}
        </>
      ),
    },
    {
      id: 'change-profile',
      question: 'How do I change my name, phone number or photo?',
      answer: () => (
        <p>
          In <Link to={paths.profile}>My Profile</Link>. A photo is a JPG or PNG of up to 2 MB. The
          e-mail address stays, as it is what you are known by.
        </p>
      ),
    },
    {
      id: 'who-can-see',
      question: 'Who can see my files?',
      answer: () => (
        <p>
          You. Every search, list and file is looked for among your own, and to everybody else yours
          do not exist. An answer that you share by a link shows its text and the names of its
          sources, none of your files, and you can take the link back. Whoever runs the server can
          reach its disk, so use one that you trust.
        </p>
      ),
    },
    {
      id: 'sign-out',
      question: 'How long do I stay signed in?',
      answer: () => (
        <p>
          Until you log out, or have not opened Engram on that device for seven days. Logging out
          ends the session on the server as well, so that it cannot be taken up again.
        </p>
      ),
    },
    {
      id: 'take-data-along',
      question: 'Can I take everything with me?',
      answer: () => (
        <p>
          Yes. <Link to={paths.profile}>My Profile</Link> exports your files, questions, answers,
          keywords and profile as one zip, to read as it is or to import into another Engram.
        </p>
      ),
    },
    {
      id: 'delete-account',
      question: 'How do I delete my account?',
      answer: () => (
        <p>
          With ‘Delete Account’ in the menu or in your profile. Everything of yours goes with it:
          files, their text and index, questions, answers, keywords and keys. That cannot be undone,
          so export first what you want to keep.
        </p>
      ),
    },
  ],
};
