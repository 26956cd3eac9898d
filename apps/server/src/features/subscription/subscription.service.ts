import type { BillingRecord, Metrics, Plan as OfferedPlan } from '@engram/contract';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../config.ts';
import type { Background } from '../../platform/background.ts';
import type { Database, Executor } from '../../platform/database/database.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import type { ProviderName } from '../payments/provider.ts';
import { createLimitWarnings } from './limit-warnings.ts';
import { createOverdrawnPlans } from './overdrawn-plans.ts';
import { createPlanCatalog, type Plans } from './plan-catalog.ts';
import { createPlanMails } from './plan-mails.ts';
import { isCheaperOrShorter } from './plan-order.ts';
import { FREE_PLAN, GIGABYTE, isFree, type Plan, storageOf } from './plans.ts';
import { isSame, type ReportedSubscription, takesPlaceOf } from './provider-report.ts';
import { limitsOf, type QueryLimit, type Standing, standingAt, usedUp } from './standing.ts';
import * as errors from './subscription.errors.ts';
import { createSubscriptionRepository } from './subscription.repository.ts';
import type { SubscriptionRow } from './subscription.tables.ts';
import { dayOf, windowsAt } from './windows.ts';

export interface SubscriptionDependencies {
  database: Pick<Database, 'db' | 'transaction'>;
  /** Whether limits are enforced, or only shown. */
  limits: 'enforce' | 'off';
  /** Who takes the money. */
  payments: Config['payments'];
  now: () => Date;
  /** Bytes that a person's files take, as a transaction sees them where one is given. */
  storedBytes: (userId: string, executor?: Executor) => Promise<number>;
  mailer: Pick<Mailer, 'send' | 'describe'>;
  /** The address of an account; undefined where there is no such account. */
  emailOf: (userId: string) => Promise<string | undefined>;
  /** Address under which people reach the server, where it is set. */
  publicUrl: string | undefined;
  log: Pick<FastifyBaseLogger, 'warn'>;
  background: Background;
}

/** A person's plan as it stands, and the subscription behind it. */
export interface KeptPlan extends Standing {
  /** Whether it is a paid one and holds now. */
  runs: boolean;
  /** Whether it only runs to its end. */
  cancelled: boolean;
  /** Null where nothing was ever bought. It outlives the plan: whoever returns is known there. */
  bought: { provider: ProviderName; customer: string; subscription: string } | null;
  reportedAt: Date | null;
  /** US cents that the provider holds for the person. */
  balance: number;
  /** Whether what is kept is out of date by the clock: another period has begun, or should have. */
  ranOut: boolean;
}

/** What a question is admitted on. */
interface Admission {
  standing: Standing;
  limits: readonly QueryLimit[];
  paidBy: 'plan' | 'credit';
}

const hasEnded = ({ endsAt }: Pick<SubscriptionRow, 'endsAt'>, at: Date): boolean =>
  endsAt !== null && endsAt <= at;

const STATUSES = { active: 'Active', cancelled: 'Cancelled', expired: 'Expired' } as const;
const BILLED = { Active: 'ACTIVE', Cancelled: 'CANCELLED', Expired: 'EXPIRED' } as const;

function present(plan: Plan): OfferedPlan {
  const { name, productId, priceId, amount, billingPeriod, queries, storage } = plan;
  // The free plan's storage is told as a weekly limit.
  const beyondAWeek = isFree(plan) ? 0 : storage;
  return {
    name,
    productId,
    priceId,
    amount: amount / 100,
    billingPeriod,
    queryLimit: { dailyLimit: queries.day, weeklyLimit: queries.week, monthlyLimit: queries.month },
    fileSizeLimit: {
      weeklyLimit: storage,
      monthlyLimit: beyondAWeek,
      quarterlyLimit: beyondAWeek,
      yearlyLimit: beyondAWeek,
    },
  };
}

