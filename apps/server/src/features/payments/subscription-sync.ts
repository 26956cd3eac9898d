import { randomUUID } from 'node:crypto';
import type { Core } from '../../composition/core.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Limit } from '../../platform/limits/limit.ts';
import type { CurrentPlan, SubscriptionService } from '../subscription/subscription.service.ts';
import { lockPayments, type PaymentsRepository } from './payments.repository.ts';
import type { CheckoutRow, InvoiceRow, ProviderName } from './payments.tables.ts';
import {
  hasEnded,
  isRunning,
  type Leftovers,
  type PaymentProvider,
  type SubscriptionState,
} from './provider.ts';
import type { Receipts } from './receipts.ts';

export interface PaymentsContext {
  core: Core;
  subscription: SubscriptionService;
  repository: PaymentsRepository;
  providers: Partial<Record<ProviderName, PaymentProvider>>;
  /** The provider of new purchases; null if plans are not sold. */
  current: PaymentProvider | null;
  limit: Limit;
}

/** The checkout of a subscription, with its new status. */
type SettledCheckout = Pick<CheckoutRow, 'id' | 'status'>;

interface Snapshot {
  provider: ProviderName;
  state: SubscriptionState;
  readAt: Date;
}

interface ClearJob extends Leftovers {
  provider: ProviderName;
}

interface SyncJob {
  provider: ProviderName;
  subscription: string;
}

const CLEAR = 'clear-payments';
const SYNC = 'look-at-subscription';

/** How often a state is read again because another one was stored during the read. */
const MAX_ROUNDS = 5;

/** Retries continue for days, in case the provider is down. */
const RETRIES = { concurrency: 1, timeoutSeconds: 120, retryLimit: 60, retryDelaySeconds: 2 };

const rank = (state: SubscriptionState, time: Date): number => {
  if (!isRunning(state, time)) return 0;
  return state.status === 'active' ? 2 : 1;
};

/**
 * Whether a subscription supersedes another one of the same user. Running ones win, then renewing ones,
 * then newer ones, regardless of the order in which they are reported.
 */
function supersedes(candidate: SubscriptionState, other: SubscriptionState, time: Date): boolean {
  const byRank = rank(candidate, time) - rank(other, time);
  const byStart = candidate.startedAt.getTime() - other.startedAt.getTime();
  return (byRank || byStart || (candidate.id > other.id ? 1 : -1)) > 0;
}

