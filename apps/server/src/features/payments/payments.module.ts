import type { Config } from '../../config.ts';
import { createCheckouts } from './checkouts.ts';
import { createDocumentLinks } from './document-links.ts';
import { createIntake } from './intake.ts';
import { createInvoices } from './invoices.ts';
import { createPaymentsRepository } from './payments.repository.ts';
import { createPaymentsService } from './payments.service.ts';
import { createPlanChanges } from './plan-change.ts';
import { hasEnded, type PaymentProvider } from './provider.ts';
import { createReceipts } from './receipts.ts';
import { createReconciliation } from './reconciliation.ts';
import { createSandboxProvider } from './sandbox-provider.ts';
import type { PlanWork } from './payments.tables.ts';
import type { StripeOptions, StripeProvider } from './stripe-provider.ts';
import { createPlanLock } from './plan-lock.ts';
import type { SubscriptionService } from '../subscription/subscription.service.ts';
import type { Core } from '../../composition/core.ts';

/** How often what the provider has not told is asked for, in milliseconds. */
const RECONCILE_INTERVAL_MS = 300_000;

/** What one person may ask of the provider: one thing in two seconds in the long run, 30 at once. */
const PAYMENT_RATE = { perSecond: 0.5, burst: 30 };

/** How long what was cut off is still wanted, in milliseconds. */
const WANTED_MS = 24 * 3_600_000;

/** WithPlanLock that were cut off and are finished in one go. */
const LEFT_AT_ONCE = 50;

/** What the status says where nobody takes the money. */
const OFF =
  'Plans are not sold: ENGRAM_PAYMENTS says so, or no Stripe keys are set on a server that enforces limits and can be reached from elsewhere.';

async function stripeOf(
  config: Config,
  rest: Pick<StripeOptions, 'log' | 'now' | 'isKnownPrice'>,
): Promise<StripeProvider | null> {
  const { stripeSecretKey: secretKey, stripeWebhookSecret: webhookSecret } = config;
  if (!secretKey || !webhookSecret) return null;
  // Its library is large, and for most nothing to load.
  const { createStripeProvider } = await import('./stripe-provider.ts');
  return createStripeProvider({
    secretKey,
    webhookSecret,
    apiBase: config.stripeApiBase,
    ...rest,
  });
}

/** Who takes the money for plans, and what follows from it. */
export async function createPayments(core: Core, subscription: SubscriptionService) {
  const { config, log, now } = core;
  const { database, jobs, deletedAccounts } = core.storage;
  const repository = createPaymentsRepository(database);
  // Between its end and the end of its rows an account has no address to write to.
  const emailOf = async (userId: string): Promise<string | undefined> => {
    const email = await core.storage.emailOf(userId);
    return (await deletedAccounts.has(userId)) ? undefined : email;
  };
  const { find: findPlan, planByPrice, isCheaperOrShorter } = subscription;
  const isKnownPrice = async (id: string): Promise<boolean> =>
    (await planByPrice(id)) !== undefined;
  const sandbox =
    config.payments === 'sandbox' ? createSandboxProvider({ database, now, planByPrice }) : null;
  // Also where it does not sell: what was bought goes on, and can be ended.
  const stripe = await stripeOf(config, { log, now, isKnownPrice });
  const takers = { ...(sandbox && { sandbox }), ...(stripe && { stripe }) };
  const current: PaymentProvider | null = config.payments === 'stripe' ? stripe : sandbox;
  const { mailer } = core.providers;
  const { publicUrl } = config;
  const receipts = createReceipts({ repository, jobs, mailer, log, emailOf, publicUrl });
  const intake = createIntake({
    database,
    repository,
    providers: takers,
    jobs,
    log,
    now,
    findPlan,
    report: subscription.report,
    planByPrice,
    isDeletedAccount: deletedAccounts.hasIn,
    sendReceipts: receipts.send,
  });
  const links = createDocumentLinks(config.secret, now);
  const limit = core.limits.limitOf('payments', PAYMENT_RATE);

  /** Does what a call that was cut off has left, where it is still wanted. */
  const finish = async (work: PlanWork): Promise<void> => {
    const { provider, subscription: id, nextPriceId, since } = work;
    const at = now();
    const state = await takers[provider]?.readSubscription(id);
    const plan = nextPriceId === null ? undefined : await planByPrice(nextPriceId);
    const isWanted = at.getTime() - Date.parse(since) < WANTED_MS;
    if (state && plan && isWanted && !hasEnded(state, at)) {
      const change = { plan, begins: 'at the end', asOf: at, card: null } as const;
      await takers[provider]?.changePlan(id, change);
    }
    await intake.take(provider, id);
  };
  const withPlanLock = createPlanLock({ repository, finish });
  /** Finishes what calls that were cut off have left. */
  const finishLeft = async (): Promise<void> => {
    for (const userId of await repository.abandonedLocks(LEFT_AT_ONCE)) {
      await withPlanLock(userId, () => Promise.resolve());
    }
  };

  const changes = createPlanChanges({ current, now, isCheaperOrShorter });
  const common = { repository, providers: takers, intake, withPlanLock, changes, now, findPlan };
  const checkouts = createCheckouts({ ...common, planByPrice });
  const service = createPaymentsService({
    ...common,
    database,
    current,
    sandbox,
    stripe,
    checkouts,
    limit,
    log,
    async offeredAt(priceId) {
      const plan = await planByPrice(priceId);
      return plan?.active ? plan : undefined;
    },
    planByPrice,
  });
  const reconciliation = createReconciliation({
    repository,
    intake,
    finishLeft,
    log,
    now,
    settle: checkouts.settle,
    async unheardOf(at, most) {
      const ids = current ? await subscription.ranOut(current.name, at, most) : [];
      return current ? ids.map((id) => ({ provider: current.name, subscription: id })) : [];
    },
  });

  const reconcile = (signal = new AbortController().signal): Promise<void> =>
    reconciliation.run(signal);
  let running: Promise<void> = Promise.resolve();

  return {
    service,
    invoices: createInvoices({ ...common, links, limit, emailOf }),
    describe: () => ({
      name: 'payments' as const,
      ...(current?.describe() ?? { on: false, detail: OFF }),
    }),
    leave: intake.leave,
    /** Asks for what the provider has not told. */
    reconcile,
    regular: { name: 'payments', everyMs: RECONCILE_INTERVAL_MS, run: reconcile },

    async define(): Promise<void> {
      await receipts.define();
      await intake.define();
    },

    /** Goes on with what a stop or a kill cut short; a start waits for no provider. */
    async start(): Promise<void> {
      // Nobody else is at the embedded database: whatever is under way there was cut off.
      if (config.databaseUrl === undefined) await repository.releaseLocks();
      running = finishLeft().catch((err: unknown) => log.warn({ err }, 'a plan is changed later'));
    },

    close: (): Promise<void> => running,
  };
}

export type Payments = Awaited<ReturnType<typeof createPayments>>;
