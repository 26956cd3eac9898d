import { letter, type LetterPart } from '../../platform/mail/letter.ts';
import type { MailMessage } from '../../platform/mail/mailer.ts';
import { sayDay, sayMoment } from './moments.ts';
import { GIGABYTE } from './plans.ts';
import type { QueryLimit, Standing } from './standing.ts';
import type { WindowName } from './windows.ts';

/** Where mails lead: the address under which people reach the server, where it is set. */
export type PublicUrl = string | undefined;

/** Files that a warning names; of more it tells the number. */
const NAMED_FILES = 5;
/** Characters of a file's name. */
const NAME_LENGTH = 60;

const spans: Record<WindowName, string> = { day: 'Today', week: 'This week', month: 'This month' };
const number = new Intl.NumberFormat('en-US');

/** The way to the plans: a button where the server's address is known, words elsewhere. */
function toPlans(publicUrl: PublicUrl): LetterPart {
  if (publicUrl === undefined)
    return { text: 'Sign in to Engram and open Pricing to choose a plan.' };
  const url = `${publicUrl.replace(/(?<!\/)\/+$/u, '')}/pricing`;
  return { button: { label: 'Choose a plan', url } };
}

/** Tells that a question took the last fifth of a limit. */
export function limitLetter(
  to: string,
  { standing, limits }: { standing: Standing; limits: readonly QueryLimit[] },
  publicUrl: PublicUrl,
): MailMessage {
  const { plan, credit } = standing;
  return letter({
    to,
    subject: 'Your Engram questions are nearly used up',
    parts: [
      { text: `You have asked most of the questions that your plan ${plan.name} includes.` },
      {
        rows: limits.flatMap(({ name, limit, used, window }): [string, string][] => [
          [spans[name], `${number.format(used + 1)} of ${number.format(limit)} questions`],
          [`${spans[name]} counts anew`, sayMoment(window.opens)],
        ]),
      },
      {
        text:
          credit > 0
            ? `After that each question takes one of your ${number.format(credit)} credits.`
            : 'After that you can ask again once the count starts anew, or with a larger plan.',
      },
      toPlans(publicUrl),
      { text: 'Your files and earlier answers stay as they are.' },
    ],
  });
}

/** What a warning of files being deleted tells. */
export interface RetentionNotice {
  /** Which of the two warnings it is. */
  warning: 'first' | 'second';
  /** Name of the plan that ended. */
  plan: string;
  endedAt: Date;
  /** Bytes stored, and bytes that the free plan stores. */
  stored: number;
  free: number;
  /** The files that go, newest first. */
  files: readonly { fileName: string; size: number }[];
  deletedOn: Date;
}

/** Rounded against the reader's hopes: what is over a limit is never told as being at it. */
const gigabytes = (bytes: number): string =>
  `${number.format(Math.ceil((bytes / GIGABYTE) * 100) / 100)} GB`;

function shorten(name: string): string {
  const characters = [...name];
  const half = (NAME_LENGTH - 2) / 2;
  return characters.length <= NAME_LENGTH
    ? name
    : `${characters.slice(0, half).join('')}…${characters.slice(-half).join('')}`;
}

function listFiles(files: RetentionNotice['files']): string {
  const named = files.slice(0, NAMED_FILES).map(({ fileName }) => shorten(fileName));
  const others = files.length - named.length;
  if (others > 0) named.push(`${number.format(others)} more`);
  return new Intl.ListFormat('en-US').format(named);
}

/** Warns that files above the free storage are going to be deleted. */
export function retentionLetter(
  to: string,
  { warning, plan, endedAt, stored, free, files, deletedOn }: RetentionNotice,
  publicUrl: PublicUrl,
): MailMessage {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const count = files.length === 1 ? '1 file' : `${number.format(files.length)} files`;
  return letter({
    to,
    subject: `${warning === 'first' ? '' : 'Last reminder: '}${count} in Engram will be deleted on ${sayDay(deletedOn)}`,
    parts: [
      {
        text: `Your plan ${plan} ended on ${sayDay(endedAt)}. The free plan stores up to ${gigabytes(free)}, and your files take more. The newest ones above it will be deleted.`,
      },
      {
        rows: [
          ['Stored now', gigabytes(stored)],
          ['Free storage', gigabytes(free)],
          ['To be deleted', `${count}, ${gigabytes(bytes)}`],
          ['Not before', sayMoment(deletedOn)],
        ],
      },
      { text: `These are: ${listFiles(files)}.` },
      {
        text: 'To keep them, choose a plan again before then. Or download them, or delete other files until the rest fits.',
      },
      toPlans(publicUrl),
      {
        text:
          warning === 'first'
            ? 'We remind you once more before anything is deleted.'
            : 'This is the last reminder. Deleted files cannot be brought back.',
      },
    ],
  });
}
