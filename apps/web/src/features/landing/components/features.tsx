import type { ReactNode } from 'react';
import {
  CallPicture,
  DeletionPicture,
  FilesPicture,
  SchemesPicture,
  StatesPicture,
} from './pictures.tsx';

export interface Feature {
  name: string;
  comingSoon?: boolean;
  title: string;
  text: string[];
  points?: string[];
  /** A page of the server's, opened in a new tab. */
  link?: { label: string; to: string };
  /** A small picture of it, for the eye alone. */
  picture?: ReactNode;
}

/** The features of the landing page. What is to come says what is planned, and what works until then. */
export const features: readonly Feature[] = [
  {
    name: 'Artifacts',
    title: 'Drop in what you have',
    text: [
      'A lease, last year’s invoices, slides, a scanned letter, a thought you typed. Each becomes an artifact that you can ask about a moment later.',
    ],
    points: [
      'PDF, Word, Excel, PowerPoint, OpenDocument, mail, calendars, web pages, pictures with text in them, scans, and archives of all these.',
      'Every file ends in a state that is true: ready, or failed with a reason you understand and a button to try again.',
      'Keywords group your files, and a question can be narrowed to some of them.',
      'A click on a source opens the file at the page, the slide, the row or the second.',
    ],
    picture: <FilesPicture />,
  },
  {
    name: 'Customization',
    comingSoon: true,
    title: 'Your way, in more ways',
    text: [
      'Planned: choosing how answers are written, and how your library is arranged.',
      'Until then you choose between light and dark, and which keywords your files go by.',
    ],
    picture: <SchemesPicture />,
  },
  {
    name: 'Security & Permissions',
    title: 'Yours, and nobody else’s',
    text: [
      'Engram runs as one program on a machine that you or somebody you trust looks after. Nothing leaves it, unless a service that lives elsewhere is set.',
    ],
    points: [
      'There is no password to lose: a code of six digits signs you in, once, within ten minutes.',
      'Every search, list and file is looked for among your own. To everybody else yours do not exist.',
      'Deleting deletes: a file is gone from answers at once, from earlier ones too, and then from the disk.',
      'What a file says is data. A command hidden in one changes nothing.',
    ],
    picture: <DeletionPicture />,
  },
  {
    name: 'Integrations',
    comingSoon: true,
    title: 'Where your other things are',
    text: [
      'Planned: bringing in what you keep with other services.',
      'Until then every call that this app makes is described for your own programs, too.',
    ],
    link: { label: 'Open the API reference', to: '/v1/reference' },
    picture: <CallPicture />,
  },
  {
    name: 'Notifications',
    comingSoon: true,
    title: 'Word when it matters',
    text: [
      'Planned: a message when a large upload has been read, or when a file needs you to look at it.',
      'Until then Files shows how far each one is.',
    ],
    picture: <StatesPicture />,
  },
];
