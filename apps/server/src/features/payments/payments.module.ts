import type { Core } from '../../composition/core.ts';
import type { SubscriptionService } from '../subscription/subscription.service.ts';
import { createInvoices } from './invoices.ts';
import { createPaymentsRepository } from './payments.repository.ts';
import { createPaymentsService } from './payments.service.ts';
import type { PaymentsContext } from './payments-context.ts';
import { createPlanChanges } from './plan-changes.ts';
import { createPlanLock } from './plan-lock.ts';
import { createReceipts } from './receipts.ts';
import { createReconciliation } from './reconciliation.ts';
import { createSandboxProvider } from './sandbox-provider.ts';
import { createSubscriptionSync } from './subscription-sync.ts';

const RECONCILE_INTERVAL_MS = 300_000;

/** Calls of one user that cause calls of the provider: one in two seconds in the long run, 30 at once. */
const PAYMENT_RATE = { perSecond: 0.5, burst: 30 };

const DETAILS = {
  stripe: 'Plans are paid through Stripe.',
  sandbox:
    'No Stripe keys are set (STRIPE_SECRET_KEY): plans are paid in a sandbox, in which no money moves.',
  off: 'Plans are not sold: ENGRAM_PAYMENTS says so, or no Stripe keys are set on a server that enforces limits and can be reached from elsewhere.',
};

export async function createPayments(core: Core, subscription: SubscriptionService) {
  const { config, log, now } = core;
  const { database } = core.storage;
  const { planByPrice } = subscription;
  const { stripeSecretKey: secretKey, stripeWebhookSecret: webhookSecret } = config;
  const repository = createPaymentsRepository(database);
  const sandbox =
    config.payments === 'sandbox' ? createSandboxProvider(database, now, planByPrice) : null;
  // Also where it sells nothing, for what was bought before. Its library is large, so loaded on demand.
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
  const context: PaymentsContext = {
    core,
    subscription,
    repository,
    providers: { ...(sandbox && { sandbox }), ...(stripe && { stripe }) },
    current: config.payments === 'stripe' ? stripe : sandbox,
    limit: core.limits.limitOf('payments', PAYMENT_RATE),
  };
  const { current } = context;

  const receipts = createReceipts(core, repository);
  const sync = createSubscriptionSync(context, receipts);
  const lock = createPlanLock(context, sync);
  const changes = createPlanChanges(context, sync, lock);
  const reconcile = createReconciliation(context, sync, lock, changes);
  let running: Promise<void> = Promise.resolve();

  return {
    service: createPaymentsService(context, sync, lock, changes, sandbox, stripe),
    invoices: createInvoices(context, sync),
    describe: () => ({
      name: 'payments' as const,
      on: current?.name === 'stripe',
      detail: DETAILS[current?.name ?? 'off'],
    }),
    leave: sync.leave,
    reconcile,
    regular: { name: 'payments', everyMs: RECONCILE_INTERVAL_MS, run: reconcile },

    async define(): Promise<void> {
      await receipts.define();
      await sync.define();
    },

    async start(): Promise<void> {
      if (config.databaseUrl === undefined) await lock.releaseAll();
      running = lock
        .finishInterrupted()
        .catch((err: unknown) => log.warn({ err }, 'an interrupted plan change is finished later'));
    },

    close: (): Promise<void> => running,
  };
}

export type Payments = Awaited<ReturnType<typeof createPayments>>;
