import type { PlanChange, SandboxCheckout } from '@engram/contract';
import { eq } from 'drizzle-orm';
import { HttpError } from '../../platform/http/errors.ts';
import type { Caller } from '../../platform/http/mount.ts';
import { assertWithin } from '../../platform/http/networks.ts';
import type { CurrentPlan } from '../subscription/subscription.service.ts';
import type { Checkouts } from './checkouts.ts';
import { type CheckoutRow, paymentEvents } from './payments.tables.ts';
import type { PaymentsContext } from './payments-context.ts';
import { makeChange, type PlanChanges } from './plan-change.ts';
import type { PlanLock, SaveWork } from './plan-lock.ts';
import {
  PaymentDeclined,
  type PaymentProvider,
  PriceMismatch,
  ProviderDown,
  type ProviderName,
  type SoldPlan,
} from './provider.ts';
import { firstPollAt } from './reconciliation.ts';
import { type Card, outcomeOf } from './sandbox-cards.ts';
import { hashSecret, type SandboxProvider } from './sandbox-provider.ts';
import type { StripeProvider } from './stripe-provider.ts';
import type { SubscriptionSync } from './subscription-sync.ts';

/** How long an amount that was shown is the one that is charged, in milliseconds. */
const QUOTE_TTL_MS = 3_600_000;

const planNotFound = (): HttpError =>
  new HttpError(404, 'plan_not_found', 'There is no such plan to buy.');

const alreadyRunning = (): HttpError =>
  new HttpError(
    409,
    'plan_running',
    'You have a paid plan already. Please change it, or cancel it first.',
  );

const nothingRunning = (): HttpError =>
  new HttpError(409, 'no_plan_running', 'You have no paid plan that is running.');

const samePlan = (): HttpError => new HttpError(409, 'same_plan', 'You have this plan already.');

const checkoutNotFound = (): HttpError =>
  new HttpError(404, 'checkout_not_found', 'There is no such checkout.');

const checkoutPaid = (): HttpError =>
  new HttpError(409, 'checkout_paid', 'This checkout is paid already.');

const checkoutExpired = (): HttpError =>
  new HttpError(
    409,
    'checkout_expired',
    'This checkout has expired. Please choose your plan once more.',
  );

function toHttpError(error: unknown): unknown {
  if (error instanceof ProviderDown) {
    return new HttpError(
      503,
      'payments_down',
      'The payment provider cannot be reached right now. Please try again in a few minutes.',
    );
  }
  if (error instanceof PaymentDeclined) {
    return new HttpError(
      402,
      'payment_declined',
      'The payment was declined, and your plan has not changed. Please ask your bank, or pay with another card.',
    );
  }
  if (error instanceof PriceMismatch) {
    return new HttpError(
      503,
      'price_not_sold',
      'This plan cannot be bought at the moment. Nothing was charged. Please choose another one, or contact support.',
    );
  }
  return error;
}

/**
 * Buying, changing and ending plans. All calls throw a 503 if the provider is down, or if there is none.
 */
