import {
  cancelSubscription,
  createCheckoutSession,
  createSubscription,
  getSandboxCheckout,
  getSessionDetails,
  listInvoices,
  paySandboxCheckout,
  previewPlan,
  readPaymentDocument,
  resumeSubscription,
  stripeWebhook,
  updatePlan,
} from '@engram/contract';
import type { FastifyInstance } from 'fastify';
import { assertUserWithin } from '../../platform/http/networks.ts';
import type { Invoices } from './invoices.ts';
import { replyWithFile } from '../../platform/http/file-reply.ts';
import type { Caller, Mount } from '../../platform/http/mount.ts';

import { HttpError } from '../../platform/http/errors.ts';
import type { CurrentPlan } from '../subscription/subscription.service.ts';
import type { CheckoutRow } from './payments.tables.ts';
import type { PlanChanges } from './plan-changes.ts';
import { type PaymentProvider, ProviderDown, type SoldPlan } from './provider.ts';
import { type Card, hashSecret, outcomeOf, type SandboxProvider } from './sandbox-provider.ts';
import type { StripeProvider } from './stripe-provider.ts';
import type { PaymentsContext, SubscriptionSync } from './subscription-sync.ts';

/** How long a shown amount stays valid, in milliseconds. */
const QUOTE_TTL_MS = 3_600_000;

/** When a new checkout is first polled, in milliseconds. */
const FIRST_POLL_MS = 600_000;

const REFUSALS = {
  plan_not_found: [404, 'This plan is not for sale.'],
  plan_running: [409, 'You already have a paid plan. Please change or cancel it first.'],
  no_plan_running: [409, 'You have no active paid plan.'],
  same_plan: [409, 'You already have this plan.'],
  plan_goes_on: [409, 'Your plan already renews, so no change is needed.'],
  checkout_not_found: [404, 'This checkout does not exist.'],
  checkout_paid: [409, 'This checkout is already paid.'],
  checkout_expired: [409, 'This checkout has expired. Please choose your plan again.'],
  payments_off: [503, 'Plans are not sold on this server, because payments are not set up.'],
  no_payment_provider: [404, 'No payment provider is set on this server.'],
  bad_signature: [400, 'The signature of the event is not valid.'],
} as const;

function refusal(code: keyof typeof REFUSALS): HttpError {
  const [status, message] = REFUSALS[code];
  return new HttpError(status, code, message);
}

/** The maximum bytes of an event. Invoices with many lines are much smaller. */
const EVENT_BYTES = 262_144;

/** @throws HttpError 403 for an address other than the caller's. */
function assertOwnEmail(caller: { email: string }, email: string | undefined): void {
  if (email === undefined || email.toLowerCase() === caller.email.toLowerCase()) return;
  const message =
    "This is not your account's email address. You can only pay for your own account.";
  throw new HttpError(403, 'not_own_account', message);
}

