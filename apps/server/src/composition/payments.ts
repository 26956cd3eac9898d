import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config.ts';
import { createDeparture } from '../features/payments/departure.ts';
import { createDocumentLinks } from '../features/payments/document-links.ts';
import { createDocuments } from '../features/payments/documents.ts';
import { createIntake, type KeptPlan } from '../features/payments/intake.ts';
import { createPaymentsRepository } from '../features/payments/payments.repository.ts';
import { createPaymentsService } from '../features/payments/payments.service.ts';
import type { SoldPlan } from '../features/payments/provider.ts';
import { createReceipts } from '../features/payments/receipts.ts';
import { createReconciliation } from '../features/payments/reconciliation.ts';
import { createSandboxProvider } from '../features/payments/sandbox-provider.ts';
import type { StripeOptions, StripeProvider } from '../features/payments/stripe-provider.ts';
import type { Plan } from '../features/subscription/plans.ts';
import type {
  FoundSubscription,
  SubscriptionService,
} from '../features/subscription/subscription.service.ts';
import type { Executor, Transaction } from '../platform/database/database.ts';
import type { LimitOf } from '../platform/http/token-bucket.ts';
import type { Providers } from './providers.ts';
import type { Storage } from './storage.ts';

export interface PaymentsCompositionDependencies {
  storage: Pick<Storage, 'database' | 'jobs' | 'deletedAccounts'>;
  providers: Pick<Providers, 'mailer'>;
  subscription: Pick<SubscriptionService, 'find' | 'report' | 'planByPrice' | 'ranOut'>;
  /** The address of an account; undefined where there is no such account. */
  emailOf: (userId: string) => Promise<string | undefined>;
  limitOf: LimitOf;
  log: FastifyBaseLogger;
  now: () => Date;
}

/** How often what the provider has not told is asked for, in milliseconds. */
const RECONCILE_INTERVAL_MS = 300_000;

/** What one person may ask of the provider: one thing in two seconds in the long run, 30 at once. */
const PAYMENT_RATE = { perSecond: 0.5, burst: 30 };

const soldPlan = ({ name, priceId, amount, billingPeriod }: Plan): SoldPlan => ({
  name,
  priceId,
  cents: amount,
  period: billingPeriod,
});

const keptPlan = (found: FoundSubscription, at: Date): KeptPlan => {
  const { provider, plan, status, endsAt, reportedAt } = found;
  return {
    // Who has bought nothing is active too, without an end.
    goesOn: provider !== null && status === 'Active' && endsAt !== null && endsAt > at,
    priceId: plan.priceId,
    bought: provider && {
      provider: provider.name,
      customer: provider.customer,
      subscription: provider.subscription,
    },
    reportedAt,
  };
};

async function stripeOf(
  config: Config,
  rest: Pick<StripeOptions, 'log' | 'now' | 'isKnownPrice'>,
): Promise<StripeProvider | null> {
  const { stripeSecretKey: secretKey, stripeWebhookSecret: webhookSecret } = config;
  if (!secretKey || !webhookSecret) return null;
  // Its library is large, and for most nothing to load.
  const { createStripeProvider } = await import('../features/payments/stripe-provider.ts');
  return createStripeProvider({
    secretKey,
    webhookSecret,
    apiBase: config.stripeApiBase,
    ...rest,
  });
}

/** Who takes the money for plans, and what follows from it. */
export async function createPayments(config: Config, deps: PaymentsCompositionDependencies) {
  const { storage, providers, subscription, log, now } = deps;
  const { database, jobs, deletedAccounts } = storage;
  const repository = createPaymentsRepository(database);
  // Between its end and the end of its rows an account has no address to write to.
  const emailOf = async (userId: string): Promise<string | undefined> => {
    const email = await deps.emailOf(userId);
    return deletedAccounts.has(userId) ? undefined : email;
  };
  const planByPrice = async (priceId: string, tx?: Executor): Promise<SoldPlan | undefined> => {
    const plan = await subscription.planByPrice(priceId, tx);
    return plan && soldPlan(plan);
  };
  const findPlan = async (userId: string, tx?: Transaction): Promise<KeptPlan | undefined> => {
    const found = await subscription.find(userId, tx);
    return found && keptPlan(found, now());
  };
  const sandbox = createSandboxProvider({ database, now, planByPrice });
  const isKnownPrice = async (id: string): Promise<boolean> =>
    (await planByPrice(id)) !== undefined;
  const stripe = await stripeOf(config, { log, now, isKnownPrice });
  const { mailer } = providers;
  const { publicUrl } = config;
  const receipts = createReceipts({ repository, jobs, mailer, log, emailOf, publicUrl });
  const intake = createIntake({
    database,
    repository,
    providers: stripe ? { sandbox, stripe } : { sandbox },
    jobs,
    log,
    now,
    findPlan,
    report: subscription.report,
    planByPrice,
    isDeletedAccount: deletedAccounts.has,
    sendReceipts: receipts.send,
  });
  const links = createDocumentLinks(config.secret, now);
  const service = createPaymentsService({
    database,
    repository,
    sandbox,
    stripe,
    intake,
    links,
    limit: deps.limitOf(PAYMENT_RATE),
    log,
    now,
    findPlan,
    async offeredAt(priceId) {
      const plan = await subscription.planByPrice(priceId);
      return plan?.active ? soldPlan(plan) : undefined;
    },
    planByPrice,
  });
  const reconciliation = createReconciliation({
    repository,
    intake,
    log,
    now,
    settle: service.settle,
    unheardOf: async (at, limit) => (stripe ? subscription.ranOut('stripe', at, limit) : []),
  });

  const closing = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const reconcile = (): Promise<void> => {
    running = running
      .then(() => reconciliation.run(closing.signal))
      .catch((error: unknown) => log.error({ err: error }, 'payments could not be looked after'));
    return running;
  };

  return {
    service,
    documents: createDocuments({ repository, links, emailOf }),
    /** Ends a person's payments with their account. */
    leave: createDeparture({ repository, intake, findPlan }),
    /** Asks now for what the provider has not told. */
    reconcile,

    async define(): Promise<void> {
      await receipts.define();
      await intake.define();
    },

    /** Begins to ask regularly for what the provider has not told. */
    start(): void {
      timer = setInterval(() => void reconcile(), RECONCILE_INTERVAL_MS).unref();
    },

    async close(): Promise<void> {
      clearInterval(timer);
      closing.abort();
      await running;
    },
  };
}

export type Payments = Awaited<ReturnType<typeof createPayments>>;
