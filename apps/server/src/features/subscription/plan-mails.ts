import { and, eq, isNotNull, isNull, lte, or } from 'drizzle-orm';
import type { Database } from '../../platform/database/database.ts';
import type { Mailer, MailMessage } from '../../platform/mail/mailer.ts';
import { planMails, type PlanMailRow } from './subscription.tables.ts';

export interface PlanMailsDependencies {
  database: Pick<Database, 'db'>;
  mailer: Pick<Mailer, 'send' | 'describe'>;
  /** The address of an account; undefined where there is no such account. */
  emailOf: (userId: string) => Promise<string | undefined>;
  now: () => Date;
}

/** What a mail tells, which nobody is told twice. */
export type PlanMailContent = Pick<PlanMailRow, 'kind' | 'about'>;

/** For how long a server may be at sending a mail, in milliseconds: one that was killed is not. */
const CLAIM_MS = 10 * 60_000;

/** The mails about plans, and which of them the mail server has accepted. */
export function createPlanMails({ database: { db }, mailer, emailOf, now }: PlanMailsDependencies) {
  const key = [planMails.userId, planMails.kind, planMails.about];
  const isOneOf = (userId: string, contents: readonly PlanMailContent[]) =>
    and(
      eq(planMails.userId, userId),
      or(
        ...contents.map(({ kind, about }) =>
          and(eq(planMails.kind, kind), eq(planMails.about, about)),
        ),
      ),
    );

  /** Of several servers that are about to tell the same, one tells it. */
  const claim = (
    userId: string,
    contents: readonly PlanMailContent[],
  ): Promise<PlanMailContent[]> => {
    const claimedAt = now();
    const isOver = lte(planMails.claimedAt, new Date(claimedAt.getTime() - CLAIM_MS));
    return db
      .insert(planMails)
      .values(contents.map(({ kind, about }) => ({ userId, kind, about, claimedAt })))
      .onConflictDoUpdate({ target: key, set: { claimedAt }, setWhere: isOver })
      .returning({ kind: planMails.kind, about: planMails.about });
  };

  return {
    /** Whether mails leave this machine: what is only printed in a log has reached nobody. */
    areSent: (): boolean => mailer.describe().on,

    /** What a person was told about something. */
    async about(userId: string, about: string): Promise<PlanMailRow[]> {
      const { kind, sentAt } = planMails;
      const isSent = isNotNull(sentAt);
      const rows = await db
        .select({ kind, sentAt })
        .from(planMails)
        .where(and(eq(planMails.userId, userId), eq(planMails.about, about), isSent));
      return rows.flatMap((row) => (row.sentAt ? [{ ...row, about, sentAt: row.sentAt }] : []));
    },

    /**
     * Sends a mail of what no other server is telling the person, and keeps that the mail server
     * accepted it.
     * @throws MailError when it did not; nothing is kept then.
     */
    async send(
      userId: string,
      contents: readonly PlanMailContent[],
      messageTo: (email: string, told: readonly PlanMailContent[]) => MailMessage,
    ): Promise<void> {
      const email = await emailOf(userId);
      if (email === undefined) return;
      const told = await claim(userId, contents);
      if (told.length === 0) return;
      const own = isOneOf(userId, told);
      try {
        await mailer.send(messageTo(email, told));
      } catch (error) {
        await db.delete(planMails).where(and(own, isNull(planMails.sentAt)));
        throw error;
      }
      await db.update(planMails).set({ sentAt: now() }).where(own);
    },
  };
}

export type PlanMails = ReturnType<typeof createPlanMails>;
