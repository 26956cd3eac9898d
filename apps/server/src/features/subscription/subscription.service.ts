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
  type PlanState,
  planStateAt,
  usedUp,
} from './plan-state.ts';
import { createSubscriptionRepository } from './subscription.repository.ts';
import { type SubscriptionRow, subscriptions } from './subscription.tables.ts';
import { dayOf, formatTime, windowsAt } from './windows.ts';

/** A user's plan and its subscription. */
export interface CurrentPlan extends PlanState {
  /** Whether the plan costs money and its period is paid. */
  isPaid: boolean;
  isCancelled: boolean;
  /** Null if the user never bought a plan. It stays after the plan ends, to identify the customer. */
  purchase: Pick<ReportedSubscription, 'provider' | 'customer' | 'subscription'> | null;
  balance: number;
  /** Whether the stored period of an active plan has ended, so the provider has a newer state. */
  isOutdated: boolean;
}

const hasEnded = ({ endsAt }: Pick<SubscriptionRow, 'endsAt'>, time: Date): boolean =>
  endsAt !== null && endsAt <= time;

const STATUSES = { active: 'Active', cancelled: 'Cancelled', expired: 'Expired' } as const;
const BILLING_STATUSES = { Active: 'ACTIVE', Cancelled: 'CANCELLED', Expired: 'EXPIRED' } as const;
const PERIOD_NAMES = { day: 'today', week: 'this week', month: 'this month' } as const;

function present(plan: Plan): OfferedPlan {
  const { name, productId, priceId, amount, billingPeriod, storage } = plan;
  // Clients show the storage of the free plan as a weekly limit.
  const longerLimit = isFree(plan) ? 0 : storage;
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
      monthlyLimit: longerLimit,
      quarterlyLimit: longerLimit,
      yearlyLimit: longerLimit,
    },
  };
}

