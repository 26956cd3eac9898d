import { expect } from 'vitest';

/** A call with its payload and its complete response. `{name}` is replaced by a recorded value. */
export interface AccountCall {
  line: string;
  /** The caller. Default: Ann. */
  by?: 'ann' | 'bob' | 'root';
  body?: unknown;
  message?: string;
  /** Everything under `data`: no field may be missing, and none may be added. */
  data: unknown;
  /** The fields next to `data` in a list. */
  list?: { total: number; nextCursor: null };
  /** Names for later calls, with the path of each value in `data`. */
  keep?: Record<string, string>;
}

const text = expect.any(String) as unknown;
const pro = {
  productName: 'Engram - Pro - monthly',
  billingCycle: 'monthly',
  renewsOn: text,
  amount: 5,
  status: 'ACTIVE',
  billingAddress: 'Ann Lee, 1 Mill Lane',
  filesDeletedOn: null,
  next: null,
  balance: 0,
  sandboxPlan: null,
};

/** Calls that buy, change, cancel and resume a plan, in this order. */
export const bought: AccountCall[] = [
  {
    line: 'GET /subscription/billing',
    data: [
      {
        productName: 'Starter(Free)',
        billingCycle: null,
        renewsOn: null,
        amount: 0,
        status: 'ACTIVE',
        billingAddress: null,
        filesDeletedOn: null,
        next: null,
        balance: 0,
        sandboxPlan: null,
      },
    ],
  },
  {
    line: 'POST /stripe/create-subscription',
    body: { email: '{annEmail}', priceId: '{pro}' },
    data: { clientSecret: text },
  },
  {
    line: 'POST /stripe/create-checkout-session',
    body: { priceId: '{pro}' },
    data: { clientSecret: text },
    keep: { secret: 'clientSecret' },
  },
  {
    line: 'GET /sandbox/checkout/{secret}',
    data: {
      sessionId: text,
      plan: pro.productName,
      amount: 5,
      billingPeriod: 'monthly',
      kind: 'new',
      dueToday: 5,
      beginsOn: text,
    },
    keep: { session: 'sessionId' },
  },
  { line: 'GET /stripe/session-details?session_id={session}', data: { paymentStatus: 'unpaid' } },
  {
    line: 'POST /sandbox/checkout/{secret}/pay',
    body: {
      cardNumber: '4242 4242 4242 4242',
      expiry: '12/40',
      cvc: '123',
      name: 'Ann Lee',
      billingAddress: '1 Mill Lane',
    },
    data: { sessionId: '{session}', paymentStatus: 'paid' },
  },
  { line: 'GET /stripe/session-details?session_id={session}', data: { paymentStatus: 'paid' } },
  { line: 'GET /subscription/billing', data: [pro] },
  {
    line: 'GET /stripe/invoices?email={annEmail}',
    data: [
      {
        invoiceNo: text,
        plan: pro.productName,
        paymentDate: text,
        amount: 5,
        invoicePdf: text,
        receiptUrl: text,
      },
    ],
  },
  {
    line: 'POST /stripe/update-plan',
    body: { email: '{annEmail}', priceId: '{elite}' },
    data: { clientSecret: null },
  },
  {
    line: 'POST /stripe/cancel-subscription',
    body: { email: '{annEmail}' },
    message: 'Cancelled successfully',
    data: null,
  },
  {
    line: 'GET /subscription/billing',
    data: [{ ...pro, productName: 'Engram - Elite - monthly', amount: 10, status: 'CANCELLED' }],
  },
  {
    line: 'GET /stripe/preview-plan?priceId={pro}',
    data: {
      kind: 'later',
      plan: pro.productName,
      beginsOn: text,
      dueToday: 0,
      price: 0,
      credited: 0,
      balance: 0,
      asOf: text,
    },
  },
  {
    line: 'POST /stripe/resume-subscription',
    body: { email: '{annEmail}' },
    message: 'Your plan continues',
    data: null,
  },
  {
    line: 'GET /subscription/billing',
    data: [{ ...pro, productName: 'Engram - Elite - monthly', amount: 10 }],
  },
];
