import {
  KEYWORD_LIMIT,
  listTypes,
  mediaTypesText,
  QUESTION_LIMIT,
  TEXT_WORD_LIMIT,
} from '@engram/contract/browser';
import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { Section } from './section.tsx';

interface HowItWorksProps {
  mediaLimitMb: number;
  uploadLimitMb: number;
}

/** What happens to a file and to a question, from the upload to the deletion. */
export function HowItWorks({ mediaLimitMb, uploadLimitMb }: HowItWorksProps) {
  return (
    <Section id="how-it-works" title="How It Works">
      <p>
        Engram reads every file once, remembers where each sentence stands, and looks there when you
        ask.
      </p>

      <Section id="uploading" title="Uploading files" level={3}>
        <p>
          Drop files into the upload panel, choose them, or paste them. {mediaTypesText} may have{' '}
          {mediaLimitMb} MB, any other file {uploadLimitMb} MB; a note that you type may have{' '}
          {TEXT_WORD_LIMIT} words. A file that cannot be taken is named with the reason, and the
          others are stored all the same. The same file uploaded twice is kept once.
        </p>
      </Section>

      <Section id="reading" title="Reading files" level={3}>
        <p>
          Engram reads {listTypes()}. Text in pictures and on scanned pages is recognised; what a
          mail or an archive holds is read file by file. Recordings and videos are found by name and
          keywords, and by what is said in them where the server has speech switched on.
        </p>
        <p>
          Every file ends in a state that is true: searchable, searchable with a note on what could
          not be read, or failed with a reason, such as a password, and a button to try again.
        </p>
      </Section>

      <Section id="asking" title="Asking questions" level={3}>
        <p>
          A question has up to {QUESTION_LIMIT} characters and can be typed or spoken. While you
          type, Engram completes it from your earlier questions, keywords and files. It understands
          what a question says of files: ‘in budget.xlsx’, ‘the invoice from March’, ‘what did I
          upload last week’.
        </p>
      </Section>

      <Section id="answers" title="Answers and sources" level={3}>
        <p>
          Engram shows the passages that fit best as cards, by file: the place, the text as it
          stands there, and the sentence that matches best. A click opens the file at that sentence.
          Where a language model is connected, it writes an answer from the passages, with the
          number of its source behind each sentence. Below stand other files that match. An answer
          can be read aloud, and Engram shows how it was found: the passages, the words, the time of
          each stage.
        </p>
      </Section>

      <Section id="following-up" title="Following up" level={3}>
        <p>
          Ask further below an answer, and the next question knows what the last one was about:
          after ‘When does the lease end?’, ‘And what does it cost?’ is still about the lease.
          Engram also recommends questions whose place in your files it finds again.
        </p>
      </Section>

      <Section id="organizing" title="Organizing with keywords" level={3}>
        <p>
          Keywords group files, and a question can be narrowed to some of them. A keyword has up to{' '}
          {KEYWORD_LIMIT} letters or digits of any script; six are there from the start.{' '}
          <Link to={paths.keywords}>Keywords</Link> that you no longer need are archived, and stay
          on their files. A file can be archived too: it is kept, and left out of answers.
        </p>
      </Section>

      <Section id="history" title="History" level={3}>
        <p>
          Everything you asked today stands beside the question, and everything you ever asked under{' '}
          <Link to={paths.history}>History</Link>, where answers can be saved, archived and
          searched.
        </p>
      </Section>

      <Section id="sharing" title="Sharing an answer" level={3}>
        <p>
          Share makes a link to one answer. Whoever has the link can read the question, the answer
          and the names of its sources, and opens none of your files. You can take the link back at
          any time.
        </p>
      </Section>

      <Section id="your-data" title="Your data" level={3}>
        <p>
          Files and questions belong to your account alone. Deleting a file takes it out of answers
          at once, and out of earlier ones: sentences that rested on it are removed there too.
          Deleting the account deletes everything in it. What Engram stores and why is told in the{' '}
          <Link to={paths.privacy}>privacy policy</Link>.
        </p>
      </Section>
    </Section>
  );
}
