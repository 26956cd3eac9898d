import { AppText } from '../../../components/app-text.tsx';
import { sections } from '../contents.ts';
import howItWorks from '../how-it-works.md?raw';
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

      <HowItWorks />
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

const sectionTexts = new Map(
  howItWorks.split(/^# /mu).map((part): [id: string, text: string] => {
    const end = part.indexOf('\n');
    return [part.slice(0, end), part.slice(end)];
  }),
);

/** The sections on how Engram works, with their texts from how-it-works.md. */
function HowItWorks() {
  const { mediaLimitMb, uploadLimitMb } = useAppSettings();
  const values = {
    mediaTypes: mediaTypesText,
    mediaLimitMb,
    uploadLimitMb,
    textWordLimit: TEXT_WORD_LIMIT,
    types: listTypes(),
    questionLimit: QUESTION_LIMIT,
    keywordLimit: KEYWORD_LIMIT,
  };
  const section = sections.find(({ id }) => id === 'how-it-works');
  return (
    <Section id="how-it-works" title="How It Works">
      <p>
        Engram reads every file once, remembers where each sentence stands, and looks there when you
        ask.
      </p>
      {section?.children?.map(({ id, title }) => (
        <Section key={id} id={id} title={title} level={3}>
          <AppText values={values}>{sectionTexts.get(id) ?? ''}</AppText>
        </Section>
      ))}
    </Section>
  );
}
