import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { useAppSettings } from '../../../api/settings.ts';
import { Clip } from '../../../components/clip.tsx';
import { DeveloperTools } from './developer-tools.tsx';
import { Section } from './section.tsx';
import {
  KEYWORD_LIMIT,
  listTypes,
  mediaTypesText,
  QUESTION_LIMIT,
  TEXT_WORD_LIMIT,
} from '@engram/contract/browser';

export function ProductPart() {
  const { mediaLimitMb, uploadLimitMb } = useAppSettings();
  return (
    <>
      <Section id="introduction" title="Introduction">
        <p>
          Engram is a knowledge base for one person: you keep files and notes in it, and ask it
          questions. It answers with what your own files say, and shows where each fact stands: the
          page of a contract, the row of a table, the second of a recording. When your files hold no
          answer, it says so.
        </p>
        <p>
          It works without a language model and without sending your files anywhere. Whoever runs
          the server can add a model; then answers are written rather than quoted, and every
          citation is still checked against the file before you see it.
        </p>
        <p>
          New here? <Link to={paths.home}>The home page</Link> shows Engram at work. If something is
          missing in this documentation, <Link to={paths.contact}>write to us</Link>.
        </p>
      </Section>

      <Section id="quick-start" title="Quick Start">
        <ol>
          <li>
            Choose <strong>Upload</strong> and drop in a few files, or type a note. Give them
            keywords if you like.
          </li>
          <li>
            Wait until the list of <Link to={paths.files}>your files</Link> says{' '}
            <strong>Search Ready: Yes</strong>. A page of text takes moments, a scanned book
            minutes.
          </li>
          <li>
            Go to <Link to={paths.search}>Search</Link> and ask a question in your own words, such
            as ‘How much notice does the lease ask for?’
          </li>
          <li>
            Choose a section of the answer, or a number in one that a model wrote, and the file
            opens at that place with the sentence marked.
          </li>
        </ol>
        <Clip name="engram-wide" label="From a file to the sentence that answers">
          Three files go into the upload panel and are ready a moment later. A question is typed,
          and the answer is the section of the lease with its page. A click on it opens the lease at
          that page, with the sentence marked.
        </Clip>
      </Section>

      <HowItWorks mediaLimitMb={mediaLimitMb} uploadLimitMb={uploadLimitMb} />
      <DeveloperTools />

      <Section id="pricing" title="Pricing">
        <p>There are three plans. Each has everything; they differ in how much of it.</p>
        <ul>
          <li>
            <strong>Starter</strong> is free, for a first library: basic storage and a daily number
            of questions.
          </li>
          <li>
            <strong>Pro</strong> has more storage and more questions, for those who ask every day.
          </li>
          <li>
            <strong>Elite</strong> has the most of both, for large archives and for programs that
            ask on their own.
          </li>
        </ul>
        <p>
          Paid plans run by the week, month, quarter or year and can be cancelled at any time: you
          keep the plan until its period ends. A server that somebody runs for themselves need not
          enforce any limit. <Link to={paths.pricing}>The pricing page</Link> has the numbers.
        </p>
      </Section>
    </>
  );
}

interface HowItWorksProps {
  mediaLimitMb: number;
  uploadLimitMb: number;
}

function HowItWorks({ mediaLimitMb, uploadLimitMb }: HowItWorksProps) {
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
