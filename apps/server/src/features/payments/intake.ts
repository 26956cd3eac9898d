import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { KeptPlan, SubscriptionService } from '../subscription/subscription.service.ts';
import type { PaymentsRepository } from './payments.repository.ts';
import type { InvoiceRow } from './payments.tables.ts';
import {
  hasEnded,
  isRunning,
  type Leftovers,
  type PaidInvoice,
  type PaymentProvider,
  type ProviderName,
  type SubscriptionState,
} from './provider.ts';

export interface IntakeDependencies {
  database: Pick<Database, 'transaction'>;
  repository: PaymentsRepository;
  /** Those that are set. */
  providers: Partial<Record<ProviderName, PaymentProvider>>;
  jobs: Pick<Jobs, 'define' | 'enqueue'>;
  log: Pick<FastifyBaseLogger, 'error' | 'warn'>;
  now: () => Date;
  findPlan: SubscriptionService['find'];
  report: SubscriptionService['report'];
  planByPrice: SubscriptionService['planByPrice'];
  isDeletedAccount: (tx: Transaction, userId: string) => Promise<boolean>;
  /** Has the receipts of invoices sent. */
  sendReceipts: (tx: Transaction, rows: readonly InvoiceRow[]) => Promise<void>;
}

/** Done in the transaction in which a state is taken in. */
type Alongside = (tx: Transaction) => Promise<void>;

/** A subscription and who keeps it. */
interface Told {
  provider: ProviderName;
  state: SubscriptionState;
  /** When it was asked for. */
  readAt: Date;
}

interface ClearingJob extends Leftovers {
  provider: ProviderName;
}

interface LookJob {
  provider: ProviderName;
  subscription: string;
}

const CLEAR = 'clear-payments';
const LOOK = 'look-at-subscription';

/** How often a state is asked anew because another one was kept meanwhile. */
const ROUNDS = 5;

/** Goes on for days: a provider that is down comes back. */
const PATIENT = { concurrency: 1, timeoutSeconds: 120, retryLimit: 60, retryDelaySeconds: 2 };

/** What counts of two subscriptions, the weightiest first. */
const weightsOf = (state: SubscriptionState, at: Date): readonly number[] => {
  const runs = isRunning(state, at);
  return [Number(runs), Number(runs && state.status === 'active'), state.startedAt.getTime()];
};

/**
 * Whether a subscription takes the place of another one: of two that run, the one that is not
 * cancelled, and then the younger. In whatever order they are told of, it is the same one.
 */
function overtakes(told: SubscriptionState, kept: SubscriptionState, at: Date): boolean {
  const ours = weightsOf(told, at);
  const theirs = weightsOf(kept, at);
  const place = ours.findIndex((weight, i) => weight !== theirs[i]);
  return place < 0 ? told.id > kept.id : (ours[place] ?? 0) > (theirs[place] ?? 0);
}

const nothing: Alongside = () => Promise.resolve();

