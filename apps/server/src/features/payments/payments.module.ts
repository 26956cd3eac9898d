import { createPaymentsService } from './payments.service.ts';
import type { Core } from '../../composition/core.ts';
import type { SubscriptionService } from '../subscription/subscription.service.ts';
import { createInvoices } from './invoices.ts';
import { createPaymentsRepository } from './payments.repository.ts';
import type { CheckoutRow } from './payments.tables.ts';
import { createPlanChanges } from './plan-changes.ts';
import { ProviderDown } from './provider.ts';
import { createReceipts } from './receipts.ts';
import { createSandboxProvider } from './sandbox-provider.ts';
import { createSubscriptionSync, type PaymentsContext } from './subscription-sync.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const RECONCILE_INTERVAL_MS = 5 * MINUTE_MS;

const CHECKOUT_RETENTION_MS = 30 * DAY_MS;

const [MIN_POLL_INTERVAL_MS, MAX_POLL_INTERVAL_MS] = [5 * MINUTE_MS, DAY_MS / 4];

const BATCH_SIZE = 50;

/** Requests per user that call the provider: one every two seconds, in bursts of up to 30. */
const PAYMENT_RATE = { perSecond: 0.5, burst: 30 };

const DETAILS = {
  stripe: 'Plans are paid through Stripe.',
  sandbox:
    'No Stripe keys are set (STRIPE_SECRET_KEY): plans are paid in a sandbox, in which no money moves.',
  off: 'Plans are not sold: ENGRAM_PAYMENTS is off, or no Stripe keys are set on a server that enforces limits and can be reached from elsewhere.',
};

/** The time of the next poll of a checkout. The interval grows with its age. */
function nextPollOf({ createdAt }: CheckoutRow, time: Date): Date {
  const age = time.getTime() - createdAt.getTime();
  const interval = Math.min(MAX_POLL_INTERVAL_MS, Math.max(MIN_POLL_INTERVAL_MS, age / 4));
  return new Date(time.getTime() + interval);
}

export async function createPayments(core: Core, subscription: SubscriptionService) {
  const { config, log, now } = core;
  const { database } = core.storage;
  const { planByPrice } = subscription;
  const { stripeSecretKey: secretKey, stripeWebhookSecret: webhookSecret } = config;
  const repository = createPaymentsRepository(database);
  const sandbox =
    config.payments === 'sandbox' ? createSandboxProvider(database, now, planByPrice) : null;
  // Earlier purchases need it even if plans are no longer sold. Loaded on demand because it is large.
  const stripe =
    secretKey && webhookSecret
      ? (await import('./stripe-provider.ts')).createStripeProvider({
          secretKey,
          webhookSecret,
          apiBase: config.stripeApiBase,
          log,
          now,
          isKnownPrice: async (id) => (await planByPrice(id)) !== undefined,
        })
      : null;
  const current = config.payments === 'stripe' ? stripe : sandbox;
  const context: PaymentsContext = {
    core,
    subscription,
    repository,
    providers: { ...(sandbox && { sandbox }), ...(stripe && { stripe }) },
    current,
    limit: core.limits.limitOf('payments', PAYMENT_RATE),
  };

  const receipts = createReceipts(core, repository);
  const sync = createSubscriptionSync(context, receipts);
  const changes = createPlanChanges(context, sync);
  const invoices = createInvoices(context, sync);
  let startup: Promise<void> = Promise.resolve();

  /** @throws ProviderDown, because later calls would fail too. Other errors are logged. */
  const attempt = async (run: () => Promise<unknown>): Promise<void> => {
    try {
      await run();
    } catch (error) {
      if (error instanceof ProviderDown) throw error;
      log.error({ err: error }, 'a payment could not be reconciled');
    }
  };

  const pollProvider = async (signal: AbortSignal): Promise<void> => {
    const time = now();
    await attempt(changes.finishInterrupted);
    for (const row of await repository.duePolls(time, BATCH_SIZE)) {
      if (signal.aborted) return;
      await attempt(() => changes.settle(row));
      await repository.setNextPoll(row.id, nextPollOf(row, time));
    }
    if (!current) return;
    for (const id of await subscription.outdated(current.name, time, BATCH_SIZE)) {
      if (signal.aborted) return;
      await attempt(() => sync.sync(current.name, id));
    }
  };

  /** Reads changes that no event reported, and deletes old checkouts. */
  const reconcile = async (signal = new AbortController().signal): Promise<void> => {
    await startup;
    await pollProvider(signal).catch((error: unknown) => {
      if (!(error instanceof ProviderDown)) throw error;
      log.warn('payments will be reconciled later, because Stripe cannot be reached');
    });
    await repository.deleteEndedBefore(new Date(now().getTime() - CHECKOUT_RETENTION_MS));
  };

  return {
    ...createPaymentsService(context, sync, changes, invoices, sandbox, stripe),
    invoices,
    describe: () => ({
      name: 'payments' as const,
      on: current?.name === 'stripe',
      detail: DETAILS[current?.name ?? 'off'],
    }),
    clearAccount: sync.clearAccount,
    reconcile,
    regular: { name: 'payments', everyMs: RECONCILE_INTERVAL_MS, run: reconcile },

    async start(): Promise<void> {
      if (config.databaseUrl === undefined) await changes.releaseAll();
      startup = changes
        .finishInterrupted()
        .catch((err: unknown) =>
          log.warn({ err }, 'an interrupted plan change will be finished later'),
        );
    },

    close: (): Promise<void> => startup,
  };
}

export type Payments = Awaited<ReturnType<typeof createPayments>>;
