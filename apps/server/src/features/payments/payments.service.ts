import type { FastifyBaseLogger } from 'fastify';
import type { Invoice, SandboxCheckout } from '@engram/contract';
import type { Database } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/http/mount.ts';
import type { DocumentKind, DocumentLinks } from './document-links.ts';
import type { Intake, KeptPlan } from './intake.ts';
import { firstLook, isLate, isOver } from './looks.ts';
import * as errors from './payments.errors.ts';
import type { PaymentsRepository } from './payments.repository.ts';
import type { CheckoutRow, InvoiceRow } from './payments.tables.ts';
import {
  type CheckoutState,
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
import { createTurns } from './turns.ts';

export interface PaymentsDependencies {
  database: Pick<Database, 'transaction'>;
  repository: PaymentsRepository;
  sandbox: SandboxProvider;
  /** Null where its keys are not set. */
  stripe: StripeProvider | null;
  intake: Intake;
  links: DocumentLinks;
  /** Seconds until the person may have the provider asked; 0 when they may now. */
  limit: (userId: string) => number;
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

/** How what a provider throws is told to a person. */
function toldOf(error: unknown): unknown {
  if (error instanceof ProviderDown) return errors.providerDown();
  if (error instanceof PaymentDeclined) return errors.declined();
  if (error instanceof PriceMismatch) return errors.priceNotSold();
  return error;
}

/** Buying, changing and ending plans, and what was paid for them. */
export function createPaymentsService(deps: PaymentsDependencies) {
  const { database, repository, sandbox, stripe, intake, links, log, now } = deps;
  /** Who takes the money of whoever buys now. */
  const current: PaymentProvider = stripe ?? sandbox;
  const providers: Partial<Record<ProviderName, PaymentProvider>> = {
    sandbox,
    ...(stripe ? { stripe } : {}),
  };
  /** Whether a plan was bought from whoever takes the money now. */
  const isCurrent = ({ bought }: KeptPlan): boolean => bought?.provider === current.name;
  const inTurn = createTurns(repository);

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

  /** Each of a person's calls is several of the provider's, which answers all people together so many. */
  const assertPatient = (userId: string): void => {
    const wait = deps.limit(userId);
    if (wait > 0) throw errors.tooManyPayments(wait);
  };

  const planFor = async (priceId: string): Promise<SoldPlan> => {
    const plan = await deps.offeredAt(priceId);
    if (!plan) throw errors.planNotFound();
    return plan;
  };

  /** Keeps how a checkout stands, and takes in what was bought by it. */
  const keepCheckout = async (
    row: CheckoutRow,
    state: CheckoutState | null | undefined,
  ): Promise<'paid' | 'unpaid'> => {
    if (state?.subscription) {
      const isLost = state.status === 'processing' && isLate(row, now());
      await intake.take(row.provider, state.subscription, (tx) =>
        repository.setStatus(row.id, isLost ? 'expired' : state.status, tx),
      );
      return state.status === 'paid' ? 'paid' : 'unpaid';
    }
    if (state === null || state?.status === 'expired' || isOver(row, now())) {
      await repository.setStatus(row.id, 'expired');
    }
    return 'unpaid';
  };

  /** Asks how a checkout stands, and takes in what was bought by it. */
  const settle = async (row: CheckoutRow): Promise<'paid' | 'unpaid'> =>
    row.status === 'paid'
      ? 'paid'
      : keepCheckout(row, await providers[row.provider]?.readCheckout(row.id));

  /**
   * The plan as it is, after what has been paid and not been told yet.
   * @param look What is done about each checkout that is not settled.
   */
  const planNow = async (
    userId: string,
    look: (row: CheckoutRow) => Promise<unknown> = settle,
  ): Promise<KeptPlan | undefined> => {
    for (const row of await repository.unsettledOf(userId, current.name)) await look(row);
    const kept = await deps.findPlan(userId);
    // A period that ended without a word may have been paid.
    if (!kept?.bought || kept.goesOn || kept.bought.provider === 'sandbox') return kept;
    await intake.take(kept.bought.provider, kept.bought.subscription);
    return deps.findPlan(userId);
  };

  const closeEarlier = async (row: CheckoutRow): Promise<unknown> =>
    keepCheckout(row, await current.closeCheckout(row.id));

  /** What is left to do after a change at the provider, which has happened whatever comes of this. */
  const lookAt = async (provider: ProviderName, subscription: string): Promise<void> => {
    await intake.take(provider, subscription).catch(async (error: unknown) => {
      log.warn({ err: error }, 'a changed subscription is looked at later');
      await intake.lookLater(provider, subscription);
    });
  };

  /** Does something to the subscription that a person has. */
  const change = (
    userId: string,
    work: (provider: PaymentProvider, subscription: string, kept: KeptPlan) => Promise<void>,
  ): Promise<void> =>
    inTurn(userId, () =>
      told(async () => {
        assertPatient(userId);
        const kept = await planNow(userId);
        if (!kept?.bought || !kept.goesOn) throw errors.nothingRunning();
        const { provider: name, subscription } = kept.bought;
        const provider = providers[name];
        if (!provider) throw new ProviderDown(`${name} is not set.`);
        try {
          await work(provider, subscription, kept);
        } catch (error) {
          // Whether a call that was cut off has happened is found out later.
          if (error instanceof ProviderDown) await intake.lookLater(name, subscription);
          throw error;
        }
        await lookAt(name, subscription);
      }),
    );

  const present = (row: InvoiceRow, fresh: ReadonlyMap<string, string>): Invoice => {
    const own = (kind: DocumentKind): string | null =>
      row.provider === 'sandbox' ? links.sign(row.userId, row.id, kind) : null;
    return {
      invoiceNo: row.invoiceNo,
      plan: row.plan,
      paymentDate: row.paidAt.toISOString(),
      amount: row.amount / 100,
      invoicePdf: own('invoice') ?? fresh.get(row.providerInvoice) ?? row.invoiceUrl,
      receiptUrl: own('receipt') ?? row.receiptUrl,
    };
  };

  const sandboxRow = async (userId: string, clientSecret: string) => {
    // Once money moves, nothing is had without it.
    if (stripe) throw errors.checkoutNotFound();
    const row = await repository.findBySecret(userId, hashSecret(clientSecret));
    const plan = row && (await deps.planByPrice(row.priceId));
    if (!row || !plan) throw errors.checkoutNotFound();
    return { row, plan };
  };

  return {
    assertOwn,
    settle,
    describe: () => ({ name: 'payments' as const, ...current.describe() }),

    /**
     * Opens a checkout for a plan, after which the person's earlier ones cannot be paid any more.
     * @throws HttpError 404 where there is no such plan, 409 while a paid one runs or is being
     * changed, 503 where the provider is down.
     */
    begin: (
      { userId, email }: Buyer,
      priceId: string,
      origin: string,
    ): Promise<{ clientSecret: string }> =>
      inTurn(userId, () =>
        told(async () => {
          assertPatient(userId);
          const plan = await planFor(priceId);
          // Of two that are open, both could be paid.
          const kept = await planNow(userId, closeEarlier);
          if (kept?.goesOn && isCurrent(kept)) throw errors.alreadyRunning();
          const customer = kept && isCurrent(kept) ? (kept.bought?.customer ?? null) : null;
          const returnUrl = `${origin}/message?session_id={CHECKOUT_SESSION_ID}`;
          const opened = await current.openCheckout({ userId, email, customer, plan, returnUrl });
          const { id, clientSecret, secretHash, expiresAt } = opened;
          const createdAt = now();
          const nextLookAt = firstLook(createdAt);
          const row = { id, userId, priceId, secretHash, expiresAt, createdAt, nextLookAt };
          await repository.insertCheckout({ ...row, provider: current.name, status: 'open' });
          return { clientSecret };
        }),
      ),

    /**
     * Changes the running plan.
     * @throws HttpError 402 where it could not be charged, 404, 409, 503; nothing has changed then.
     */
    async changePlan({ userId }: Buyer, priceId: string): Promise<void> {
      const plan = await planFor(priceId);
      await change(userId, (provider, subscription, kept) => {
        if (provider.name !== current.name) throw errors.sandboxPlan();
        if (kept.priceId === priceId) throw errors.samePlan();
        return provider.changePlan(subscription, plan);
      });
    },

    /**
     * Lets the plan end with its period.
     * @throws HttpError 409 where none runs, 503 where the provider is down.
     */
    cancel: ({ userId }: Buyer): Promise<void> =>
      change(userId, (provider, subscription) => provider.cancel(subscription)),

    /** What was paid, newest first; with the links of before where the provider is not asked. */
    async invoices(userId: string): Promise<Invoice[]> {
      const rows = await repository.listInvoices(userId);
      const bought = (await deps.findPlan(userId))?.bought;
      const asks = bought && rows.length > 0 && deps.limit(userId) === 0;
      const provider = asks ? providers[bought.provider] : undefined;
      const fresh = await provider?.invoiceLinks(bought?.customer ?? '').catch(() => undefined);
      return rows.map((row) => present(row, fresh ?? new Map()));
    },

    /** @throws HttpError 404 for a checkout that is not the caller's, 503. */
    async sessionDetails(userId: string, id: string): Promise<'paid' | 'unpaid'> {
      const row = await repository.findCheckout(id);
      if (!row || row.userId !== userId) throw errors.checkoutNotFound();
      assertPatient(userId);
      return told(() => settle(row));
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
        if (row) await settle(row);
        await database.transaction((tx) => repository.addEvent(tx, event.id, now()));
      });
    },

    /** @throws HttpError 404 for a checkout that is not the caller's. */
    async sandboxCheckout(userId: string, clientSecret: string): Promise<SandboxCheckout> {
      const { row, plan } = await sandboxRow(userId, clientSecret);
      const { name, cents, period } = plan;
      return { sessionId: row.id, plan: name, amount: cents / 100, billingPeriod: period };
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
      const { row, plan } = await sandboxRow(userId, clientSecret);
      if (row.status === 'paid') throw errors.checkoutDone();
      if (row.status === 'expired' || row.expiresAt <= now()) throw errors.checkoutExpired();
      if (outcomeOf(payment, now()) === 'unpaid') {
        await repository.setStatus(row.id, 'unpaid');
        return { sessionId: row.id, paymentStatus: 'unpaid' };
      }
      if ((await deps.findPlan(userId))?.goesOn) throw errors.alreadyRunning();
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
      await settle(row);
      return { sessionId: row.id, paymentStatus: 'paid' };
    },
  };
}

export type PaymentsService = ReturnType<typeof createPaymentsService>;