/** Where the word of every provider ends: how a subscription stands, and what was paid for it. */
export function createIntake(deps: IntakeDependencies) {
  const { database, repository, providers, jobs, log, now } = deps;

  /**
   * Has a job end what is left at a provider.
   * @param key Of the job; with none it is one of its own.
   */
  const clear = (
    tx: Transaction,
    provider: ProviderName,
    leftovers: Leftovers,
    key?: string,
  ): Promise<void> =>
    jobs.enqueue<ClearingJob>(CLEAR, { provider, ...leftovers }, { tx, ...(key ? { key } : {}) });

  const rowsOf = ({ provider, state }: Told, invoices: readonly PaidInvoice[]) =>
    Promise.all(
      invoices.map(async (invoice): Promise<InvoiceRow> => {
        const bought = invoice.priceId ?? state.priceId;
        return {
          id: randomUUID(),
          userId: state.userId,
          provider,
          providerInvoice: invoice.id,
          invoiceNo: invoice.number,
          plan: (await deps.planByPrice(bought))?.name ?? bought,
          amount: invoice.amount,
          paidAt: invoice.paidAt,
          billingAddress: invoice.billingAddress ?? state.billingAddress,
          invoiceUrl: invoice.invoiceUrl,
          receiptUrl: invoice.receiptUrl,
        };
      }),
    );

  /** The subscription that is kept, where it is another one than the one that was told of. */
  const otherThan = async (told: Told, kept: KeptPlan): Promise<Told | null> => {
    if (!kept.bought) return null;
    const { provider, subscription } = kept.bought;
    if (provider === told.provider && subscription === told.state.id) return null;
    const readAt = now();
    const state = await providers[provider]?.readSubscription(subscription);
    return state ? { provider, state, readAt } : null;
  };

  /** The checkouts of somebody who has a plan now: they are not to be paid as well. */
  const closeCheckouts = async (tx: Transaction, { provider, state }: Told): Promise<void> => {
    const unsettled = await repository.unsettledOf(state.userId, provider, tx);
    const open = unsettled.filter(({ status }) => status !== 'processing');
    for (const { id } of open) await repository.setStatus(id, 'expired', tx);
    if (open.length > 0) await clear(tx, provider, { checkouts: open.map(({ id }) => id) });
  };

  const keep = async (tx: Transaction, told: Told, kept: KeptPlan): Promise<void> => {
    const { id, userId: owner, startedAt: _, ...state } = told.state;
    const isKept = kept.bought?.subscription === id;
    // Who comes after another one is told of later, also within the same millisecond.
    const after = isKept || !kept.reportedAt ? 0 : kept.reportedAt.getTime() + 1;
    const reportedAt = new Date(Math.max(told.readAt.getTime(), after));
    const { provider } = told;
    await deps.report(tx, { ...state, userId: owner, provider, subscription: id, reportedAt });
    if (isRunning(told.state, told.readAt)) await closeCheckouts(tx, told);
  };

  /** One round; false where something else was kept meanwhile than what it rests on. */
  const settle = async (told: Told, alongside: Alongside): Promise<boolean> => {
    const { userId } = told.state;
    const before = await deps.findPlan(userId);
    if (!before) {
      await database.transaction(async (tx) => {
        await alongside(tx);
        // Paid when the account was gone; whoever was never here is another server's.
        if (!(await deps.isDeletedAccount(tx, userId))) return;
        const { id: subscription, customer } = told.state;
        await clear(tx, told.provider, { subscription, customer });
      });
      return true;
    }
    const other = await otherThan(told, before);
    const wins = !other || overtakes(told.state, other.state, told.readAt);
    const known = await repository.knownInvoices(userId, told.provider);
    const invoices = await providers[told.provider]?.newInvoices(told.state.id, known);
    const rows = await rowsOf(told, invoices ?? []);
    return database.transaction(async (tx) => {
      await repository.lock(tx, userId);
      const kept = await deps.findPlan(userId, tx);
      if (kept?.bought?.subscription !== before.bought?.subscription) return false;
      await alongside(tx);
      await deps.sendReceipts(tx, await repository.insertInvoices(tx, rows));
      if (kept && wins) await keep(tx, told, kept);
      const loser = wins ? other : told;
      if (loser && !hasEnded(loser.state, told.readAt)) {
        await clear(tx, loser.provider, { subscription: loser.state.id });
      }
      return true;
    });
  };

  /**
   * Asks a provider how a subscription stands, and keeps that with what was paid. Nothing is kept
   * where it is not Engram's, or of somebody who is not known here.
   * @throws ProviderDown when it cannot be asked; nothing has changed then.
   */
  const take = async (
    provider: ProviderName,
    subscription: string,
    alongside: Alongside = nothing,
  ): Promise<void> => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const readAt = now();
      const state = await providers[provider]?.readSubscription(subscription);
      if (!state) return database.transaction(alongside);
      if (await settle({ provider, state, readAt }, alongside)) return;
    }
    throw new Error('The subscriptions of one person changed again and again.');
  };

  /** Takes in what was paid by checkouts before they could be closed. */
  const takePaid = async (provider: ProviderName, checkouts: readonly string[]): Promise<void> => {
    for (const id of checkouts) {
      const state = await providers[provider]?.readCheckout(id);
      if (!state?.subscription) continue;
      await take(provider, state.subscription, (tx) => repository.setStatus(id, state.status, tx));
    }
  };

  return {
    take,
    clear,

    /** Has a subscription looked at by a job, where it cannot be right now. */
    lookLater: (provider: ProviderName, subscription: string): Promise<void> =>
      jobs.enqueue<LookJob>(LOOK, { provider, subscription }, { key: subscription }),

    /**
     * Has a job end a person's payments with their account, as the provider may be down. To be
     * called while what is known of them is still there.
     */
    async leave(tx: Transaction, userId: string): Promise<void> {
      const kept = await deps.findPlan(userId, tx);
      const checkouts = await repository.checkoutsAt(tx, userId, 'stripe');
      const bought = kept?.bought?.provider === 'stripe' ? kept.bought : null;
      // Whoever never opened a checkout is not known at Stripe.
      if (!bought && checkouts.length === 0) return;
      const { subscription = null, customer = null } = bought ?? {};
      await clear(tx, 'stripe', { subscription, customer, checkouts }, userId);
    },

    /** Makes the queues of what is done about payments later known. */
    async define(): Promise<void> {
      await jobs.define<LookJob>(LOOK, {
        ...PATIENT,
        handler: ({ data }) => take(data.provider, data.subscription),
      });
      await jobs.define<ClearingJob>(CLEAR, {
        ...PATIENT,
        async handler({ data: { provider, ...leftovers } }) {
          await providers[provider]?.clear(leftovers);
          // Of somebody who has gone, all that was bought has ended with them.
          if (leftovers.customer === undefined) await takePaid(provider, leftovers.checkouts ?? []);
        },
        async onFailed({ provider, ...leftovers }, error) {
          log.error({ err: error, provider, ...leftovers }, 'something is left at the provider');
        },
      });
    },
  };
}

export type Intake = ReturnType<typeof createIntake>;