function assertNotExpired({ status }: PlanState): void {
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

  /** The limits of the next question, and whether it uses a credit. @throws HttpError 402. */
  async function admit(userId: string, state: PlanState, time: Date, executor: Executor) {
    assertNotExpired(state);
    if (!isEnforced) return { limits: [], isPaidByCredit: false };
    const windows = windowsAt(time);
    const used = await repository.queriesUsed(userId, windows, executor);
    const limits = limitsOf(state.plan, used, windows);
    const reached = usedUp(limits);
    if (reached && state.credit <= 0) {
      const { limit, name, window } = reached;
      const message = `You have used all ${limit} questions of your plan for ${PERIOD_NAMES[name]}. You can ask again from ${formatTime(window.opens)}.`;
      throw new HttpError(402, 'queries_used_up', message);
    }
    return { limits, isPaidByCredit: reached !== undefined };
  }

  const readState = async (userId: string, time: Date): Promise<PlanState> => {
    const plans = await readPlans();
    return planStateAt(await repository.find(userId), plans, time);
  };

  /** Mails a user once in each window when a question uses the last fifth of its limit. */
  function warnNearLimit(userId: string, state: PlanState, limits: readonly QueryLimit[]): void {
    const near = nearlyUsedUp(limits);
    if (near.length === 0 || !mails.areSent()) return;
    const topics = near.map((limit) => ({
      ...limit,
      kind: `limit:${limit.name}` as const,
      about: limit.window.from,
    }));
    const sending = mails.send(userId, topics, (email, claimed) =>
      limitMail(email, state, claimed, config.publicUrl),
    );
    void background.run(sending, 'a mail about a limit was not sent');
  }

  /** The limits of the plan and their usage. 0 means no limit. */
  async function metrics(userId: string): Promise<Metrics> {
    const time = now();
    const { plan, status, credit } = await readState(userId, time);
    const used = await repository.queriesUsed(userId, windowsAt(time));
    const stored = (await artifactsRepository.storedBytes(userId)) / GIGABYTE;
    // Clients show the storage of the free plan as a weekly limit, and that of others as a yearly one.
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
  }

  async function billing(userId: string): Promise<BillingRecord[]> {
    const time = now();
    const plans = await readPlans();
    const row = await repository.find(userId);
    const { plan, status, endsAt, next } = planStateAt(row, plans, time);
    const deletedOn = await overdrawn.deletionDateOf(row, time);
    const purchase = row && plans.counts(row) ? row : undefined;
    return [
      {
        productName: plan.name,
        billingCycle: isFree(plan) ? null : plan.billingPeriod,
        renewsOn: endsAt?.toISOString() ?? null,
        amount: plan.amount / 100,
        status: BILLING_STATUSES[status],
        billingAddress: isFree(plan) ? null : (purchase?.billingAddress ?? null),
        filesDeletedOn: deletedOn?.toISOString() ?? null,
        next: next && {
          productName: next.name,
          billingCycle: next.billingPeriod,
          amount: next.amount / 100,
        },
        balance: (purchase?.balance ?? 0) / 100,
        sandboxPlan: row && !purchase && !hasEnded(row, time) ? row.plan : null,
      },
    ];
  }

  return {
    async start(tx: Executor, userId: string): Promise<void> {
      const row = { userId, plan: FREE_PLAN.name, status: 'Active' as const };
      await tx.insert(subscriptions).values(row).onConflictDoNothing();
    },

    overdrawn,

    /** Deletes an account's plan, before the account, because questions lock them in this order. */
    async end(tx: Executor, userId: string): Promise<void> {
      await tx.delete(subscriptions).where(eq(subscriptions.userId, userId));
    },

    async isCheaperOrShorter(priceId: string, otherPriceId: string): Promise<boolean> {
      const { priced, all } = await readPlans();
      const [plan, other] = [priced(priceId), priced(otherPriceId)];
      return plan !== undefined && other !== undefined && isCheaperOrShorter(plan, other, all);
    },

    planByPrice: async (priceId: string, tx?: Executor): Promise<Plan | undefined> =>
      (await readPlans(tx)).priced(priceId),

    metrics,
    billing,
    routes(mount: Mount): void {
      mount(getMetrics, async ({ caller }) => ({ data: await metrics(caller.userId) }));
      mount(listPlans, async () => ({ data: (await readPlans()).offered.map(present) }));
      mount(getBilling, async ({ caller }) => ({ data: await billing(caller.userId) }));
    },
    /** A user's plan and its ids at the payment provider. Inside a transaction, pass `tx`. */
    async find(userId: string, tx?: Executor): Promise<CurrentPlan | undefined> {
      const plans = await readPlans(tx);
      const row = await repository.find(userId, tx);
      if (!row) return undefined;
      const { provider, providerCustomer: customer, providerSubscription: subscription } = row;
      const time = now();
      const state = planStateAt(row, plans, time);
      const { plan, status, endsAt } = state;
      const isBought = provider && customer && subscription && plans.counts(row);
      const purchase = isBought ? { provider, customer, subscription } : null;
      const isCurrent = status !== 'Expired' && endsAt !== null && endsAt > time;
      return {
        ...state,
        isPaid: purchase !== null && !isFree(plan) && isCurrent,
        isCancelled: status === 'Cancelled',
        purchase,
        balance: row.balance,
        isOutdated: row.status === 'Active' && hasEnded(row, time),
      };
    },

    outdated: repository.outdated,

    /** The plans of several users by user id, without unknown users. */
    async statesOf(userIds: readonly string[]) {
      const plans = await readPlans();
      const time = now();
      const rows = await repository.findMany(userIds);
      return new Map(
        rows.map((row) => {
          const { plan, status, credit } = planStateAt(row, plans, time);
          return [row.userId, { plan: plan.name, status, credit }];
        }),
      );
    },

    /**
     * Replaces the stored state of a subscription. Older reports of the same subscription, and reports of
     * deleted accounts, are ignored.
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
      // A price that was removed from the table stays valid for its subscribers.
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
     * Counts a question before it is answered, and uses a credit if a limit is used up.
     * @throws HttpError 402 if the plan does not allow it. It is not counted then.
     */
    async countQuery(userId: string): Promise<void> {
      const time = now();
      const plans = await readPlans();
      const { state, limits } = await database.transaction(async (tx) => {
        const row = await repository.find(userId, tx, isEnforced);
        const state = planStateAt(row, plans, time);
        const { limits, isPaidByCredit } = await admit(userId, state, time, tx);
        if (row && isPaidByCredit) {
          const charge = { change: -1, reason: 'Used for a question' as const, at: time };
          await repository.changeCredit(tx, row, charge);
        }
        await repository.countQuery(tx, userId, dayOf(time));
        return { state, limits };
      });
      warnNearLimit(userId, state, limits);
    },

    /** Does not count a question. @throws HttpError 402 if the plan allows no question now. */
    async assertMayAsk(userId: string): Promise<void> {
      const time = now();
      await admit(userId, await readState(userId, time), time, database.db);
    },

    /**
     * In a transaction, concurrent uploads wait for each other.
     * @throws HttpError 402 if the bytes exceed the storage limit.
     */
    async assertMayUpload(userId: string, bytes: number, tx?: Executor): Promise<void> {
      const plans = await readPlans(tx);
      const row = await repository.find(userId, tx, isEnforced && tx !== undefined);
      const state = planStateAt(row, plans, now());
      assertNotExpired(state);
      if (!isEnforced) return;
      const { plan } = state;
      if ((await artifactsRepository.storedBytes(userId, tx)) + bytes <= storageOf(plan)) return;
      const message = `Your plan stores up to ${plan.storage} GB, and this upload would exceed it. Please delete some files or choose a larger plan.`;
      throw new HttpError(402, 'storage_used_up', message);
    },
  };
}

export type SubscriptionService = ReturnType<typeof createSubscriptionService>;
