import { Button, Group } from '@mantine/core';
import { Link, useLocation } from 'react-router';
import { Page } from '../components/page.tsx';
import { useAppSettings } from '../lib/settings.ts';
import { useUploadPanel } from '../lib/upload-panel.ts';
import { paths } from './paths.ts';
import classes from './upcoming-page.module.css';

type Action = { label: string; to: string } | { label: string; opens: 'upload' };

interface Upcoming {
  title: string;
  /** What will be here. */
  lead: string;
  /** What works today. */
  today: string;
  actions: Action[];
}

const search: Action = { label: 'Go to Search', to: paths.search };
const home: Action = { label: 'Go to Home', to: paths.home };
const files: Action = { label: 'Go to Files', to: paths.files };

const pages: Record<string, Upcoming> = {
  [paths.documentation]: {
    title: 'Doc',
    lead: 'Here will be the guide to Engram and to its developer API.',
    today: 'The reference of every call is served with Engram.',
    actions: [{ label: 'Open the API reference', to: '/v1/reference' }, search],
  },
  [paths.profile]: {
    title: 'My Profile',
    lead: 'Here you will edit your name, photo and preferences, and see your plan and invoices.',
    today: 'Today’s use of your plan stands at the foot of the menu.',
    actions: [search, files],
  },
  [paths.api]: {
    title: 'Api',
    lead: 'Here you will make and revoke API keys for your own programs.',
    today: 'The reference of every call is served with Engram.',
    actions: [{ label: 'Open the API reference', to: '/v1/reference' }, search],
  },
  [paths.pricing]: {
    title: 'Pricing',
    lead: 'Here will be the plans with their prices and limits.',
    today: 'Everybody on this server uses the free Starter plan.',
    actions: [search],
  },
  [paths.message]: {
    title: 'Payment',
    lead: 'Here the result of a payment will be shown.',
    today: 'Nothing on this server costs money today.',
    actions: [search],
  },
  [paths.faq]: {
    title: 'FAQs',
    lead: 'Here will be answers to frequent questions about accounts, plans and limits.',
    today: 'Your own files answer questions already.',
    actions: [search],
  },
  [paths.connector]: {
    title: 'Connector',
    lead: 'Here will be the desktop app that keeps a folder in step with your files.',
    today: 'Files can be dropped into the upload panel, many at a time.',
    actions: [{ label: 'Upload', opens: 'upload' }, files],
  },
  [paths.contact]: {
    title: 'Contact',
    lead: 'Here will be the address, phone number and e-mail of whoever runs this server.',
    today: 'Until then, ask the person who gave you its address.',
    actions: [home],
  },
  [paths.features]: {
    title: 'Our Features',
    lead: 'Here Engram’s features will be shown one by one.',
    today: 'The quickest look at them is to upload a file and ask about it.',
    actions: [home],
  },
  [paths.blog]: {
    title: 'Blog',
    lead: 'Here will be posts about Engram.',
    today: 'There are none on this server yet.',
    actions: [home],
  },
};

function ActionButton({ action, primary }: { action: Action; primary: boolean }) {
  const { open } = useUploadPanel();
  const variant = primary ? 'filled' : 'default';
  if ('opens' in action) {
    return (
      <Button variant={variant} onClick={open}>
        {action.label}
      </Button>
    );
  }
  const isServers = action.to.startsWith('/v1/');
  return isServers ? (
    <Button component="a" href={action.to} target="_blank" variant={variant}>
      {action.label}
    </Button>
  ) : (
    <Button component={Link} to={action.to} variant={variant}>
      {action.label}
    </Button>
  );
}

/** Stands in for a page that is not built yet: what it will be, and what works today. */
export function UpcomingPage() {
  const { pathname } = useLocation();
  const { contactEmail } = useAppSettings();
  // Addresses are matched in any case, and with a slash at their end.
  const page = pages[pathname.replace(/\/+$/u, '').toLowerCase()];
  if (!page) return null;
  return (
    <Page title={page.title} lead={page.lead} width="text">
      <div className={classes.card}>
        <p className={classes.today}>
          {pathname.startsWith(paths.contact) && contactEmail ? (
            <>
              Until then, write to <a href={`mailto:${contactEmail}`}>{contactEmail}</a>.
            </>
          ) : (
            page.today
          )}
        </p>
        <Group gap={8}>
          {page.actions.map((action, index) => (
            <ActionButton key={action.label} action={action} primary={index === 0} />
          ))}
        </Group>
      </div>
    </Page>
  );
}
