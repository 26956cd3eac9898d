import { HttpError } from '../../platform/http/errors.ts';
import type { Plan } from '../subscription/plans.ts';
import type { ReportedSubscription } from '../subscription/plan-state.ts';
import type { CheckoutStatus, InvoiceRow, ProviderName } from './payments.tables.ts';

/** A plan for sale. Providers identify it by its price. */
export type SoldPlan = Pick<Plan, 'name' | 'priceId' | 'amount' | 'billingPeriod'>;

export interface Order {
  userId: string;
  email: string;
  /** The user's id at the provider, if they have bought before. */
  customer: string | null;
  plan: SoldPlan;
  /** The subscription that is changed, for which the checkout only takes the card; null for a new one. */
  changes: string | null;
  /** Where the user goes afterwards. {CHECKOUT_SESSION_ID} in it becomes the id of the checkout. */
  returnUrl: string;
}

export interface OpenedCheckout {
  id: string;
  /** Opens the checkout in the user's browser. Only its hash is stored. */
  clientSecret: string;
  /** SHA-256 of the secret, if checkouts are found by it. */
  secretHash: string | null;
  expiresAt: Date;
}

export interface CheckoutState {
  status: CheckoutStatus;
  subscription: string | null;
  /** The card for a change that has not been made yet. */
  card: string | null;
}

export interface SubscriptionState extends Omit<
  ReportedSubscription,
  'provider' | 'subscription' | 'reportedAt'
> {
  id: string;
  startedAt: Date;
}

/** The cost of beginning a plan now, in US cents. */
export interface Amounts {
  price: number;
  /** The deductions: the unused part of the old plan, and the user's balance. */
  credited: number;
  due: number;
  balance: number;
}

export interface Change {
  plan: SoldPlan;
  begins: 'now' | 'at the end';
  asOf: Date;
  /** The new card; null for the current one. */
  card: string | null;
}

export type PaidInvoice = Omit<InvoiceRow, 'id' | 'userId' | 'provider' | 'plan'> & {
  priceId: string | null;
};

/** What may remain at a provider after an account was deleted or a purchase superseded. */
export interface Leftovers {
  subscription?: string | null;
  /** Checkouts that must no longer be paid. */
  checkouts?: readonly string[];
  /** Set if the customer is deleted too; null if its id is unknown. */
  customer?: string | null;
}

/**
 * A payment provider. It reports complete states, so reading twice does no harm. Every call throws
 * `ProviderDown` if the provider does not respond.
 */
export interface PaymentProvider {
  name: ProviderName;
  openCheckout(order: Order): Promise<OpenedCheckout>;
  readCheckout(id: string): Promise<CheckoutState | null>;
  /** Closes an open checkout, and returns its state afterwards; null for an unknown one. */
  closeCheckout(id: string): Promise<CheckoutState | null>;
  /** Null for a subscription that is unknown, not Engram's, or was never paid. */
  readSubscription(id: string): Promise<SubscriptionState | null>;
  newInvoices(subscription: string, known: ReadonlySet<string>): Promise<PaidInvoice[]>;
  /** Current links to a customer's invoices, by the ids of the invoices. */
  invoiceLinks(customer: string): Promise<Map<string, string>>;
  quote(subscription: string, plan: SoldPlan, asOf: Date): Promise<Amounts>;
  /**
   * Changes a running subscription to another plan, which renews. A plan that begins now costs the result of
   * `quote`, and one that begins at the end is charged then. A repeated call changes nothing.
   * @throws PaymentDeclined if the charge failed. Nothing has changed then.
   */
  changePlan(subscription: string, change: Change): Promise<void>;
  /** Makes a subscription renew instead of ending or changing. Null uses the current card. */
  resume(subscription: string, card: string | null): Promise<void>;
  cancel(subscription: string): Promise<void>;
  /** Ends the leftovers now. Ignores those that have ended. */
  clear(leftovers: Leftovers): Promise<void>;
}

/** The provider does not respond, or rejects Engram's own credentials. */
export class ProviderDown extends HttpError {
  constructor() {
    super(
      503,
      'payments_down',
      'The payment provider cannot be reached right now. Please try again in a few minutes.',
    );
  }
}

export class PaymentDeclined extends HttpError {
  constructor() {
    super(
      402,
      'payment_declined',
      'The payment was declined, and your plan has not changed. Please ask your bank or use another card.',
    );
  }
}

/** Whether a subscription is over. An expired one is not: its provider may still charge it. */
export const hasEnded = ({ status, endsAt }: SubscriptionState, time: Date): boolean =>
  status === 'cancelled' && endsAt <= time;

export const isRunning = (state: SubscriptionState, time: Date): boolean =>
  state.status !== 'expired' && state.endsAt > time;

export function amountsOf(price: number, credit: number): Amounts {
  const credited = Math.min(price, credit);
  return { price, credited, due: price - credited, balance: credit - credited };
}
