import {
  type BillingRecord,
  getBilling,
  getMetrics,
  listPlans,
  type Metrics,
  type Plan as OfferedPlan,
} from '@engram/contract';
import { eq } from 'drizzle-orm';
import type { Core } from '../../composition/core.ts';
import type { Executor } from '../../platform/database/database.ts';
import { HttpError } from '../../platform/http/errors.ts';
import type { Mount } from '../../platform/http/mount.ts';
import { createOverdrawnPlans } from './overdrawn-plans.ts';
import { createPlanMails, limitMail } from './plan-mails.ts';
import {
  createPlanReader,
  FREE_PLAN,
  GIGABYTE,
  isCheaperOrShorter,
  isFree,
  type Plan,
  storageOf,
} from './plans.ts';
import {
  limitsOf,
  nearlyUsedUp,
  type QueryLimit,
  type ReportedSubscription,
  type Standing,
  standingAt,
  usedUp,
} from './standing.ts';
import { createSubscriptionRepository } from './subscription.repository.ts';
import { type SubscriptionRow, subscriptions } from './subscription.tables.ts';
import { dayOf, formatTime, windowsAt } from './windows.ts';

/** A user's plan as it stands, and the subscription behind it. */
export interface CurrentPlan extends Standing {
  /** Whether it is a paid plan in a paid period. */
  runs: boolean;
  cancelled: boolean;
  /** Null if nothing was ever bought. It stays after the plan, so that a customer is known again. */
  bought: Pick<ReportedSubscription, 'provider' | 'customer' | 'subscription'> | null;
  balance: number;
  /** Whether the stored period of an active plan is over, so that the provider has a newer state. */
  isOutdated: boolean;
}

const hasEnded = ({ endsAt }: Pick<SubscriptionRow, 'endsAt'>, at: Date): boolean =>
  endsAt !== null && endsAt <= at;

const STATUSES = { active: 'Active', cancelled: 'Cancelled', expired: 'Expired' } as const;
const BILLED = { Active: 'ACTIVE', Cancelled: 'CANCELLED', Expired: 'EXPIRED' } as const;
const SPANS = { day: 'today', week: 'this week', month: 'this month' } as const;

function present(plan: Plan): OfferedPlan {
  const { name, productId, priceId, amount, billingPeriod, storage } = plan;
  // The storage of the free plan is shown as a weekly limit.
  const beyondAWeek = isFree(plan) ? 0 : storage;
  return {
    name,
    productId,
    priceId,
    amount: amount / 100,
    billingPeriod,
    queryLimit: {
      dailyLimit: plan.queriesDay,
      weeklyLimit: plan.queriesWeek,
      monthlyLimit: plan.queriesMonth,
    },
    fileSizeLimit: {
      weeklyLimit: storage,
      monthlyLimit: beyondAWeek,
      quarterlyLimit: beyondAWeek,
      yearlyLimit: beyondAWeek,
    },
  };
}

function assertNotExpired({ status }: Standing): void {
  if (status !== 'Expired') return;
  const message = 'Your subscription has expired. Please renew to continue accessing the services.';
  throw new HttpError(402, 'subscription_expired', message);
}

