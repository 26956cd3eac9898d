import type { FastifyBaseLogger } from 'fastify';
import type { PlanChange, SandboxCheckout } from '@engram/contract';
import type { Database } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/http/mount.ts';
import type { Checkouts } from './checkouts.ts';
import type { KeptPlan } from '../subscription/subscription.service.ts';
import type { Intake } from './intake.ts';
import { firstLook } from './looks.ts';
import * as errors from './payments.errors.ts';
import type { PaymentsRepository } from './payments.repository.ts';
import type { CheckoutRow } from './payments.tables.ts';
import { makeChange, type PlanChanges } from './plan-change.ts';
import {
  PaymentDeclined,
  type PaymentProvider,
  PriceMismatch,
  ProviderDown,
  type ProviderName,
  type SoldPlan,
} from './provider.ts';
import { type Card, outcomeOf } from './sandbox-cards.ts';
import { hashSecret, type SandboxProvider } from './sandbox-provider.ts';
import type { StripeProvider } from './stripe-provider.ts';
import type { Note, WithPlanLock } from './plan-lock.ts';

export interface PaymentsDependencies {
  database: Pick<Database, 'transaction'>;
  repository: PaymentsRepository;
  /** Who takes the money of whoever buys now; null where nobody does. */
  current: PaymentProvider | null;
  /** Those that are set. */
  providers: Partial<Record<ProviderName, PaymentProvider>>;
  /** Null where it takes no money. */
  sandbox: SandboxProvider | null;
  /** Null where its keys are not set. */
  stripe: StripeProvider | null;
  intake: Intake;
  withPlanLock: WithPlanLock;
  checkouts: Checkouts;
  changes: PlanChanges;
  /** Seconds until the person may have the provider asked; 0 when they may now. */
  limit: (userId: string) => Promise<number>;
  log: Pick<FastifyBaseLogger, 'error' | 'warn'>;
  now: () => Date;
  /** A person's plan as it is kept; undefined where there is no such person. */
  findPlan: (userId: string) => Promise<KeptPlan | undefined>;
  /** A plan that can be bought; undefined where nothing is sold at the price. */
  offeredAt: (priceId: string) => Promise<SoldPlan | undefined>;
  /** Any plan of a price, sold any more or not. */
  planByPrice: (priceId: string) => Promise<SoldPlan | undefined>;
}

type Buyer = Pick<Caller, 'userId' | 'email'>;

/** For how long an amount that was shown stays the one that is charged, in milliseconds. */
const SHOWN_FOR_MS = 3_600_000;

/** How what a provider throws is told to a person. */
function toldOf(error: unknown): unknown {
  if (error instanceof ProviderDown) return errors.providerDown();
  if (error instanceof PaymentDeclined) return errors.declined();
  if (error instanceof PriceMismatch) return errors.priceNotSold();
  return error;
}

