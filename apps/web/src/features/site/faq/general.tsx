import { listTypes } from '@engram/contract/browser';
import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import type { Topic } from './question.ts';

export const general: Topic = {
  id: 'general',
  label: 'General',
  questions: [
    {
      id: 'what-is-engram',
      question: 'What is Engram?',
      answer: () => (
        <p>
          A place for your files and notes that answers questions about them. You upload what you
          have, ask in your own words, and get an answer with the place each fact was found: the
          page, the slide, the row, the line or the second. One click opens the file there.
        </p>
      ),
    },
    {
      id: 'which-files',
      question: 'Which files can it read?',
      answer: () => (
        <>
          <p>
            {listTypes()}. Text in pictures and on scanned pages is recognised; what a mail or an
            archive holds is read file by file. You can also type a note of up to 500 words.
          </p>
          <p>
            Recordings and videos are found by their names and keywords, and by what is said in them
            where whoever runs this server has switched speech recognition on.
          </p>
        </>
      ),
    },
    {
      id: 'can-i-trust-answers',
      question: 'Can I trust the answers?',
      answer: () => (
        <>
          <p>
            Trust the source, and let the answer take you to it. Without a language model, Engram
            only quotes what it finds in your files. Where a model writes the answer, every citation
            is checked to stand in the file letter for letter. When your files do not seem to say,
            Engram says so. It can still miss a passage, and a model can put something badly.
          </p>
          <p>‘How was this found?’ below an answer shows the passages it was made from.</p>
        </>
      ),
    },
    {
      id: 'where-is-my-data',
      question: 'Where is what I upload?',
      answer: () => (
        <p>
          On the server you are using, and nowhere else, unless whoever runs it has connected an
          outside service such as a language model. What leaves the server then is listed in the{' '}
          <Link to={paths.privacy}>Privacy Policy</Link>. No model is trained on your files.
        </p>
      ),
    },
    {
      id: 'run-it-myself',
      question: 'Can I run Engram myself?',
      answer: () => (
        <p>
          Yes. Engram is free software under the Apache License 2.0 and starts with{' '}
          <code>npm ci && npm start</code> on any machine with Node. It needs no key, no container
          and no other service. On a server of your own the plans’ limits are only shown, and stop
          nobody, until you decide otherwise.
        </p>
      ),
    },
    {
      id: 'use-from-programs',
      question: 'Can my own programs use it?',
      answer: () => (
        <p>
          Yes: make an API key under <Link to={paths.api}>Api</Link> and read the{' '}
          <Link to={paths.documentation}>documentation</Link>, which has examples for every call,
          and a library for Python.
        </p>
      ),
    },
    {
      id: 'install-app',
      question: 'Is there an app?',
      answer: () => (
        <p>
          The web app installs on phones and computers from the browser, starts without a network,
          and on Android and Windows takes what other apps share. A desktop program, the{' '}
          <Link to={paths.connector}>Connector</Link>, keeps folders of your computer in step.
        </p>
      ),
    },
  ],
};
