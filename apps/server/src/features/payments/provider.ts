import type { Plan } from '../subscription/plans.ts';

export type ProviderName = 'sandbox' | 'stripe';

/** A plan as it is sold; a provider knows it by the id of its price. */
export type SoldPlan = Pick<Plan, 'name' | 'priceId' | 'amount' | 'billingPeriod'>;

export interface Order {
  userId: string;
  email: string;
  /** The provider's id of the buyer, where they have bought before. */
  customer: string | null;
  plan: SoldPlan;
  /**
   * The subscription that is changed to the plan once the checkout is done, which then only takes
   * the card; null where a new one is bought.
   */
  changes: string | null;
  /** Where the buyer goes afterwards; {CHECKOUT_SESSION_ID} in it becomes the checkout's id. */
  returnUrl: string;
}

export interface OpenedCheckout {
  id: string;
  /** What the buyer's browser opens the checkout with; kept nowhere in clear. */
  clientSecret: string;
  /** SHA-256 of the secret, where the checkout is looked up by it. */
  secretHash: string | null;
  expiresAt: Date;
}

/** 'processing': the buyer is done, and the money is on its way, which may take days. */
export type CheckoutStatus = 'open' | 'processing' | 'paid' | 'unpaid' | 'expired';

export interface CheckoutState {
  status: CheckoutStatus;
  /** What was bought, or is changed; null while nothing was. */
  subscription: string | null;
  /** The card that was given for a change which is still to be made; null where none is. */
  card: string | null;
}

/** How a subscription stands as a whole, as its provider tells it. */
export interface SubscriptionState {
  id: string;
  /** Whose it is. */
  userId: string;
  /** The provider's id of the buyer. */
  customer: string;
  priceId: string;
  /** 'expired': a period was not paid. 'cancelled': it ends, or has ended, with `endsAt`. */
  status: 'active' | 'cancelled' | 'expired';
  startedAt: Date;
  endsAt: Date;
  /** What begins then, where another plan was chosen; `endsAt` where it needs no payment. */
  next: { priceId: string; endsAt: Date | null } | null;
  /** US cents that are held for the buyer, and set against the next payment. */
  balance: number;
  billingAddress: string | null;
}

/** What beginning a plan at once costs, in US cents. */
export interface Amounts {
  /** What of the plan is paid: its price, or its share of the period that runs. */
  price: number;
  /** What is set against that: what is left of the old plan, and the buyer's balance. */
  credited: number;
  /** What is charged: the rest. */
  due: number;
  /** What is left over, and set against later payments. */
  balance: number;
}

/** How a subscription is changed to another plan. */
export interface Change {
  plan: SoldPlan;
  /** At once, or at the end of the period that is paid for. */
  begins: 'now' | 'at the end';
  /** The moment for which the price of a plan that begins at once is reckoned. */
  asOf: Date;
  /** What is charged from now on; null for the card of before. */
  card: string | null;
}

/** An invoice that was paid. */
export interface PaidInvoice {
  /** The provider's id of it. */
  id: string;
  number: string;
  priceId: string | null;
  /** US cents. */
  amount: number;
  paidAt: Date;
  billingAddress: string | null;
  /** The provider's own documents; null where there are none. */
  invoiceUrl: string | null;
  receiptUrl: string | null;
}

/** What may be left at a provider of somebody who has gone, or of a purchase that was overtaken. */
export interface Leftovers {
  subscription?: string | null;
  /** Checkouts that nobody is to pay any more. */
  checkouts?: readonly string[];
  /** Set where everything that is known of the buyer goes too; null where the id is not known. */
  customer?: string | null;
}

/**
 * Who takes the money. All states are told as a whole, so that asking twice does no harm.
 * Every call throws `ProviderDown` where the provider does not answer.
 */
export interface PaymentProvider {
  name: ProviderName;
  /** Whether money moves, and how, in a sentence without keys. */
  describe(): { on: boolean; detail: string };
  /** Opens a checkout for a plan. */
  openCheckout(order: Order): Promise<OpenedCheckout>;
  /** Null for a checkout that is not there any more. */
  readCheckout(id: string): Promise<CheckoutState | null>;
  /**
   * Has a checkout that is open not be paid any more; one that the buyer is done with stays as it
   * is. Answers how it stands then: null for one that is not there any more.
   */
  closeCheckout(id: string): Promise<CheckoutState | null>;
  /** Null for a subscription that is not there, not Engram's, or was never paid. */
  readSubscription(id: string): Promise<SubscriptionState | null>;
  /** What was paid for a subscription, without those that are known already. */
  newInvoices(subscription: string, known: ReadonlySet<string>): Promise<PaidInvoice[]>;
  /** Links to a buyer's invoices as they are now, by the ids of the invoices. */
  invoiceLinks(customer: string): Promise<Map<string, string>>;
  /** What changing a running subscription to another plan at once costs; changes nothing. */
  quote(subscription: string, plan: SoldPlan, asOf: Date): Promise<Amounts>;
  /**
   * Changes a running subscription to another plan. Of one that begins at once the price is charged
   * less what is left of the old one, as `quote` told; one that begins at the end is charged then.
   * In either case the subscription goes on, and what was to begin or to end is overtaken. Twice is
   * once.
   * @throws PaymentDeclined when it could not be charged; nothing has changed then.
   */
  changePlan(subscription: string, change: Change): Promise<void>;
  /**
   * Lets a subscription go on as it is: it neither ends nor changes at the end of its period.
   * @param card What is charged from now on; null for the card of before.
   */
  resume(subscription: string, card: string | null): Promise<void>;
  /** Lets a subscription end with the period that is paid for, whatever was to follow. */
  cancel(subscription: string): Promise<void>;
  /** Ends what is left, at once. What is gone already is passed over. */
  clear(leftovers: Leftovers): Promise<void>;
}

/** The provider does not answer, or refuses Engram as a whole; the cause is for the log. */
export class ProviderDown extends Error {
  override readonly name = 'ProviderDown';
}

/** The buyer's bank or card said no. */
export class PaymentDeclined extends Error {
  override readonly name = 'PaymentDeclined';
}

/** The plan cannot be bought at the provider as it is shown; the message says why, for the log. */
export class PriceMismatch extends Error {
  override readonly name = 'PriceMismatch';
}

/**
 * Whether nothing more becomes of a subscription. One that has expired has not ended: its provider
 * may go on trying to have the unpaid period paid.
 */
export const hasEnded = ({ status, endsAt }: SubscriptionState, at: Date): boolean =>
  status === 'cancelled' && endsAt <= at;

/** Whether a subscription gives its plan at a moment. */
export const isRunning = (state: SubscriptionState, at: Date): boolean =>
  state.status !== 'expired' && state.endsAt > at;