/** What a person's plan allows, and how much of it is used. */
export function createSubscriptionService(deps: SubscriptionDependencies) {
  const { database, now, storedBytes, background, publicUrl } = deps;
  const repository = createSubscriptionRepository(database);
  const readPlans = createPlanCatalog(deps);
  const mails = createPlanMails(deps);
  const warnings = createLimitWarnings({ mails, publicUrl, background });
  const overdrawn = createOverdrawnPlans({ ...deps, repository, readPlans, mails });
  const enforced = deps.limits === 'enforce';

  /** What the next question is asked on; throws a 402 when it may not be asked at all. */
  async function admit(
    userId: string,
    standing: Standing,
    at: Date,
    executor: Executor,
  ): Promise<Admission> {
    const { plan, status, credit } = standing;
    if (status === 'Expired') throw errors.subscriptionExpired();
    if (!enforced) return { standing, limits: [], paidBy: 'plan' };
    const windows = windowsAt(at);
    const used = await repository.queriesUsed(userId, windows, executor);
    const limits = limitsOf(plan, used, windows);
    const closed = usedUp(limits);
    if (closed && credit <= 0) {
      throw errors.queriesUsedUp(closed.limit, closed.name, closed.window.opens);
    }
    return { standing, limits, paidBy: closed ? 'credit' : 'plan' };
  }

  const standingOf = async (userId: string, at: Date): Promise<Standing> => {
    const plans = await readPlans();
    return standingAt(await repository.find(userId), plans, at);
  };

  /**
   * The plan that a report is about.
   * @param kept What the same subscription gave so far: a price that was replaced goes on for those
   * who pay it.
   */
  function reportedPlan(priceId: string, kept: string | null, plans: Plans): string {
    const name = plans.priced(priceId)?.name ?? kept;
    if (name === null) throw new Error(`No plan has the price ${priceId}.`);
    return name;
  }

  return {
    /** Puts a new account on the free plan. */
    start: (tx: Executor, userId: string): Promise<void> =>
      repository.insert(tx, { userId, plan: FREE_PLAN.name, status: 'Active' }),

    /** Files above the free storage after a cancelled plan. */
    overdrawn,

    /** Ends a person's plan with their account; before that, as counting a question locks it first too. */
    end: repository.delete,

    /** The free plan and those that are sold. */
    listPlans: async (): Promise<OfferedPlan[]> =>
      (await readPlans()).offered.map((plan) => present(plan)),

    /** Whether the plan of a price is cheaper or shorter than that of another one. */
    async isCheaperOrShorter(priceId: string, thanPriceId: string): Promise<boolean> {
      const { priced, all } = await readPlans();
      const [plan, than] = [priced(priceId), priced(thanPriceId)];
      return Boolean(plan && than) && isCheaperOrShorter(plan ?? FREE_PLAN, than ?? FREE_PLAN, all);
    },

    /**
     * The paid plan of a price, sold or not any more (`active`); undefined where there is none. In a
     * transaction it must be handed that.
     */
    planByPrice: async (priceId: string, tx?: Executor): Promise<Plan | undefined> =>
      (await readPlans(tx)).priced(priceId),

    /** The plan's limits, and how much of them is used; a limit that does not apply is 0. */
    async metrics(userId: string): Promise<Metrics> {
      const at = now();
      const { plan, status, credit } = await standingOf(userId, at);
      const used = await repository.queriesUsed(userId, windowsAt(at));
      const stored = (await storedBytes(userId)) / GIGABYTE;
      // The free plan's storage is told as a weekly limit, that of the others as a yearly one.
      const free = isFree(plan);
      return {
        plan: plan.name,
        credit,
        status,
        enforced,
        daily_query_limit: plan.queries.day,
        daily_queries_used: used.day,
        weekly_query_limit: plan.queries.week,
        weekly_queries_used: used.week,
        monthly_query_limit: plan.queries.month,
        monthly_queries_used: used.month,
        weekly_file_size: stored,
        weekly_file_size_limit: free ? plan.storage : 0,
        yearly_file_size: stored,
        yearly_file_size_limit: free ? 0 : plan.storage,
      };
    },

    /** The plan as it is billed: one record. */
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

    /**
     * A person's plan as it stands, with what its payment provider calls it; undefined where there is
     * no such person. In a transaction it must be handed that.
     */
    async find(userId: string, tx?: Executor): Promise<KeptPlan | undefined> {
      const plans = await readPlans(tx);
      const row = await repository.find(userId, tx);
      if (!row) return undefined;
      const { reportedAt, balance } = row;
      const { providerCustomer: customer, providerSubscription: subscription } = row;
      const provider = plans.counts(row) ? row.provider : null;
      const at = now();
      const standing = standingAt(row, plans, at);
      const { plan, status } = standing;
      const bought =
        provider && customer && subscription ? { provider, customer, subscription } : null;
      const holds = status !== 'Expired' && standing.endsAt !== null && standing.endsAt > at;
      return {
        ...standing,
        runs: bought !== null && !isFree(plan) && holds,
        cancelled: status === 'Cancelled',
        bought,
        reportedAt,
        balance,
        ranOut: row.status === 'Active' && hasEnded(row, at),
      };
    },

    /**
     * What a provider calls the subscriptions whose period ended before a moment, as far as it has
     * told; those that ended last come first.
     */
    ranOut: repository.ranOut,

    /** How the plans of some people stand, by their names; who has none is missing. */
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
     * Takes in how a subscription stands, as whoever takes the money tells. It may be told twice and
     * in any order: what is older than what is kept is passed over, and so is an ended subscription
     * where another one runs, and one of an account that is gone.
     */
    async report(tx: Executor, told: ReportedSubscription): Promise<void> {
      const kept = await repository.lock(tx, told.userId);
      if (!kept) return;
      const plans = await readPlans(tx);
      if (plans.counts(kept) && !takesPlaceOf(kept, told)) return;
      const before = isSame(kept, told) ? kept : null;
      const { next } = told;
      await repository.update(tx, told.userId, {
        plan: reportedPlan(told.priceId, before?.plan ?? null, plans),
        status: STATUSES[told.status],
        endsAt: told.endsAt,
        nextPlan: next && reportedPlan(next.priceId, before?.nextPlan ?? null, plans),
        nextEndsAt: next?.endsAt ?? null,
        balance: told.balance,
        provider: told.provider,
        providerCustomer: told.customer,
        providerSubscription: told.subscription,
        billingAddress: told.billingAddress,
        reportedAt: told.reportedAt,
      });
    },

    /**
     * Counts a question, with a credit where the plan's limits are used up. Parallel questions are
     * counted one by one, so the limit holds for them too: call it before answering.
     * @throws HttpError 402 when the plan has expired, or its limits are used up; nothing is counted
     * then.
     */
    async countQuery(userId: string): Promise<void> {
      const at = now();
      if (!enforced) {
        // Without limits nothing depends on what others count meanwhile.
        await admit(userId, await standingOf(userId, at), at, database.db);
        await repository.countQuery(database.db, userId, dayOf(at));
        return;
      }
      const plans = await readPlans();
      const { standing, limits } = await database.transaction(async (tx) => {
        const row = await repository.lock(tx, userId);
        const admission = await admit(userId, standingAt(row, plans, at), at, tx);
        if (row && admission.paidBy === 'credit') {
          await repository.changeCredit(tx, row, { change: -1, reason: 'Used for a question', at });
        }
        await repository.countQuery(tx, userId, dayOf(at));
        return admission;
      });
      warnings.consider(userId, standing, limits);
    },

    /**
     * Says whether a question may be asked now, without counting one.
     * @throws HttpError 402 when the plan has expired, or its limits are used up.
     */
    async assertMayAsk(userId: string): Promise<void> {
      const at = now();
      await admit(userId, await standingOf(userId, at), at, database.db);
    },

    /**
     * Says whether so many more bytes may be stored. In the transaction that stores them it holds for
     * parallel uploads too, which then wait for each other.
     * @throws HttpError 402 when the plan has expired, or its storage is used up.
     */
    async assertMayUpload(userId: string, bytes: number, tx?: Executor): Promise<void> {
      const plans = await readPlans(tx);
      const row = await (tx && enforced
        ? repository.lock(tx, userId)
        : repository.find(userId, tx));
      const { plan, status } = standingAt(row, plans, now());
      if (status === 'Expired') throw errors.subscriptionExpired();
      if (!enforced) return;
      const exceeds = (await storedBytes(userId, tx)) + bytes > storageOf(plan);
      if (exceeds) throw errors.storageUsedUp(plan.storage);
    },
  };
}

export type SubscriptionService = ReturnType<typeof createSubscriptionService>;
