import type { PlanChange, SandboxCheckout } from '@engram/contract';
import { HttpError } from '../../platform/http/errors.ts';
import type { Caller } from '../../platform/http/mount.ts';
import { assertWithin } from '../../platform/http/networks.ts';
import type { CurrentPlan } from '../subscription/subscription.service.ts';
import type { CheckoutRow } from './payments.tables.ts';
import type { PlanChanges } from './plan-changes.ts';
import { type PaymentProvider, ProviderDown, type SoldPlan } from './provider.ts';
import { type Card, hashSecret, outcomeOf, type SandboxProvider } from './sandbox-provider.ts';
import type { StripeProvider } from './stripe-provider.ts';
import type { PaymentsContext, SubscriptionSync } from './subscription-sync.ts';

/** How long the user is charged the amount that was shown, in milliseconds. */
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

export function createPaymentsService(
  { core, subscription: plans, repository, providers, current, limit }: PaymentsContext,
  { sync, syncLater }: SubscriptionSync,
  changes: PlanChanges,
  sandbox: SandboxProvider | null,
  stripe: StripeProvider | null,
) {
  const { log, now } = core;

  const seller = (): PaymentProvider => {
    if (current) return current;
    throw refusal('payments_off');
  };

  /** Each call makes several calls to the provider, whose rate limit applies to the whole server. */
  const assertWithinLimit = (userId: string): Promise<void> => {
    const message = 'Too many payment requests. Please wait a moment.';
    return assertWithin(limit, [{ key: userId, times: 1 }], message);
  };

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
    work: (provider: PaymentProvider, subscription: string, plan: CurrentPlan) => Promise<void>,
  ): Promise<void> =>
    changes.withLock(userId, async () => {
      await assertWithinLimit(userId);
      const plan = await readPlan(userId, changes.settleLocked);
      if (!plan?.purchase || !plan.isPaid) throw refusal('no_plan_running');
      const { provider: name, subscription } = plan.purchase;
      const provider = providers[name];
      if (!provider) throw new ProviderDown();
      try {
        await work(provider, subscription, plan);
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

  return {
    /**
     * Opens a checkout for a plan, and closes the user's earlier ones. If the user's cancelled plan has not
     * ended, the checkout only takes the card, and the plan changes afterwards.
     */
    begin: (
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
      }),

    async preview(userId: string, priceId: string): Promise<PlanChange> {
      seller();
      await assertWithinLimit(userId);
      const plan = await soldPlan(priceId);
      const change = await changes.preview(await plans.find(userId), plan);
      if (!change) throw refusal('same_plan');
      return change;
    },

    /**
     * Changes the plan: now to a more expensive or longer one, otherwise at the end of the period.
     * @param shownAt The time for which the shown amount was computed.
     */
    async changePlan(userId: string, priceId: string, shownAt?: Date): Promise<void> {
      seller();
      const plan = await soldPlan(priceId);
      await change(userId, async (provider, subscription, user) => {
        const kind = await changes.kindOf(user, plan);
        if (kind === 'none') throw refusal('same_plan');
        if (kind === 'new') throw refusal('no_plan_running');
        const at = now();
        const age = shownAt ? at.getTime() - shownAt.getTime() : -1;
        const asOf = shownAt && age >= 0 && age <= QUOTE_TTL_MS ? shownAt : at;
        await changes.make(provider, userId, subscription, kind, { plan, asOf, card: null });
      });
    },

    cancel: (userId: string): Promise<void> =>
      change(userId, async (provider, subscription, { isCancelled }) => {
        if (isCancelled) throw refusal('no_plan_running');
        await provider.cancel(subscription);
      }),

    /** Undoes a cancellation or a scheduled change of plan. */
    async resume(userId: string): Promise<void> {
      seller();
      await change(userId, async (provider, subscription, { isCancelled, next }) => {
        if (!isCancelled && next === null) throw refusal('plan_goes_on');
        await provider.resume(subscription, null);
      });
    },

    async sessionDetails(userId: string, id: string): Promise<'paid' | 'unpaid'> {
      const row = await repository.findCheckout(id);
      if (!row || row.userId !== userId) throw refusal('checkout_not_found');
      await assertWithinLimit(userId);
      return changes.settle(row);
    },

    /** Syncs the object of an event. @throws HttpError 400, or 503, after which Stripe repeats the event. */
    async receive(body: Buffer, signature: string): Promise<void> {
      if (!stripe) throw refusal('no_payment_provider');
      const event = stripe.readEvent(body, signature);
      if (!event) throw refusal('bad_signature');
      const { checkout, subscription } = event;
      if (subscription) await sync('stripe', subscription);
      const row = checkout && (await repository.findCheckout(checkout));
      if (row) await changes.settle(row);
    },

    async sandboxCheckout(userId: string, clientSecret: string): Promise<SandboxCheckout> {
      const { row, plan } = await sandboxRow(userId, clientSecret);
      const change = await changes.preview(await plans.find(userId), plan);
      return {
        sessionId: row.id,
        plan: plan.name,
        amount: plan.amount / 100,
        billingPeriod: plan.billingPeriod,
        kind: change?.kind ?? 'new',
        dueToday: change?.dueToday ?? 0,
        beginsOn: change?.beginsOn ?? now().toISOString(),
      };
    },

    /** Pays a sandbox checkout. The card is not stored. @throws HttpError 400, 404, 409. */
    async paySandbox(
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
    },
  };
}