/** Buying, changing and ending plans, and what was paid for them. */
export function createPaymentsService(deps: PaymentsDependencies) {
  const { database, repository, providers, stripe, intake, log, now } = deps;
  const { withPlanLock, checkouts, changes } = deps;

  const told = <T>(work: () => Promise<T>): Promise<T> =>
    work().catch((error: unknown) => {
      if (error instanceof PriceMismatch) log.error(error.message);
      throw toldOf(error);
    });

  const assertOwn = (caller: Buyer, email: string | undefined): void => {
    if (email !== undefined && email.toLowerCase() !== caller.email.toLowerCase()) {
      throw errors.foreignAddress();
    }
  };

  const seller = (): PaymentProvider => {
    if (!deps.current) throw errors.paymentsOff();
    return deps.current;
  };

  /** Each of a person's calls is several of the provider's, which answers all people together so many. */
  const assertPatient = async (userId: string): Promise<void> => {
    const wait = await deps.limit(userId);
    if (wait > 0) throw errors.tooManyPayments(wait);
  };

  const planFor = async (priceId: string): Promise<SoldPlan> => {
    const plan = await deps.offeredAt(priceId);
    if (!plan) throw errors.planNotFound();
    return plan;
  };

  /**
   * The plan as it is, after payments that the provider has not reported yet. Call it under the plan's lock.
   * @param look What is done about each checkout that is not settled.
   */
  const planNow = async (
    userId: string,
    look: (row: CheckoutRow) => Promise<unknown>,
  ): Promise<KeptPlan | undefined> => {
    const unsettled = deps.current ? await repository.unsettledOf(userId, deps.current.name) : [];
    for (const row of unsettled) await look(row);
    const kept = await deps.findPlan(userId);
    // A period that ended without a word may have been paid.
    if (!kept?.bought || (kept.runs && !kept.cancelled && !kept.ranOut)) return kept;
    await intake.take(kept.bought.provider, kept.bought.subscription);
    return deps.findPlan(userId);
  };

  /** What is left to do after a change at the provider, which has happened whatever comes of this. */
  const lookAt = async (provider: ProviderName, subscription: string): Promise<void> => {
    await intake.take(provider, subscription).catch(async (error: unknown) => {
      log.warn({ err: error }, 'a changed subscription is looked at later');
      await intake.lookLater(provider, subscription);
    });
  };

  /** Does something to the subscription that a person has. */
  const changeOf = (
    userId: string,
    work: (
      provider: PaymentProvider,
      subscription: string,
      kept: KeptPlan,
      note: Note,
    ) => Promise<void>,
  ): Promise<void> =>
    told(() =>
      withPlanLock(userId, async (note) => {
        await assertPatient(userId);
        const kept = await planNow(userId, (row) => checkouts.settleLocked(row, note));
        if (!kept?.bought || !kept.runs) throw errors.nothingRunning();
        const { provider: name, subscription } = kept.bought;
        const provider = providers[name];
        if (!provider) throw new ProviderDown(`${name} is not set.`);
        try {
          await work(provider, subscription, kept, note);
        } catch (error) {
          // Whether a call that was cut off has happened is found out later.
          if (error instanceof ProviderDown) await intake.lookLater(name, subscription);
          throw error;
        }
        await lookAt(name, subscription);
      }),
    );

  const sandboxRow = async (userId: string, clientSecret: string) => {
    // Once money moves, nothing is had without it.
    if (!deps.sandbox) throw errors.checkoutNotFound();
    const row = await repository.findBySecret(userId, hashSecret(clientSecret));
    const plan = row && (await deps.planByPrice(row.priceId));
    if (!row || !plan) throw errors.checkoutNotFound();
    return { row, plan, sandbox: deps.sandbox };
  };

  return {
    assertOwn,
    /**
     * Opens a checkout for a plan, after which the person's earlier ones cannot be paid any more. For
     * somebody whose cancelled plan runs it takes the card, and the plan is changed by it.
     * @throws HttpError 404 where there is no such plan, 409 while a paid one goes on or is being
     * changed, 503 where the provider is down, or there is none.
     */
    begin: (
      { userId, email }: Buyer,
      priceId: string,
      origin: string,
    ): Promise<{ clientSecret: string }> =>
      told(() =>
        withPlanLock(userId, async (note) => {
          const provider = seller();
          await assertPatient(userId);
          const plan = await planFor(priceId);
          // Of two that are open, both could be paid.
          const kept = await planNow(userId, async (row) =>
            checkouts.keep(row, await provider.closeCheckout(row.id), note),
          );
          const held = changes.heldOf(kept);
          if (held?.runs && !held.cancelled) throw errors.alreadyRunning();
          const bought = held?.bought ?? null;
          const changed = held?.runs && bought ? bought.subscription : null;
          const { id, clientSecret, ...opened } = await provider.openCheckout({
            userId,
            email,
            customer: bought?.customer ?? null,
            plan,
            changes: changed,
            returnUrl: `${origin}/message?session_id={CHECKOUT_SESSION_ID}`,
          });
          const createdAt = now();
          const nextLookAt = firstLook(createdAt);
          const row = { ...opened, id, userId, priceId, changes: changed, createdAt, nextLookAt };
          await repository.insertCheckout({ ...row, provider: provider.name, status: 'open' });
          return { clientSecret };
        }),
      ),

    /**
     * What choosing a plan would do, and what would be due today.
     * @throws HttpError 404 where there is no such plan, 409 for the one that runs and goes on, 503.
     */
    preview: ({ userId }: Buyer, priceId: string): Promise<PlanChange> =>
      told(async () => {
        seller();
        await assertPatient(userId);
        const plan = await planFor(priceId);
        const change = await changes.preview(await deps.findPlan(userId), plan);
        if (!change) throw errors.samePlan();
        return change;
      }),

    /**
     * Changes the running plan: at once to a dearer or longer one, else when it ends.
     * @param shownAt The moment for which the amount was shown, where it was.
     * @throws HttpError 402 where it could not be charged, 404, 409, 503; nothing has changed then.
     */
    async changePlan({ userId }: Buyer, priceId: string, shownAt?: Date): Promise<void> {
      seller();
      const plan = await planFor(priceId);
      await changeOf(userId, async (provider, subscription, kept, note) => {
        const kind = await changes.kindOf(kept, plan);
        if (kind === 'none') throw errors.samePlan();
        if (kind === 'new') throw errors.nothingRunning();
        const at = now();
        const age = shownAt ? at.getTime() - shownAt.getTime() : -1;
        const asOf = shownAt && age >= 0 && age <= SHOWN_FOR_MS ? shownAt : at;
        const nextPriceId = kind === 'later' ? priceId : null;
        await note({ provider: provider.name, subscription, nextPriceId, since: at.toISOString() });
        await makeChange(provider, subscription, kind, { plan, asOf, card: null });
      });
    },

    /**
     * Lets the plan end with its period, whatever was to follow it.
     * @throws HttpError 409 where none runs, or it is cancelled, 503 where the provider is down.
     */
    cancel: ({ userId }: Buyer): Promise<void> =>
      changeOf(userId, async (provider, subscription, { cancelled }) => {
        if (cancelled) throw errors.nothingRunning();
        await provider.cancel(subscription);
      }),

    /**
     * Lets the plan go on: a cancellation is taken back, or the plan that was to follow.
     * @throws HttpError 409 where none runs or nothing is to be taken back, 503.
     */
    async resume({ userId }: Buyer): Promise<void> {
      seller();
      await changeOf(userId, async (provider, subscription, { cancelled, next }) => {
        if (!cancelled && next === null) throw errors.goesOnAlready();
        await provider.resume(subscription, null);
      });
    },

    /** @throws HttpError 404 for a checkout that is not the caller's, 503. */
    async sessionDetails(userId: string, id: string): Promise<'paid' | 'unpaid'> {
      const row = await repository.findCheckout(id);
      if (!row || row.userId !== userId) throw errors.checkoutNotFound();
      await assertPatient(userId);
      return told(() => checkouts.settle(row));
    },

    /**
     * Takes in an event of Stripe's. It counts as received when what it is about has been.
     * @param body The request's bytes as they came.
     * @throws HttpError 400 for a signature that is not Stripe's, 503 where it cannot be asked: it
     * sends the event again then.
     */
    async receive(body: Buffer, signature: string): Promise<void> {
      if (!stripe) throw errors.noWebhook();
      const event = stripe.readEvent(body, signature);
      if (!event) throw errors.badSignature();
      if (await repository.hasEvent(event.id)) return;
      await told(async () => {
        const { subject } = event;
        if (subject.kind === 'subscription') await intake.take('stripe', subject.id);
        const row = subject.kind === 'checkout' && (await repository.findCheckout(subject.id));
        if (row) await checkouts.settle(row);
        await database.transaction((tx) => repository.addEvent(tx, event.id, now()));
      });
    },

    /** @throws HttpError 404 for a checkout that is not the caller's. */
    async sandboxCheckout(userId: string, clientSecret: string): Promise<SandboxCheckout> {
      const { row, plan } = await sandboxRow(userId, clientSecret);
      const change = await changes.preview(await deps.findPlan(userId), plan);
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
     * Pays a checkout of the sandbox. Nothing of the card is kept.
     * @throws HttpError 400 for a card that is none, 404, and 409 where it is not to be paid any more.
     */
    async paySandbox(
      userId: string,
      clientSecret: string,
      payment: Card & { name: string; billingAddress: string },
    ): Promise<{ sessionId: string; paymentStatus: 'paid' | 'unpaid' }> {
      const { row, plan, sandbox } = await sandboxRow(userId, clientSecret);
      if (row.status === 'paid') throw errors.checkoutDone();
      if (row.status === 'expired' || row.expiresAt <= now()) throw errors.checkoutExpired();
      if (outcomeOf(payment, now()) === 'unpaid') {
        await repository.setStatus(row.id, 'unpaid');
        return { sessionId: row.id, paymentStatus: 'unpaid' };
      }
      const kept = await deps.findPlan(userId);
      if (kept?.runs && !kept.cancelled) throw errors.alreadyRunning();
      const billingAddress = [payment.name, payment.billingAddress].filter(Boolean).join(', ');
      const paid = await sandbox.pay({
        checkoutId: row.id,
        userId,
        plan,
        billingAddress: billingAddress || null,
      });
      if (!paid) {
        const latest = await repository.findCheckout(row.id);
        throw latest?.status === 'expired' ? errors.checkoutExpired() : errors.checkoutDone();
      }
      return { sessionId: row.id, paymentStatus: await told(() => checkouts.settle(row)) };
    },
  };
}

export type PaymentsService = ReturnType<typeof createPaymentsService>;