export function createPaymentsService(
  { core, subscription: plans, repository, providers, current, limit }: PaymentsContext,
  { sync, syncLater }: SubscriptionSync,
  changes: PlanChanges,
  invoices: Invoices,
  sandbox: SandboxProvider | null,
  stripe: StripeProvider | null,
) {
  const { log, originOf, now } = core;

  const seller = (): PaymentProvider => {
    if (current) return current;
    throw refusal('payments_off');
  };

  /** Each call makes several calls to the provider, whose rate limit applies to the whole server. */
  const assertWithinLimit = (userId: string): Promise<void> =>
    assertUserWithin(limit, userId, 'Too many payment requests. Please wait a moment.');

  const soldPlan = async (priceId: string): Promise<SoldPlan> => {
    const plan = await plans.planByPrice(priceId);
    if (!plan?.active) throw refusal('plan_not_found');
    return plan;
  };

  /** The user's plan, with payments that were not reported yet. Requires the plan's lock. */
  const readPlan = async (
    userId: string,
    settle: (row: CheckoutRow) => Promise<unknown>,
  ): Promise<CurrentPlan | undefined> => {
    const unsettled = current ? await repository.unsettledOf(userId, current.name) : [];
    for (const row of unsettled) await settle(row);
    const plan = await plans.find(userId);
    // A period that is over may have been paid.
    if (!plan?.purchase || (plan.isPaid && !plan.isCancelled && !plan.isOutdated)) return plan;
    await sync(plan.purchase.provider, plan.purchase.subscription);
    return plans.find(userId);
  };

  const change = (
    userId: string,
    apply: (provider: PaymentProvider, subscription: string, plan: CurrentPlan) => Promise<void>,
  ): Promise<void> =>
    changes.withLock(userId, async () => {
      await assertWithinLimit(userId);
      const plan = await readPlan(userId, changes.settleLocked);
      if (!plan?.purchase || !plan.isPaid) throw refusal('no_plan_running');
      const { provider: name, subscription } = plan.purchase;
      const provider = providers[name];
      if (!provider) throw new ProviderDown();
      try {
        await apply(provider, subscription, plan);
      } catch (error) {
        // The provider may have made the change.
        if (error instanceof ProviderDown) await syncLater(name, subscription);
        throw error;
      }
      await sync(name, subscription).catch(async (error: unknown) => {
        log.warn({ err: error }, 'a changed subscription is synced later');
        await syncLater(name, subscription);
      });
    });

  const sandboxRow = async (userId: string, clientSecret: string) => {
    // If Stripe sells plans, the sandbox must not grant them for free.
    if (!sandbox) throw refusal('checkout_not_found');
    const row = await repository.findBySecret(userId, hashSecret(clientSecret));
    const plan = row && (await plans.planByPrice(row.priceId));
    if (!row || !plan) throw refusal('checkout_not_found');
    return { row, plan, sandbox };
  };

  /**
   * Opens a checkout for a plan, and closes the user's earlier ones. If the user's cancelled plan has not
   * ended, the checkout only takes the card, and the plan changes afterwards.
   */
  const begin = (
    { userId, email }: Pick<Caller, 'userId' | 'email'>,
    priceId: string,
    origin: string,
  ): Promise<{ clientSecret: string }> =>
    changes.withLock(userId, async () => {
      const provider = seller();
      await assertWithinLimit(userId);
      const plan = await soldPlan(priceId);
      const user = await readPlan(userId, async (row) =>
        changes.apply(row, await provider.closeCheckout(row.id)),
      );
      const owned = changes.planAtCurrent(user);
      if (owned?.isPaid && !owned.isCancelled) throw refusal('plan_running');
      const purchase = owned?.purchase ?? null;
      const changed = owned?.isPaid && purchase ? purchase.subscription : null;
      const { clientSecret, ...opened } = await provider.openCheckout({
        userId,
        email,
        customer: purchase?.customer ?? null,
        plan,
        changes: changed,
        returnUrl: `${origin}/message?session_id={CHECKOUT_SESSION_ID}`,
      });
      const createdAt = now();
      await repository.insertCheckout({
        ...opened,
        userId,
        priceId,
        provider: provider.name,
        status: 'open',
        changes: changed,
        createdAt,
        nextPollAt: new Date(createdAt.getTime() + FIRST_POLL_MS),
      });
      return { clientSecret };
    });

  /**
   * Changes the plan: now to a more expensive or longer one, otherwise at the end of the period.
   * @param shownAt The time for which the shown amount was computed.
   */
  async function changePlan(userId: string, priceId: string, shownAt?: Date): Promise<void> {
    seller();
    const plan = await soldPlan(priceId);
    await change(userId, async (provider, subscription, user) => {
      const kind = await changes.kindOf(user, plan);
      if (kind === 'none') throw refusal('same_plan');
      if (kind === 'new') throw refusal('no_plan_running');
      const time = now();
      const age = shownAt ? time.getTime() - shownAt.getTime() : -1;
      const asOf = shownAt && age >= 0 && age <= QUOTE_TTL_MS ? shownAt : time;
      await changes.makeChange(provider, userId, subscription, kind, { plan, asOf, card: null });
    });
  }

  /** Pays a sandbox checkout. The card is not stored. @throws HttpError 400, 404, 409. */
  async function paySandbox(
    userId: string,
    clientSecret: string,
    payment: Card & { name: string; billingAddress: string },
  ): Promise<{ sessionId: string; paymentStatus: 'paid' | 'unpaid' }> {
    const { row, plan, sandbox } = await sandboxRow(userId, clientSecret);
    const sessionId = row.id;
    if (row.status === 'paid') throw refusal('checkout_paid');
    if (row.status === 'expired' || row.expiresAt <= now()) throw refusal('checkout_expired');
    if (outcomeOf(payment, now()) === 'unpaid') {
      await repository.setStatus(row.id, 'unpaid');
      return { sessionId, paymentStatus: 'unpaid' };
    }
    const user = await plans.find(userId);
    if (user?.isPaid && !user.isCancelled) throw refusal('plan_running');
    const address = [payment.name, payment.billingAddress].filter(Boolean).join(', ');
    const billingAddress = address || null;
    if (!(await sandbox.pay({ checkoutId: row.id, userId, plan, billingAddress }))) {
      const latest = await repository.findCheckout(row.id);
      throw latest?.status === 'expired' ? refusal('checkout_expired') : refusal('checkout_paid');
    }
    return { sessionId, paymentStatus: await changes.settle(row) };
  }

  return {
    routes(mount: Mount): void {
      for (const route of [createSubscription, createCheckoutSession]) {
        mount(route, async ({ caller, body, request }) => {
          assertOwnEmail(caller, body.email);
          return { data: await begin(caller, body.priceId, originOf(request)) };
        });
      }
      mount(updatePlan, async ({ caller, body }) => {
        assertOwnEmail(caller, body.email);
        const asOf = body.asOf === undefined ? undefined : new Date(body.asOf);
        await changePlan(caller.userId, body.priceId, asOf);
        return { data: { clientSecret: null } };
      });
      mount(previewPlan, async ({ caller: { userId }, query }) => {
        seller();
        await assertWithinLimit(userId);
        const plan = await soldPlan(query.priceId);
        const shown = await changes.preview(await plans.find(userId), plan);
        if (!shown) throw refusal('same_plan');
        return { data: shown };
      });
      // Undoes a cancellation or a scheduled change of plan.
      mount(resumeSubscription, async ({ caller, body }) => {
        assertOwnEmail(caller, body.email);
        seller();
        await change(caller.userId, async (provider, subscription, { isCancelled, next }) => {
          if (!isCancelled && next === null) throw refusal('plan_goes_on');
          await provider.resume(subscription, null);
        });
        return { data: null };
      });
      mount(cancelSubscription, async ({ caller, body }) => {
        assertOwnEmail(caller, body.email);
        await change(caller.userId, async (provider, subscription, { isCancelled }) => {
          if (isCancelled) throw refusal('no_plan_running');
          await provider.cancel(subscription);
        });
        return { data: null };
      });
      mount(listInvoices, async ({ caller, query }) => {
        assertOwnEmail(caller, query.email);
        return { data: await invoices.list(caller.userId) };
      });
      mount(getSessionDetails, async ({ caller: { userId }, query }) => {
        const row = await repository.findCheckout(query.session_id);
        if (!row || row.userId !== userId) throw refusal('checkout_not_found');
        await assertWithinLimit(userId);
        return { data: { paymentStatus: await changes.settle(row) } };
      });
      mount(getSandboxCheckout, async ({ caller: { userId }, params }) => {
        const { row, plan } = await sandboxRow(userId, params.clientSecret);
        const shown = await changes.preview(await plans.find(userId), plan);
        return {
          data: {
            sessionId: row.id,
            plan: plan.name,
            amount: plan.amount / 100,
            billingPeriod: plan.billingPeriod,
            kind: shown?.kind ?? 'new',
            dueToday: shown?.dueToday ?? 0,
            beginsOn: shown?.beginsOn ?? now().toISOString(),
          },
        };
      });
      mount(paySandboxCheckout, async ({ caller, params, body }) => ({
        data: await paySandbox(caller.userId, params.clientSecret, body),
      }));
      mount(readPaymentDocument, async ({ params, request, reply }) =>
        replyWithFile(request, reply, await invoices.readDocument(params.token)),
      );
    },
    /** Mounts Stripe's webhook in a scope without body parsers, because its signature covers the raw bytes. */
    async eventRoutes(
      app: FastifyInstance,
      mountIn: (scope: FastifyInstance) => Mount,
    ): Promise<void> {
      await app.register(async (scope) => {
        scope.removeAllContentTypeParsers();
        scope.addContentTypeParser(
          '*',
          { parseAs: 'buffer', bodyLimit: EVENT_BYTES },
          (_request, body, done) => done(null, body),
        );
        mountIn(scope)(stripeWebhook, async ({ request, reply }) => {
          if (!stripe) throw refusal('no_payment_provider');
          const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
          const { 'stripe-signature': signature } = request.headers;
          const event = stripe.readEvent(body, String(signature ?? ''));
          if (!event) throw refusal('bad_signature');
          const { checkout, subscription } = event;
          // Stripe repeats the event after a 503.
          if (subscription) await sync('stripe', subscription);
          const row = checkout && (await repository.findCheckout(checkout));
          if (row) await changes.settle(row);
          return reply.type('application/json').send({ received: true });
        });
      });
    },
  };
}