export function createSubscriptionSync(
  { core, subscription: plans, repository, providers }: PaymentsContext,
  receipts: Receipts,
) {
  const { log, now } = core;
  const { database, jobs, deletedAccounts } = core.storage;

  /** Enqueues a job that ends leftovers at a provider, at most one for each key. */
  const clear = (tx: Transaction, job: ClearJob, key?: string): Promise<void> =>
    jobs.enqueue<ClearJob>(CLEAR, job, { tx, ...(key ? { key } : {}) });

  const newInvoices = async ({ provider, state }: Snapshot): Promise<InvoiceRow[]> => {
    const { userId } = state;
    const known = await repository.knownInvoices(userId, provider);
    const invoices = (await providers[provider]?.newInvoices(state.id, known)) ?? [];
    return Promise.all(
      invoices.map(async ({ priceId, ...invoice }) => {
        const purchase = priceId ?? state.priceId;
        return {
          ...invoice,
          id: randomUUID(),
          userId,
          provider,
          plan: (await plans.planByPrice(purchase))?.name ?? purchase,
          billingAddress: invoice.billingAddress ?? state.billingAddress,
        };
      }),
    );
  };

  const findOther = async (snapshot: Snapshot, stored: CurrentPlan): Promise<Snapshot | null> => {
    if (!stored.purchase) return null;
    const { provider, subscription } = stored.purchase;
    if (provider === snapshot.provider && subscription === snapshot.state.id) return null;
    const readAt = now();
    const state = await providers[provider]?.readSubscription(subscription);
    return state ? { provider, state, readAt } : null;
  };

  const store = async (tx: Transaction, { provider, state, readAt }: Snapshot): Promise<void> => {
    const { id: subscription, startedAt: _, ...reported } = state;
    await plans.report(tx, { ...reported, provider, subscription, reportedAt: readAt });
    if (!isRunning(state, readAt)) return;
    // Prevents a second payment.
    const checkouts = await repository.expirePayable(tx, state.userId, provider);
    if (checkouts.length > 0) await clear(tx, { provider, checkouts });
  };

  /** Stores a snapshot. False if another subscription was stored since it was read. */
  const apply = async (snapshot: Snapshot, checkout?: SettledCheckout): Promise<boolean> => {
    const { provider, state, readAt } = snapshot;
    const { userId } = state;
    const before = await plans.find(userId);
    if (!before) {
      await database.transaction(async (tx) => {
        if (checkout) await repository.setStatus(checkout.id, checkout.status, tx);
        // It was paid after the account was deleted. Unknown users belong to another server.
        if (!(await deletedAccounts.hasIn(tx, userId))) return;
        await clear(tx, { provider, subscription: state.id, customer: state.customer });
      });
      return true;
    }
    const other = await findOther(snapshot, before);
    const wins = !other || supersedes(state, other.state, readAt);
    const invoices = await newInvoices(snapshot);
    return database.transaction(async (tx) => {
      await lockPayments(tx, userId);
      const stored = await plans.find(userId, tx);
      if (stored?.purchase?.subscription !== before.purchase?.subscription) return false;
      if (checkout) await repository.setStatus(checkout.id, checkout.status, tx);
      await receipts.send(tx, await repository.insertInvoices(tx, invoices));
      if (stored && wins) await store(tx, snapshot);
      const loser = wins ? other : snapshot;
      if (loser && !hasEnded(loser.state, readAt)) {
        await clear(tx, { provider: loser.provider, subscription: loser.state.id });
      }
      return true;
    });
  };

  /**
   * Reads the state of a subscription and stores it with its invoices, and with a checkout's
   * status. Subscriptions that are not Engram's, or of unknown users, are ignored.
   */
  const sync = async (
    provider: ProviderName,
    subscription: string,
    checkout?: SettledCheckout,
  ): Promise<void> => {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const readAt = now();
      const state = await providers[provider]?.readSubscription(subscription);
      if (!state) {
        if (checkout) await repository.setStatus(checkout.id, checkout.status);
        return;
      }
      if (await apply({ provider, state, readAt }, checkout)) return;
    }
    throw new Error('The subscriptions of one user kept changing.');
  };

  jobs.define<SyncJob>(SYNC, {
    ...RETRIES,
    handler: ({ data }) => sync(data.provider, data.subscription),
  });
  jobs.define<ClearJob>(CLEAR, {
    ...RETRIES,
    async handler({ data: { provider, ...leftovers } }) {
      await providers[provider]?.clear(leftovers);
      if (leftovers.customer !== undefined) return;
      // Some may have been paid before they were closed.
      for (const id of leftovers.checkouts ?? []) {
        const state = await providers[provider]?.readCheckout(id);
        if (!state?.subscription) continue;
        await sync(provider, state.subscription, { id, status: state.status });
      }
    },
    async onFailed({ provider, ...leftovers }, error) {
      log.error(
        { err: error, provider, ...leftovers },
        'leftovers at the payment provider could not be ended',
      );
    },
  });

  return {
    sync,

    /** Syncs a subscription in a job, if it cannot be read right now. */
    syncLater: (provider: ProviderName, subscription: string): Promise<void> =>
      jobs.enqueue<SyncJob>(SYNC, { provider, subscription }, { key: subscription }),

    /** Ends a deleted account's subscription and checkouts at Stripe, and deletes its customer. */
    async clearAccount(tx: Transaction, userId: string): Promise<void> {
      const plan = await plans.find(userId, tx);
      const checkouts = await repository.latestOf(tx, userId, 'stripe');
      const purchase = plan?.purchase?.provider === 'stripe' ? plan.purchase : null;
      // Stripe does not know users who never opened a checkout.
      if (!purchase && checkouts.length === 0) return;
      const { subscription = null, customer = null } = purchase ?? {};
      await clear(tx, { provider: 'stripe', subscription, customer, checkouts }, userId);
    },
  };
}

export type SubscriptionSync = ReturnType<typeof createSubscriptionSync>;
