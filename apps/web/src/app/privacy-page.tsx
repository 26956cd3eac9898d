import { Page } from '../components/page.tsx';
import { useAppSettings } from '../lib/settings.ts';
import classes from './text-page.module.css';

export function PrivacyPage() {
  const { contactEmail } = useAppSettings();
  return (
    <Page
      title="Privacy Policy"
      lead="Engram runs on this server. Your files, questions and answers stay on it unless whoever runs it has connected an outside service."
      width="text"
    >
      <div className={classes.text}>
        <h2>How far answers can be trusted</h2>
        <p>
          Answers are put together from your own files, and each names the place it comes from. They
          can still be incomplete or wrong: read the source before you rely on one.
        </p>
        <h2>What is kept</h2>
        <ul>
          <li>Your e-mail address, and the name and contact details you add yourself.</li>
          <li>
            Your files and notes, the text that was read from them, and the index built from it.
          </li>
          <li>Your questions with their answers, so that you find them again in the history.</li>
          <li>
            When you sign in, the kind of device and the network address, to recognise misuse.
            Sign-in codes are kept only as a keyed hash.
          </li>
          <li>
            With each question, the kind of device and the network address it came from; where it
            was asked, to about a kilometre, only while you have switched that on.
          </li>
        </ul>
        <h2>What it is used for</h2>
        <p>
          To show you your files and to answer your questions. Nothing is sold, there is no
          advertising, no tracking, and no model is trained on your files.
        </p>
        <h2>What leaves this server</h2>
        <ul>
          <li>
            <strong>Nothing, as Engram comes:</strong> files are read, indexed and searched here.
          </li>
          <li>
            <strong>If a language model is connected,</strong> your question and the few passages
            that may answer it are sent to it, and its provider’s own terms apply. A model that runs
            on this machine keeps them here. If embeddings come from an outside provider, the text
            of your files is sent there as well.
          </li>
          <li>
            <strong>If a mail server is set,</strong> it is given your address and the sign-in code.
          </li>
          <li>
            <strong>If you sign in with Google,</strong> this server learns your address, your name
            and your picture from Google, and Google that you sign in here. Nothing else is sent.
          </li>
          <li>
            <strong>If a geocoder is set,</strong> it is asked what a place is called where you
            switched on your location: by its position to about a kilometre, and nothing of you.
          </li>
        </ul>
        <h2>Security</h2>
        <p>
          Only you can open your files through Engram. Links to them hold for a short time and for
          one file. Whoever runs this server can reach its disk, so use a server that you trust.
        </p>
        <h2>Your rights</h2>
        <p>
          You can look at everything that is kept of you in the app. Deleting a file deletes its
          bytes, its text and its place in the index, and new answers no longer draw on it.
        </p>
        <h2>Contact</h2>
        {contactEmail ? (
          <p>
            Questions about your data: <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
          </p>
        ) : (
          <p>For questions about your data, ask whoever runs this server.</p>
        )}
      </div>
    </Page>
  );
}