export function createPaymentsService(
  { core, subscription: plans, repository, providers, current, limit }: PaymentsContext,
  parts: {
    sandbox: SandboxProvider | null;
    stripe: StripeProvider | null;
    sync: SubscriptionSync;
    lock: PlanLock;
    changes: PlanChanges;
    checkouts: Checkouts;
  },
) {
  const { log, now } = core;
  const { db } = core.storage.database;
  const { sandbox, stripe, changes, checkouts } = parts;
  const { withLock } = parts.lock;
  const { sync, syncLater } = parts.sync;

  const withHttpErrors = <T>(work: () => Promise<T>): Promise<T> =>
    work().catch((error: unknown) => {
      if (error instanceof PriceMismatch) log.error(error.message);
      throw toHttpError(error);
    });

  const seller = (): PaymentProvider => {
    if (current) return current;
    throw new HttpError(
      503,
      'payments_off',
      'Plans are not sold on this server: its operator has not set up payments.',
    );
  };

  /** Each call causes several of the provider's, which has a rate limit for the whole server. */
  const assertWithinLimit = (userId: string): Promise<void> => {
    const message = 'Too many payments are being begun or looked at. Please wait a moment.';
    return assertWithin(limit, [{ key: userId, times: 1 }], message);
  };

  const soldPlan = async (priceId: string): Promise<SoldPlan> => {
    const plan = await plans.planByPrice(priceId);
    if (!plan?.active) throw planNotFound();
    return plan;
  };

  /**
   * The user's plan after payments that were not reported yet. Call it under the plan's lock.
   * @param settle Settles one checkout.
   */
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
    work: (
      provider: PaymentProvider,
      subscription: string,
      plan: CurrentPlan,
      saveWork: SaveWork,
    ) => Promise<void>,
  ): Promise<void> =>
    withHttpErrors(() =>
      withLock(userId, async (saveWork) => {
        await assertWithinLimit(userId);
        const plan = await readPlan(userId, (row) => checkouts.settleLocked(row, saveWork));
        if (!plan?.bought || !plan.runs) throw nothingRunning();
        const { provider: name, subscription } = plan.bought;
        const provider = providers[name];
        if (!provider) throw new ProviderDown(`${name} is not set.`);
        try {
          await work(provider, subscription, plan, saveWork);
        } catch (error) {
          // The change may have happened all the same.
          if (error instanceof ProviderDown) await syncLater(name, subscription);
          throw error;
        }
        await syncChanged(name, subscription);
      }),
    );

  /** Syncs a subscription that has changed, which is not undone if this fails. */
  const syncChanged = (provider: ProviderName, subscription: string): Promise<void> =>
    sync(provider, subscription).catch(async (error: unknown) => {
      log.warn({ err: error }, 'a changed subscription is synced later');
      await syncLater(provider, subscription);
    });

  const sandboxRow = async (userId: string, clientSecret: string) => {
    // Where Stripe sells plans, the sandbox must not give them away.
    if (!sandbox) throw checkoutNotFound();
    const row = await repository.findBySecret(userId, hashSecret(clientSecret));
    const plan = row && (await plans.planByPrice(row.priceId));
    if (!row || !plan) throw checkoutNotFound();
    return { row, plan, sandbox };
  };

  return {
    /**
     * Opens a checkout for a plan, and closes the user's earlier ones. For a user whose cancelled plan
     * runs it takes the card, and then changes the plan.
     * @throws HttpError 404 for an unknown plan, 409 while a paid plan renews or is being changed.
     */
    begin: (
      { userId, email }: Pick<Caller, 'userId' | 'email'>,
      priceId: string,
      origin: string,
    ): Promise<{ clientSecret: string }> =>
      withHttpErrors(() =>
        withLock(userId, async (saveWork) => {
          const provider = seller();
          await assertWithinLimit(userId);
          const plan = await soldPlan(priceId);
          const user = await readPlan(userId, async (row) =>
            checkouts.apply(row, await provider.closeCheckout(row.id), saveWork),
          );
          const held = changes.heldOf(user);
          if (held?.runs && !held.cancelled) throw alreadyRunning();
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
            nextLookAt: firstPollAt(createdAt),
          });
          return { clientSecret };
        }),
      ),

    /**
     * What choosing a plan would do, and what would be due today.
     * @throws HttpError 404 for an unknown plan, 409 for the one that the user has.
     */
    preview: (userId: string, priceId: string): Promise<PlanChange> =>
      withHttpErrors(async () => {
        seller();
        await assertWithinLimit(userId);
        const plan = await soldPlan(priceId);
        const change = await changes.preview(await plans.find(userId), plan);
        if (!change) throw samePlan();
        return change;
      }),

    /**
     * Changes the running plan: now to a dearer or longer one, otherwise at its end.
     * @param shownAt The time for which the amount was shown.
     * @throws HttpError 402 if it could not be charged, 404, 409. Nothing has changed then.
     */
    async changePlan(userId: string, priceId: string, shownAt?: Date): Promise<void> {
      seller();
      const plan = await soldPlan(priceId);
      await change(userId, async (provider, subscription, user, saveWork) => {
        const kind = await changes.kindOf(user, plan);
        if (kind === 'none') throw samePlan();
        if (kind === 'new') throw nothingRunning();
        const at = now();
        const age = shownAt ? at.getTime() - shownAt.getTime() : -1;
        const asOf = shownAt && age >= 0 && age <= QUOTE_TTL_MS ? shownAt : at;
        const changed = { plan, asOf, card: null };
        await makeChange(provider, subscription, kind, changed, { saveWork, now: at });
      });
    },

    /**
     * Ends the plan with its period.
     * @throws HttpError 409 if none runs, or it is cancelled.
     */
    cancel: (userId: string): Promise<void> =>
      change(userId, async (provider, subscription, { cancelled }) => {
        if (cancelled) throw nothingRunning();
        await provider.cancel(subscription);
      }),

    /**
     * Takes back a cancellation, or the plan that was to follow.
     * @throws HttpError 409 if no plan runs, or there is nothing to take back.
     */
    async resume(userId: string): Promise<void> {
      seller();
      await change(userId, async (provider, subscription, { cancelled, next }) => {
        if (!cancelled && next === null) {
          const message = 'Your plan goes on already: there is nothing to take back.';
          throw new HttpError(409, 'plan_goes_on', message);
        }
        await provider.resume(subscription, null);
      });
    },

    /** @throws HttpError 404 for a checkout that is not the user's. */
    async sessionDetails(userId: string, id: string): Promise<'paid' | 'unpaid'> {
      const row = await repository.findCheckout(id);
      if (!row || row.userId !== userId) throw checkoutNotFound();
      await assertWithinLimit(userId);
      return withHttpErrors(() => checkouts.settle(row));
    },

    /**
     * Handles an event of Stripe. It is remembered once its subject was read.
     * @param body The raw bytes of the request.
     * @throws HttpError 400 for an invalid signature, and 503, after which Stripe repeats the event.
     */
    async receive(body: Buffer, signature: string): Promise<void> {
      if (!stripe) {
        const message = 'No payment provider is set on this server.';
        throw new HttpError(404, 'no_payment_provider', message);
      }
      const event = stripe.readEvent(body, signature);
      if (!event) {
        const message = 'The signature of the event is not valid.';
        throw new HttpError(400, 'bad_signature', message);
      }
      const { id, subject } = event;
      if ((await db.$count(paymentEvents, eq(paymentEvents.id, id))) > 0) return;
      await withHttpErrors(async () => {
        if (subject.kind === 'subscription') await sync('stripe', subject.id);
        const row = subject.kind === 'checkout' && (await repository.findCheckout(subject.id));
        if (row) await checkouts.settle(row);
        await db.insert(paymentEvents).values({ id, receivedAt: now() }).onConflictDoNothing();
      });
    },

    /** @throws HttpError 404 for a checkout that is not the user's. */
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

    /**
     * Pays a checkout of the sandbox. The card is not stored.
     * @throws HttpError 400 for an invalid card, 404, 409 if the checkout can no longer be paid.
     */
    async paySandbox(
      userId: string,
      clientSecret: string,
      payment: Card & { name: string; billingAddress: string },
    ): Promise<{ sessionId: string; paymentStatus: 'paid' | 'unpaid' }> {
      const { row, plan, sandbox } = await sandboxRow(userId, clientSecret);
      const sessionId = row.id;
      if (row.status === 'paid') throw checkoutPaid();
      if (row.status === 'expired' || row.expiresAt <= now()) throw checkoutExpired();
      if (outcomeOf(payment, now()) === 'unpaid') {
        await repository.setStatus(row.id, 'unpaid');
        return { sessionId, paymentStatus: 'unpaid' };
      }
      const user = await plans.find(userId);
      if (user?.runs && !user.cancelled) throw alreadyRunning();
      const address = [payment.name, payment.billingAddress].filter(Boolean).join(', ');
      const billingAddress = address || null;
      if (!(await sandbox.pay({ checkoutId: row.id, userId, plan, billingAddress }))) {
        const latest = await repository.findCheckout(row.id);
        throw latest?.status === 'expired' ? checkoutExpired() : checkoutPaid();
      }
      return { sessionId, paymentStatus: await withHttpErrors(() => checkouts.settle(row)) };
    },
  };
}
