import { Button } from '@mantine/core';
import { IconBrandApple, IconBrandWindows, type Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../app/paths.ts';
import { Soon } from '../../../components/soon.tsx';
import { useUploadPanel } from '../../../lib/upload-panel.ts';
import classes from './connector.module.css';
import { SyncPicture } from './sync-picture.tsx';

const systems: readonly { name: string; icon: Icon }[] = [
  { name: 'Windows', icon: IconBrandWindows },
  { name: 'macOS', icon: IconBrandApple },
];

const steps: readonly { title: string; text: string }[] = [
  {
    title: 'Download it',
    text: 'Choose your system below. It is one file; nothing else is needed.',
  },
  {
    title: 'Give it a key',
    text: 'Make an API key under Api and paste it in. It opens your files, keywords and questions, changes neither your profile nor your plan, and you can revoke it there at any time.',
  },
  {
    title: 'Choose a folder',
    text: 'What is in it is uploaded, and from then on kept in step.',
  },
];

const macSteps: readonly string[] = [
  'Download the Connector for macOS and move it to Applications.',
  'Open it. macOS asks the first time whether you trust a program from the internet: allow it under System Settings, Privacy & Security, with ‘Open Anyway’.',
  'Enter the address of this server and paste your API key.',
  'Choose the folder, and allow the Connector to read it when macOS asks.',
];

const workings: readonly { title: string; text: string }[] = [
  {
    title: 'It looks every 5 minutes',
    text: 'That is how often the folder is gone through by default. You can set another interval in its settings.',
  },
  {
    title: 'It sends what has changed',
    text: 'New and changed files are uploaded; a file with the same bytes is never sent or kept twice.',
  },
  {
    title: 'It says where things stand',
    text: 'A file that cannot be taken is named with the reason, and does not hold up the others. Without a network it waits and goes on later.',
  },
  {
    title: 'You see where files came from',
    text: 'In Files their source reads Connector. They are asked about, narrowed by keywords and deleted like any other.',
  },
];

/** What the desktop program will do, how it will be installed, and what to do until it is there. */
export function Connector() {
  return (
    <div className={classes.page}>
      <p className={classes.notice}>
        <Soon /> The Connector is being built. This page says how it will work;{' '}
        <a href="#today">what to do today</a> is at its end.
      </p>
      <SyncPicture />
      <Section id="get-started" title="Get Started">
        <ol className={classes.steps}>
          {steps.map(({ title, text }) => (
            <li key={title}>
              <strong>{title}</strong>
              <span>{text}</span>
            </li>
          ))}
        </ol>
      </Section>
      <Section id="downloads" title="Download">
        <ul className={classes.downloads}>
          {systems.map(({ name, icon: SystemIcon }) => (
            <li key={name}>
              <SystemIcon size={26} stroke={1.5} aria-hidden="true" />
              <strong>{name}</strong>
              <Button variant="default" disabled aria-label={`Coming Soon for ${name}`}>
                Coming Soon
              </Button>
            </li>
          ))}
        </ul>
      </Section>
      <Section id="macos" title="Install on macOS">
        <ol className={classes.list}>
          {macSteps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </Section>
      <Section id="how-it-works" title="How it works">
        <dl className={classes.workings}>
          {workings.map(({ title, text }) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </Section>
      <Today />
    </div>
  );
}

function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section className={classes.section} id={id} aria-labelledby={`${id}-heading`}>
      <h2 id={`${id}-heading`}>{title}</h2>
      {children}
    </section>
  );
}

function Today() {
  const { open } = useUploadPanel();
  return (
    <Section id="today" title="What to do today">
      <ul className={classes.list}>
        <li>
          Drop a folder’s files onto the upload panel, as many as you like. Those that are there
          already are not kept twice, so the same folder can be dropped again.
        </li>
        <li>Pack a folder into a zip: its files are read and cited by their path.</li>
        <li>
          Install the web app from your browser’s menu; on Android and Windows other apps can then
          share into it.
        </li>
        <li>
          Have a script of your own upload files: <Link to={paths.api}>make an API key</Link> and
          read the <Link to={paths.documentation}>documentation</Link>.
        </li>
      </ul>
      <Button mt={18} onClick={open}>
        Upload
      </Button>
    </Section>
  );
}
