import { and, eq, isNotNull, isNull, lte, or } from 'drizzle-orm';
import type { Core } from '../../composition/core.ts';
import type { Mailer, MailMessage } from '../../platform/mail/mailer.ts';
import { planMails, type PlanMailRow } from './subscription.tables.ts';

type Topic = Pick<PlanMailRow, 'kind' | 'about'>;

/** How long a server may take to send a mail, in milliseconds. After it another one may. */
const CLAIM_MS = 10 * 60_000;

/** The mails about plans, each sent by one server. */
export function createPlanMails(
  { database: { db }, emailOf }: Pick<Core['storage'], 'database' | 'emailOf'>,
  mailer: Pick<Mailer, 'send' | 'describe'>,
  now: () => Date,
) {
  /** Claims topics for this server, and returns those that no other server is mailing. */
  const claim = (userId: string, topics: readonly Topic[], mayRepeat: boolean) => {
    const claimedAt = now();
    const isExpired = lte(planMails.claimedAt, new Date(claimedAt.getTime() - CLAIM_MS));
    return db
      .insert(planMails)
      .values(topics.map(({ kind, about }) => ({ userId, kind, about, claimedAt })))
      .onConflictDoUpdate({
        target: [planMails.userId, planMails.kind, planMails.about],
        set: { claimedAt },
        setWhere: and(isExpired, mayRepeat ? undefined : isNull(planMails.sentAt)),
      })
      .returning({ kind: planMails.kind, about: planMails.about });
  };

  return {
    /** Whether mails reach users. In the log they do not. */
    areSent: (): boolean => mailer.describe().on,

    async about(userId: string, about: string): Promise<PlanMailRow[]> {
      const { kind, sentAt } = planMails;
      const rows = await db
        .select({ kind, sentAt })
        .from(planMails)
        .where(and(eq(planMails.userId, userId), eq(planMails.about, about), isNotNull(sentAt)));
      return rows.flatMap((row) => (row.sentAt ? [{ ...row, about, sentAt: row.sentAt }] : []));
    },

    /**
     * Sends one mail about the topics that no other server is mailing. After an error they can be
     * mailed again.
     * @param mayRepeat Whether a topic may be mailed again.
     */
    async send(
      userId: string,
      topics: readonly Topic[],
      messageFor: (email: string, claimed: readonly Topic[]) => MailMessage,
      { mayRepeat = false } = {},
    ): Promise<void> {
      const email = await emailOf(userId);
      if (email === undefined) return;
      const claimed = await claim(userId, topics, mayRepeat);
      if (claimed.length === 0) return;
      const isClaimed = and(
        eq(planMails.userId, userId),
        or(
          ...claimed.map(({ kind, about }) =>
            and(eq(planMails.kind, kind), eq(planMails.about, about)),
          ),
        ),
      );
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