export function createSubscriptionService(core: Core) {
  const { config, storage, providers, background, now } = core;
  const { database, artifactsRepository } = storage;
  const repository = createSubscriptionRepository(database);
  const readPlans = createPlanReader(core);
  const mails = createPlanMails(storage, providers.mailer, now);
  const overdrawn = createOverdrawnPlans(core, repository, readPlans, mails);
  const isEnforced = config.limits === 'enforce';

  /** The limits of the next question, and whether a credit pays for it. @throws HttpError 402. */
  async function admit(userId: string, standing: Standing, at: Date, executor: Executor) {
    assertNotExpired(standing);
    if (!isEnforced) return { limits: [], isPaidByCredit: false };
    const windows = windowsAt(at);
    const used = await repository.queriesUsed(userId, windows, executor);
    const limits = limitsOf(standing.plan, used, windows);
    const closed = usedUp(limits);
    if (closed && standing.credit <= 0) {
      const { limit, name, window } = closed;
      const message = `You have used all ${limit} questions of your plan for ${SPANS[name]}. You can ask again from ${formatTime(window.opens)}.`;
      throw new HttpError(402, 'queries_used_up', message);
    }
    return { limits, isPaidByCredit: closed !== undefined };
  }

  const standingOf = async (userId: string, at: Date): Promise<Standing> => {
    const plans = await readPlans();
    return standingAt(await repository.find(userId), plans, at);
  };

  /** Mails a user, once for each window, when a question takes the last fifth of its limit. */
  function warnNearLimit(userId: string, standing: Standing, limits: readonly QueryLimit[]): void {
    const near = nearlyUsedUp(limits);
    if (near.length === 0 || !mails.areSent()) return;
    const topics = near.map((limit) => ({
      ...limit,
      kind: `limit:${limit.name}` as const,
      about: limit.window.from,
    }));
    const sending = mails.send(userId, topics, (email, claimed) =>
      limitMail(email, standing, claimed, config.publicUrl),
    );
    void background.run(sending, 'a warning of a limit was not sent');
  }

  return {
    async start(tx: Executor, userId: string): Promise<void> {
      const row = { userId, plan: FREE_PLAN.name, status: 'Active' as const };
      await tx.insert(subscriptions).values(row).onConflictDoNothing();
    },

    overdrawn,

    /** Deletes the plan of an account. Before the account, because questions lock them in this order. */
    async end(tx: Executor, userId: string): Promise<void> {
      await tx.delete(subscriptions).where(eq(subscriptions.userId, userId));
    },

    listPlans: async (): Promise<OfferedPlan[]> => (await readPlans()).offered.map(present),

    async isCheaperOrShorter(priceId: string, thanPriceId: string): Promise<boolean> {
      const { priced, all } = await readPlans();
      const [plan, than] = [priced(priceId), priced(thanPriceId)];
      return plan !== undefined && than !== undefined && isCheaperOrShorter(plan, than, all);
    },

    planByPrice: async (priceId: string, tx?: Executor): Promise<Plan | undefined> =>
      (await readPlans(tx)).priced(priceId),

    /** The limits of the plan, and how much of them is used. A limit that does not apply is 0. */
    async metrics(userId: string): Promise<Metrics> {
      const at = now();
      const { plan, status, credit } = await standingOf(userId, at);
      const used = await repository.queriesUsed(userId, windowsAt(at));
      const stored = (await artifactsRepository.storedBytes(userId)) / GIGABYTE;
      // The storage of the free plan is shown as a weekly limit, that of others as a yearly one.
      const free = isFree(plan);
      return {
        plan: plan.name,
        credit,
        status,
        enforced: isEnforced,
        daily_query_limit: plan.queriesDay,
        daily_queries_used: used.day,
        weekly_query_limit: plan.queriesWeek,
        weekly_queries_used: used.week,
        monthly_query_limit: plan.queriesMonth,
        monthly_queries_used: used.month,
        weekly_file_size: stored,
        weekly_file_size_limit: free ? plan.storage : 0,
        yearly_file_size: stored,
        yearly_file_size_limit: free ? 0 : plan.storage,
      };
    },

    async billing(userId: string): Promise<BillingRecord[]> {
      const at = now();
      const plans = await readPlans();
      const row = await repository.find(userId);
      const { plan, status, endsAt, next } = standingAt(row, plans, at);
      const deletedOn = await overdrawn.deletionDateOf(row, at);
      const bought = row && plans.counts(row) ? row : undefined;
      return [
        {
          productName: plan.name,
          billingCycle: isFree(plan) ? null : plan.billingPeriod,
          renewsOn: endsAt?.toISOString() ?? null,
          amount: plan.amount / 100,
          status: BILLED[status],
          billingAddress: isFree(plan) ? null : (bought?.billingAddress ?? null),
          filesDeletedOn: deletedOn?.toISOString() ?? null,
          next: next && {
            productName: next.name,
            billingCycle: next.billingPeriod,
            amount: next.amount / 100,
          },
          balance: (bought?.balance ?? 0) / 100,
          sandboxPlan: row && !bought && !hasEnded(row, at) ? row.plan : null,
        },
      ];
    },

    /** A user's plan and its ids at the payment provider. Inside a transaction, pass `tx`. */
    async find(userId: string, tx?: Executor): Promise<CurrentPlan | undefined> {
      const plans = await readPlans(tx);
      const row = await repository.find(userId, tx);
      if (!row) return undefined;
      const { provider, providerCustomer: customer, providerSubscription: subscription } = row;
      const at = now();
      const standing = standingAt(row, plans, at);
      const { plan, status, endsAt } = standing;
      const isBought = provider && customer && subscription && plans.counts(row);
      const bought = isBought ? { provider, customer, subscription } : null;
      const isPaid = status !== 'Expired' && endsAt !== null && endsAt > at;
      return {
        ...standing,
        runs: bought !== null && !isFree(plan) && isPaid,
        cancelled: status === 'Cancelled',
        bought,
        balance: row.balance,
        isOutdated: row.status === 'Active' && hasEnded(row, at),
      };
    },

    outdated: repository.outdated,

    /** The plans of several users, by user id. Unknown users are missing. */
    async standings(userIds: readonly string[]) {
      const plans = await readPlans();
      const at = now();
      const rows = await repository.findMany(userIds);
      return new Map(
        rows.map((row) => {
          const { plan, status, credit } = standingAt(row, plans, at);
          return [row.userId, { plan: plan.name, status, credit }];
        }),
      );
    },

    /**
     * Stores the state of a subscription in place of the stored one. Older reports of the same
     * subscription are ignored, and so are those of deleted accounts.
     */
    async report(tx: Executor, reported: ReportedSubscription): Promise<void> {
      const stored = await repository.find(reported.userId, tx, true);
      if (!stored) return;
      const isSame =
        stored.provider === reported.provider &&
        stored.providerSubscription === reported.subscription;
      if (isSame && stored.reportedAt && reported.reportedAt < stored.reportedAt) return;
      const before = isSame ? stored : null;
      const plans = await readPlans(tx);
      // A price that is no longer in the table stays valid for those who pay it.
      const planOf = (priceId: string, stored: string | null | undefined): string => {
        const name = plans.priced(priceId)?.name ?? stored;
        if (name) return name;
        throw new Error(`No plan has the price ${priceId}.`);
      };
      const { next } = reported;
      await tx
        .update(subscriptions)
        .set({
          plan: planOf(reported.priceId, before?.plan),
          status: STATUSES[reported.status],
          endsAt: reported.endsAt,
          nextPlan: next && planOf(next.priceId, before?.nextPlan),
          nextEndsAt: next?.endsAt ?? null,
          balance: reported.balance,
          provider: reported.provider,
          providerCustomer: reported.customer,
          providerSubscription: reported.subscription,
          billingAddress: reported.billingAddress,
          reportedAt: reported.reportedAt,
        })
        .where(eq(subscriptions.userId, reported.userId));
    },

    /**
     * Counts a question before it is answered, and takes a credit if a limit is used up. Parallel
     * questions are counted one by one.
     * @throws HttpError 402 if it may not be asked. It is not counted then.
     */
    async countQuery(userId: string): Promise<void> {
      const at = now();
      const plans = await readPlans();
      const { standing, limits } = await database.transaction(async (tx) => {
        const row = await repository.find(userId, tx, isEnforced);
        const standing = standingAt(row, plans, at);
        const { limits, isPaidByCredit } = await admit(userId, standing, at, tx);
        if (row && isPaidByCredit) {
          await repository.changeCredit(tx, row, { change: -1, reason: 'Used for a question', at });
        }
        await repository.countQuery(tx, userId, dayOf(at));
        return { standing, limits };
      });
      warnNearLimit(userId, standing, limits);
    },

    /** @throws HttpError 402 if a question may not be asked now. Nothing is counted. */
    async assertMayAsk(userId: string): Promise<void> {
      const at = now();
      await admit(userId, await standingOf(userId, at), at, database.db);
    },

    /**
     * Checks the storage limit. In the transaction that stores the bytes, parallel uploads wait.
     * @throws HttpError 402 if the bytes exceed the storage limit.
     */
    async assertMayUpload(userId: string, bytes: number, tx?: Executor): Promise<void> {
      const plans = await readPlans(tx);
      const row = await repository.find(userId, tx, isEnforced && tx !== undefined);
      const standing = standingAt(row, plans, now());
      assertNotExpired(standing);
      if (!isEnforced) return;
      const { plan } = standing;
      if ((await artifactsRepository.storedBytes(userId, tx)) + bytes <= storageOf(plan)) return;
      const message = `Your plan stores up to ${plan.storage} GB, and this upload would exceed it. Please delete some files or choose a larger plan.`;
      throw new HttpError(402, 'storage_used_up', message);
    },
  };
}

export type SubscriptionService = ReturnType<typeof createSubscriptionService>;

export function mountSubscriptionRoutes(mount: Mount, service: SubscriptionService): void {
  mount(getMetrics, async ({ caller }) => ({ data: await service.metrics(caller.userId) }));

  mount(listPlans, async () => ({ data: await service.listPlans() }));

  mount(getBilling, async ({ caller }) => ({ data: await service.billing(caller.userId) }));
}
