import { renderMail, type MailPart } from '../../platform/mail/mail-template.ts';
import type { MailMessage } from '../../platform/mail/mailer.ts';
import { GIGABYTE } from './plans.ts';
import type { QueryLimit, Standing } from './standing.ts';
import { formatDay, formatTime, type WindowName } from './windows.ts';

const NAMED_FILES = 5;
const NAME_LENGTH = 60;

const spans: Record<WindowName, string> = { day: 'Today', week: 'This week', month: 'This month' };
const number = new Intl.NumberFormat('en-US');

/** A button to the plans if the address of the server is known, otherwise text. */
function toPlans(publicUrl: string | undefined): MailPart {
  if (publicUrl === undefined)
    return { text: 'Sign in to Engram and open Pricing to choose a plan.' };
  const url = `${publicUrl.replace(/(?<!\/)\/+$/u, '')}/pricing`;
  return { button: { label: 'Choose a plan', url } };
}

export function limitMail(
  to: string,
  { standing, limits }: { standing: Standing; limits: readonly QueryLimit[] },
  publicUrl: string | undefined,
): MailMessage {
  const { plan, credit } = standing;
  return renderMail({
    to,
    subject: 'Your Engram questions are nearly used up',
    parts: [
      { text: `You have asked most of the questions that your plan ${plan.name} includes.` },
      {
        rows: limits.flatMap(({ name, limit, used, window }): [string, string][] => [
          [spans[name], `${number.format(used + 1)} of ${number.format(limit)} questions`],
          [`${spans[name]} starts again`, formatTime(window.opens)],
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

/** Rounded up, so that a size above a limit never reads like one at it. */
const gigabytes = (bytes: number): string =>
  `${number.format(Math.ceil((bytes / GIGABYTE) * 100) / 100)} GB`;

function shorten(name: string): string {
  const characters = [...name];
  const half = (NAME_LENGTH - 2) / 2;
  return characters.length <= NAME_LENGTH
    ? name
    : `${characters.slice(0, half).join('')}…${characters.slice(-half).join('')}`;
}

function listFiles(files: readonly { fileName: string }[]): string {
  const named = files.slice(0, NAMED_FILES).map(({ fileName }) => shorten(fileName));
  const others = files.length - named.length;
  if (others > 0) named.push(`${number.format(others)} more`);
  return new Intl.ListFormat('en-US').format(named);
}

export function retentionMail(
  to: string,
  {
    warning,
    plan,
    endsAt,
    stored,
    free,
    files,
    deletedOn,
  }: {
    warning: 'first' | 'second';
    plan: string;
    endsAt: Date;
    /** Bytes stored, and bytes that the free plan stores. */
    stored: number;
    free: number;
    /** The files to be deleted, newest first. */
    files: readonly { fileName: string; size: number }[];
    deletedOn: Date;
  },
  publicUrl: string | undefined,
): MailMessage {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const count = files.length === 1 ? '1 file' : `${number.format(files.length)} files`;
  return renderMail({
    to,
    subject: `${warning === 'first' ? '' : 'Last reminder: '}${count} in Engram will be deleted on ${formatDay(deletedOn)}`,
    parts: [
      {
        text: `Your plan ${plan} ended on ${formatDay(endsAt)}. The free plan stores up to ${gigabytes(free)}, and your files take more. The newest ones above it will be deleted.`,
      },
      {
        rows: [
          ['Stored now', gigabytes(stored)],
          ['Free storage', gigabytes(free)],
          ['To be deleted', `${count}, ${gigabytes(bytes)}`],
          ['Not before', formatTime(deletedOn)],
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
