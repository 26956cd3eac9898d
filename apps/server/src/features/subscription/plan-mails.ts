import { and, eq } from 'drizzle-orm';
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

/** The mails about plans, and which of them the mail server has accepted. */
export function createPlanMails({ database: { db }, mailer, emailOf, now }: PlanMailsDependencies) {
  return {
    /** Whether mails leave this machine: what is only printed in a log has reached nobody. */
    areSent: (): boolean => mailer.describe().on,

    /** What a person was told about something. */
    about: (userId: string, about: string): Promise<PlanMailRow[]> =>
      db
        .select()
        .from(planMails)
        .where(and(eq(planMails.userId, userId), eq(planMails.about, about))),

    /**
     * Sends a mail, and keeps that the mail server accepted it.
     * @throws MailError when it did not; nothing is kept then.
     */
    async send(
      userId: string,
      contents: readonly Pick<PlanMailRow, 'kind' | 'about'>[],
      messageTo: (email: string) => MailMessage,
    ): Promise<void> {
      const email = await emailOf(userId);
      if (email === undefined) return;
      await mailer.send(messageTo(email));
      const sentAt = now();
      await db
        .insert(planMails)
        .values(contents.map((content) => ({ ...content, userId, sentAt })))
        .onConflictDoUpdate({
          target: [planMails.userId, planMails.kind, planMails.about],
          set: { sentAt },
        });
    },
  };
}

export type PlanMails = ReturnType<typeof createPlanMails>;
