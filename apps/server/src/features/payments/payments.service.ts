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

/** How long an amount that was shown is the one that is charged, in milliseconds. */
const QUOTE_TTL_MS = 3_600_000;

/** When a new checkout is first polled, in milliseconds. */
const FIRST_POLL_MS = 600_000;

const REFUSALS = {
  plan_not_found: [404, 'There is no such plan to buy.'],
  plan_running: [409, 'You have a paid plan already. Please change it, or cancel it first.'],
  no_plan_running: [409, 'You have no paid plan that is running.'],
  same_plan: [409, 'You have this plan already.'],
  plan_goes_on: [409, 'Your plan will already renew: there is nothing to take back.'],
  checkout_not_found: [404, 'There is no such checkout.'],
  checkout_paid: [409, 'This checkout is paid already.'],
  checkout_expired: [409, 'This checkout has expired. Please choose your plan again.'],
  payments_off: [503, 'Plans are not sold on this server: its operator has not set up payments.'],
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

  /** Each call causes several of the provider's, which has a rate limit for the whole server. */
  const assertWithinLimit = (userId: string): Promise<void> => {
    const message = 'Too many payments are being begun or looked at. Please wait a moment.';
    return assertWithin(limit, [{ key: userId, times: 1 }], message);
  };

  const soldPlan = async (priceId: string): Promise<SoldPlan> => {
    const plan = await plans.planByPrice(priceId);
    if (!plan?.active) throw refusal('plan_not_found');
    return plan;
  };

  /** The user's plan after payments that were not reported yet. Call it under the plan's lock. */
  const readPlan = async (
    userId: string,
    settle: (row: CheckoutRow) => Promise<unknown>,
  ): Promise<CurrentPlan | undefined> => {
    const unsettled = current ? await repository.unsettledOf(userId, current.name) : [];
    for (const row of unsettled) await settle(row);
    const plan = await plans.find(userId);
    // A period that is over may have been paid.
    if (!plan?.bought || (plan.runs && !plan.cancelled && !plan.isOutdated)) return plan;
    await sync(plan.bought.provider, plan.bought.subscription);
    return plans.find(userId);
  };

  const change = (
    userId: string,
    work: (provider: PaymentProvider, subscription: string, plan: CurrentPlan) => Promise<void>,
  ): Promise<void> =>
    changes.withLock(userId, async () => {
      await assertWithinLimit(userId);
      const plan = await readPlan(userId, changes.settleLocked);
      if (!plan?.bought || !plan.runs) throw refusal('no_plan_running');
      const { provider: name, subscription } = plan.bought;
      const provider = providers[name];
      if (!provider) throw new ProviderDown();
      try {
        await work(provider, subscription, plan);
      } catch (error) {
        // The change may have happened all the same.
        if (error instanceof ProviderDown) await syncLater(name, subscription);
        throw error;
      }
      await sync(name, subscription).catch(async (error: unknown) => {
        log.warn({ err: error }, 'a changed subscription is synced later');
        await syncLater(name, subscription);
      });
    });

  const sandboxRow = async (userId: string, clientSecret: string) => {
    // Where Stripe sells plans, the sandbox must not give them away.
    if (!sandbox) throw refusal('checkout_not_found');
    const row = await repository.findBySecret(userId, hashSecret(clientSecret));
    const plan = row && (await plans.planByPrice(row.priceId));
    if (!row || !plan) throw refusal('checkout_not_found');
    return { row, plan, sandbox };
  };

  return {
    /**
     * Opens a checkout for a plan, and closes the user's earlier ones. For a user whose cancelled
     * plan runs it takes the card, and then changes the plan.
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
        const held = changes.heldOf(user);
        if (held?.runs && !held.cancelled) throw refusal('plan_running');
        const bought = held?.bought ?? null;
        const changed = held?.runs && bought ? bought.subscription : null;
        const { clientSecret, ...opened } = await provider.openCheckout({
          userId,
          email,
          customer: bought?.customer ?? null,
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
          nextLookAt: new Date(createdAt.getTime() + FIRST_POLL_MS),
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
     * Changes the running plan: now to a dearer or longer one, otherwise at its end.
     * @param shownAt The time for which the amount was shown.
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
      change(userId, async (provider, subscription, { cancelled }) => {
        if (cancelled) throw refusal('no_plan_running');
        await provider.cancel(subscription);
      }),

    /** Takes back a cancellation, or the plan that was to follow. */
    async resume(userId: string): Promise<void> {
      seller();
      await change(userId, async (provider, subscription, { cancelled, next }) => {
        if (!cancelled && next === null) throw refusal('plan_goes_on');
        await provider.resume(subscription, null);
      });
    },

    async sessionDetails(userId: string, id: string): Promise<'paid' | 'unpaid'> {
      const row = await repository.findCheckout(id);
      if (!row || row.userId !== userId) throw refusal('checkout_not_found');
      await assertWithinLimit(userId);
      return changes.settle(row);
    },

    /** Syncs what an event is about. @throws HttpError 400, 503, after which Stripe repeats the event. */
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

    /** Pays a checkout of the sandbox. The card is not stored. @throws HttpError 400, 404, 409. */
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
      if (user?.runs && !user.cancelled) throw refusal('plan_running');
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
