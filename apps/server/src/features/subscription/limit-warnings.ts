import type { Background } from '../../platform/background.ts';
import { limitLetter, type PublicUrl } from './plan-letters.ts';
import type { PlanMails } from './plan-mails.ts';
import { nearlyUsedUp, type QueryLimit, type Standing } from './standing.ts';
import type { PlanMailKind } from './subscription.tables.ts';

export interface LimitWarningsDependencies {
  mails: PlanMails;
  publicUrl: PublicUrl;
  background: Background;
}

const kindOf = ({ name }: QueryLimit): PlanMailKind => `limit:${name}`;

/** Mails people once for each window when a question takes the last fifth of its limit. */
export function createLimitWarnings({ mails, publicUrl, background }: LimitWarningsDependencies) {
  const underWay = new Set<string>();

  const warn = async (
    userId: string,
    standing: Standing,
    limits: readonly QueryLimit[],
  ): Promise<void> => {
    const byStart = Map.groupBy(limits, ({ window }) => window.from);
    const fresh: QueryLimit[] = [];
    for (const [from, some] of byStart) {
      const told = new Set((await mails.about(userId, from)).map(({ kind }) => kind));
      fresh.push(...some.filter((limit) => !told.has(kindOf(limit))));
    }
    if (fresh.length === 0) return;
    await mails.send(
      userId,
      fresh.map((limit) => ({ kind: kindOf(limit), about: limit.window.from })),
      (email, told) => {
        const kinds = new Set(told.map(({ kind }) => kind));
        const due = fresh.filter((limit) => kinds.has(kindOf(limit)));
        return limitLetter(email, { standing, limits: due }, publicUrl);
      },
    );
  };

  return {
    /** Sends what is due before the question that is being counted; nobody waits for it. */
    consider(userId: string, standing: Standing, limits: readonly QueryLimit[]): void {
      const near = nearlyUsedUp(limits);
      // Of questions at the same time one tells; the next one would find that it was told.
      if (near.length === 0 || !mails.areSent() || underWay.has(userId)) return;
      underWay.add(userId);
      const sending = warn(userId, standing, near).finally(() => underWay.delete(userId));
      void background.run(sending, 'a warning of a limit was not sent');
    },
  };
}
