import { Page } from '../components/page.tsx';
import { useAppSettings } from '../api/settings.ts';
import { Prose } from '../components/prose.tsx';

export function PrivacyPage() {
  const { contactEmail } = useAppSettings();
  return (
    <Page
      title="Privacy Policy"
      lead="Engram runs on this server. Your files, questions and answers stay on it unless whoever runs it has connected an outside service."
      width="text"
    >
      <Prose>
        <h2>Accuracy of AI responses</h2>
        <p>
          Answers quote your own files or, where a language model is connected, are written from
          them by it, and each names the place it comes from. They can still be incomplete or wrong:
          read the source before you rely on one.
        </p>
        <h2>Information we collect</h2>
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
          <li>
            Your plan, how much of it you have used, and of payments the plan, the amount, the day
            and the billing address. Card numbers are never kept here.
          </li>
          <li>
            API keys that you make, only as a hash, with the time of their last use; programs and
            devices that you let in, with their name, address and last use, and what lets them in
            only as a hash; and what admins of this server do, in a log of its own.
          </li>
        </ul>
        <h2>How it is used</h2>
        <p>
          To show you your files and to answer your questions. Nothing is sold, there is no
          advertising, no tracking, and no model is trained on your files.
        </p>
        <h2>What is shared</h2>
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
            <strong>
              If recordings are written down, pictures described or answers spoken by an outside
              provider,
            </strong>{' '}
            those recordings, pictures and answers are sent there, under its own terms.
          </li>
          <li>
            <strong>If you speak a question,</strong> your browser may have what you say written
            down by its own maker’s service. Where it cannot do that, the recording goes to this
            server, and to the provider that writes recordings down for it.
          </li>
          <li>
            <strong>If a mail server is set,</strong> it is given your address and what is written
            to you: sign-in codes, receipts, and warnings about limits and files.
          </li>
          <li>
            <strong>If Stripe is set and you buy a plan,</strong> Stripe is given your address and
            the plan, and takes your card on a form of its own, under its own terms. Its script is
            loaded for that checkout alone. In the sandbox no card is kept or sent anywhere.
          </li>
          <li>
            <strong>If you sign in with Google,</strong> this server learns your address, your name
            and your picture from Google, and Google that you sign in here. Nothing else is sent.
          </li>
          <li>
            <strong>If a geocoder is set,</strong> it is asked what a place is called where you
            switched on your location: by its position to about a kilometre, and nothing of you.
          </li>
          <li>
            <strong>If a map is set,</strong> opening Contact loads it from OpenStreetMap, which
            learns your network address from that.
          </li>
          <li>
            <strong>If you share an answer,</strong> whoever has its link can read it until you take
            the link back. What you export is yours to keep safe.
          </li>
        </ul>
        <h2>Security</h2>
        <p>
          Only you can open your files through Engram. Links to them hold for a short time and for
          one file. Whoever runs this server can reach its disk, so use a server that you trust.
        </p>
        <h2>Your rights</h2>
        <ul>
          <li>
            <strong>Access and update:</strong> you can look at everything that is kept of you in
            the app, change your profile and your preferences, and export it all as one zip.
          </li>
          <li>
            <strong>Deletion:</strong> deleting a file deletes its bytes, its text and its place in
            the index, and new answers no longer draw on it. You can delete your whole history, all
            files, or your account with everything in it.
          </li>
          <li>
            <strong>Opt-out:</strong> your location is kept only while you have it switched on, the
            questions about how you use Engram can be skipped, and every shared link can be taken
            back. There is no advertising or tracking to opt out of.
          </li>
        </ul>
        <h2>How long it is kept</h2>
        <p>
          Until you delete it. One thing is deleted by itself: where this server enforces its plans’
          limits and a paid plan was cancelled, the newest files above the free storage go one week
          after the plan’s end, and only after two mails have warned you.
        </p>
        <h2>Contact</h2>
        {contactEmail ? (
          <p>
            Questions about your data: <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
          </p>
        ) : (
          <p>For questions about your data, ask whoever runs this server.</p>
        )}
      </Prose>
    </Page>
  );
}
