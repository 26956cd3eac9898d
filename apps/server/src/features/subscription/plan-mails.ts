import { and, eq, isNotNull, isNull, lte, or } from 'drizzle-orm';
import type { Core } from '../../composition/core.ts';
import { type MailPart, renderMail } from '../../platform/mail/mail-template.ts';
import type { Mailer, MailMessage } from '../../platform/mail/mailer.ts';
import { GIGABYTE } from './plans.ts';
import type { QueryLimit, PlanState } from './plan-state.ts';
import { planMails, type PlanMailRow } from './subscription.tables.ts';
import { formatDay, formatTime, type WindowName } from './windows.ts';

type Topic = Pick<PlanMailRow, 'kind' | 'about'>;

/** How long a server may take to send a mail, in milliseconds. After that another server may send it. */
const CLAIM_MS = 10 * 60_000;

export function createPlanMails(
  { database: { db }, emailOf }: Pick<Core['storage'], 'database' | 'emailOf'>,
  mailer: Pick<Mailer, 'send' | 'describe'>,
  now: () => Date,
) {
  return {
    /** Whether mails reach users, and are not only logged. */
    areSent: (): boolean => mailer.describe().on,

    /** The sent mails about the end of a plan or about a window. */
    about: (userId: string, about: string): Promise<Pick<PlanMailRow, 'kind' | 'sentAt'>[]> => {
      const matches = and(eq(planMails.userId, userId), eq(planMails.about, about));
      return db
        .select({ kind: planMails.kind, sentAt: planMails.sentAt })
        .from(planMails)
        .where(and(matches, isNotNull(planMails.sentAt)));
    },

    /** Sends a mail about the topics that no other server has claimed. An error releases them. */
    async send<T extends Topic>(
      userId: string,
      topics: readonly T[],
      messageFor: (email: string, claimed: readonly T[]) => MailMessage,
      { mayRepeat = false } = {},
    ): Promise<void> {
      const email = await emailOf(userId);
      if (email === undefined) return;
      const claimedAt = now();
      const isExpired = lte(planMails.claimedAt, new Date(claimedAt.getTime() - CLAIM_MS));
      const rows = await db
        .insert(planMails)
        .values(topics.map(({ kind, about }) => ({ userId, kind, about, claimedAt })))
        .onConflictDoUpdate({
          target: [planMails.userId, planMails.kind, planMails.about],
          set: { claimedAt },
          setWhere: and(isExpired, mayRepeat ? undefined : isNull(planMails.sentAt)),
        })
        .returning({ kind: planMails.kind, about: planMails.about });
      if (rows.length === 0) return;
      const claimed = topics.filter((topic) => rows.some(({ kind }) => kind === topic.kind));
      const isTopic = rows.map(({ kind, about }) =>
        and(eq(planMails.kind, kind), eq(planMails.about, about)),
      );
      const isClaimed = and(eq(planMails.userId, userId), or(...isTopic));
      try {
        await mailer.send(messageFor(email, claimed));
      } catch (error) {
        await db.delete(planMails).where(and(isClaimed, isNull(planMails.sentAt)));
        throw error;
      }
      await db.update(planMails).set({ sentAt: now() }).where(isClaimed);
    },
  };
}

export type PlanMails = ReturnType<typeof createPlanMails>;

const MAX_NAMED_FILES = 5;
const MAX_NAME_LENGTH = 60;

const spans: Record<WindowName, string> = { day: 'Today', week: 'This week', month: 'This month' };
const number = new Intl.NumberFormat('en-US');

/** A button that opens the plans, or text if the server's address is unknown. */
function plansLink(publicUrl: string | undefined): MailPart {
  if (publicUrl === undefined)
    return { text: 'Sign in to Engram and open Pricing to choose a plan.' };
  const url = `${publicUrl.replace(/(?<!\/)\/+$/u, '')}/pricing`;
  return { button: { label: 'Choose a plan', url } };
}

export function limitMail(
  to: string,
  { plan, credit }: PlanState,
  limits: readonly QueryLimit[],
  publicUrl: string | undefined,
): MailMessage {
  return renderMail({
    to,
    subject: 'You have used most of your Engram questions',
    parts: [
      { text: `You have asked most of the questions that your plan ${plan.name} includes.` },
      {
        rows: limits.flatMap(({ name, limit, used, window }): [string, string][] => [
          [spans[name], `${number.format(used + 1)} of ${number.format(limit)} questions`],
          [`${spans[name]} resets`, formatTime(window.opens)],
        ]),
      },
      {
        text:
          credit > 0
            ? `After that each question takes one of your ${number.format(credit)} credits.`
            : 'After that you can ask again once the count resets, or with a larger plan.',
      },
      plansLink(publicUrl),
      { text: 'Your files and earlier answers do not change.' },
    ],
  });
}

/** Rounded up, so that a size above a limit never looks equal to it. */
const gigabytes = (bytes: number): string =>
  `${number.format(Math.ceil((bytes / GIGABYTE) * 100) / 100)} GB`;

function shorten(name: string): string {
  const characters = [...name];
  const half = (MAX_NAME_LENGTH - 2) / 2;
  return characters.length <= MAX_NAME_LENGTH
    ? name
    : `${characters.slice(0, half).join('')}…${characters.slice(-half).join('')}`;
}

function listFiles(files: readonly { fileName: string }[]): string {
  const named = files.slice(0, MAX_NAMED_FILES).map(({ fileName }) => shorten(fileName));
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
        text: `Your plan ${plan} ended on ${formatDay(endsAt)}. The free plan stores up to ${gigabytes(free)}, and your files exceed it. The newest ones will be deleted.`,
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
        text: 'To keep them, choose a plan before then, download them, or delete other files to free enough space.',
      },
      plansLink(publicUrl),
      {
        text:
          warning === 'first'
            ? 'We will remind you again before anything is deleted.'
            : 'This is the last reminder. Deleted files cannot be restored.',
      },
    ],
  });
}
