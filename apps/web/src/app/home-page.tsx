import { Button } from '@mantine/core';
import { IconFileSearch, IconLock, IconQuote, IconSearch } from '@tabler/icons-react';
import { Link, useNavigate } from 'react-router';
import { useDocumentTitle } from '../lib/document-title.ts';
import { useUploadPanel } from '../lib/upload-panel.ts';
import { useHasArtifacts, useSignedIn } from '../lib/use-session.ts';
import classes from './home-page.module.css';
import { paths } from './paths.ts';

const promises = [
  {
    icon: IconFileSearch,
    title: 'Artifacts',
    text: 'Drop in PDFs, documents, spreadsheets, slides and notes. Each file says when it is ready to be searched, and why if it is not.',
  },
  {
    icon: IconQuote,
    title: 'Answers with their source',
    text: 'Ask in your own words. Every sentence of the answer leads to the page, slide or row that it stands on.',
  },
  {
    icon: IconLock,
    title: 'Security & Permissions',
    text: 'Engram runs on your own server. Your files stay there, and deleting one really deletes it.',
  },
];

/** A picture of an answer, made of type alone. */
function Example() {
  return (
    <figure className={classes.example} aria-label="An example of an answer with its source">
      <p className={classes.question}>How much notice do I have to give for the flat?</p>
      <p className={classes.answer}>
        <strong>Three months, to the end of a month, in writing</strong>
        <span className={classes.cite}>1</span>
      </p>
      <div className={classes.source}>
        <span className={classes.sourceHead}>
          <span className={classes.cite}>1</span> Lease.pdf{' '}
          <span className={classes.pill}>Page 7</span>
        </span>
        <span>
          § 14 Notice.{' '}
          <mark>
            Either party may end the lease with three months’ notice to the end of a month
          </mark>
          , in writing.
        </span>
      </div>
    </figure>
  );
}

export function HomePage() {
  useDocumentTitle('Engram');
  const navigate = useNavigate();
  const signedIn = useSignedIn();
  const hasArtifacts = useHasArtifacts();
  const { open } = useUploadPanel();

  const upload = (): void => {
    if (signedIn) open();
    else void navigate(paths.login);
  };
  const tryIt = (): void => {
    if (!signedIn) void navigate(paths.login);
    else if (hasArtifacts) void navigate(paths.search);
    else window.scrollTo({ top: 0, behavior: 'smooth' });
  };

  return (
    <div className={classes.page}>
      <section className={classes.hero}>
        <div>
          <h1 className={classes.banner} data-page-heading tabIndex={-1}>
            Your Data. Your AI. Your Brain. Your Way!
          </h1>
          <p className={classes.promise}>
            Keep your files and notes in one place, ask in your own words, and get the answer with
            the page it stands on.
          </p>
          <div className={classes.actions}>
            <Button size="md" onClick={upload}>
              UPLOAD FILES
            </Button>
            {hasArtifacts && (
              <Button
                component={Link}
                to={paths.search}
                size="md"
                variant="default"
                leftSection={<IconSearch size={17} stroke={1.8} />}
              >
                Search...
              </Button>
            )}
          </div>
        </div>
        <Example />
      </section>
      <section className={classes.promises} aria-label="What Engram does">
        {promises.map(({ icon: PromiseIcon, title, text }) => (
          <article key={title} className={classes.card}>
            <span className={classes.icon} aria-hidden="true">
              <PromiseIcon size={20} stroke={1.7} />
            </span>
            <h2>{title}</h2>
            <p>{text}</p>
          </article>
        ))}
      </section>
      <section className={classes.call}>
        <h2>Ask your AI Brain anything</h2>
        <p>Upload a file, and ask about it a few seconds later.</p>
        <button className={classes.try} type="button" onClick={tryIt}>
          TRY
        </button>
      </section>
    </div>
  );
}
