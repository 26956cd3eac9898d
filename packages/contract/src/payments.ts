import { z } from 'zod';
import { defineRoute, signedFile } from './route.ts';
import { email, timestamp } from './values.ts';

const noChoice = { error: 'Please choose a plan.' };
const priceId = z.string(noChoice).trim().min(1, noChoice).max(200);
/** The user's own address. Others are rejected. */
const ownEmail = email.optional();

const notOwnAddress = 'The address is not the caller’s own.';
const noPlan = 'No such plan.';
const down = 'The payment provider cannot be reached, or plans are not sold on this server.';

const alreadyRunning = 'A paid plan is running and will renew: change it instead.';

/** Opens the embedded checkout. */
const checkout = z.object({ clientSecret: z.string() });

const purchase = {
  body: z.object({ email: ownEmail, priceId }),
  data: checkout,
  errors: { 403: notOwnAddress, 404: noPlan, 409: alreadyRunning, 503: down },
} as const;

export const createSubscription = defineRoute('POST /stripe/create-subscription', {
  ...purchase,
  summary: 'Start buying a plan',
});

export const createCheckoutSession = defineRoute('POST /stripe/create-checkout-session', {
  ...purchase,
  summary: 'Start buying a plan, by its price ID',
});

export const updatePlan = defineRoute('POST /stripe/update-plan', {
  summary:
    'Change a plan: immediately to a more expensive or longer one, otherwise at the end of the period',
  body: z.object({
    email: ownEmail,
    priceId,
    /** The time of the preview, up to an hour ago. */
    asOf: timestamp.max(40).optional(),
  }),
  /** Null if the plan has changed without further confirmation. */
  data: z.object({ clientSecret: z.string().nullable() }),
  errors: {
    402: 'The payment was declined.',
    403: notOwnAddress,
    404: noPlan,
    409: 'No paid plan is running, or it is already this one.',
    503: down,
  },
});

const planChange = z.object({
  /**
   * new: a checkout, starts at once. upgrade: more expensive or longer, starts at once. later:
   * cheaper or shorter, starts when the current plan ends. resume: undoes a cancellation.
   */
  kind: z.enum(['new', 'upgrade', 'later', 'resume']),
  plan: z.string(),
  beginsOn: timestamp,
  /** Charged on confirmation, in US dollars. */
  dueToday: z.number(),
  /** The price, or its share of the current period. */
  price: z.number(),
  /** The unused part of the current plan and an earlier balance. */
  credited: z.number(),
  /** What remains for later payments. */
  balance: z.number(),
  /** The time of this preview. */
  asOf: timestamp,
});
export type PlanChange = z.output<typeof planChange>;

export const previewPlan = defineRoute('GET /stripe/preview-plan', {
  summary: 'Preview the effects of choosing a plan, and the amount due today',
  query: z.object({ priceId }),
  data: planChange,
  errors: { 404: noPlan, 409: 'This is the current plan, and it will renew.', 503: down },
});

export const resumeSubscription = defineRoute('POST /stripe/resume-subscription', {
  summary: 'Resume a plan that was cancelled or was to be followed by another plan',
  body: z.object({ email: ownEmail }),
  data: z.null(),
  message: 'Your plan continues',
  errors: { 403: notOwnAddress, 409: 'There is nothing to resume.', 503: down },
});

export const cancelSubscription = defineRoute('POST /stripe/cancel-subscription', {
  summary: 'Cancel a paid plan at the end of the paid period',
  body: z.object({ email: ownEmail }),
  data: z.null(),
  message: 'Cancelled successfully',
  errors: { 403: notOwnAddress, 409: 'No paid plan is running.', 503: down },
});

export const invoice = z.object({
  invoiceNo: z.string(),
  /** Such as 'Engram - Pro - monthly'. */
  plan: z.string(),
  paymentDate: timestamp,
  /** US dollars. */
  amount: z.number(),
  /** Links that need no token for a while; null without such a document. */
  invoicePdf: z.string().nullable(),
  receiptUrl: z.string().nullable(),
});
export type Invoice = z.output<typeof invoice>;

export const listInvoices = defineRoute('GET /stripe/invoices', {
  summary: "The caller's invoices, newest first",
  query: z.object({ email: ownEmail }),
  data: z.array(invoice),
  errors: { 403: notOwnAddress, 503: down },
});

const missingSession = { error: 'The session_id of the checkout is missing.' };

export const getSessionDetails = defineRoute('GET /stripe/session-details', {
  summary: 'Whether a checkout was paid. Asks the payment provider if needed.',
  query: z.object({ session_id: z.string(missingSession).trim().min(1, missingSession).max(300) }),
  data: z.object({ paymentStatus: z.enum(['paid', 'unpaid', 'no_payment_required']) }),
  errors: { 404: 'No such checkout.', 503: down },
});

export const stripeWebhook = defineRoute('POST /stripe/webhook', {
  summary: 'Receive signed events of the payment provider',
  auth: 'public',
  kind: 'text',
  mediaType: 'application/json',
  errors: { 404: 'No payment provider is set.' },
});

const sandboxOnly = { 404: 'No such checkout.' } as const;

export const sandboxCheckout = z.object({
  sessionId: z.string(),
  plan: z.string(),
  /** US dollars. */
  amount: z.number(),
  billingPeriod: z.string(),
  ...planChange.pick({ kind: true, dueToday: true, beginsOn: true }).shape,
});
export type SandboxCheckout = z.output<typeof sandboxCheckout>;

export const getSandboxCheckout = defineRoute('GET /sandbox/checkout/{clientSecret}', {
  summary: 'The contents of a sandbox checkout',
  params: z.object({ clientSecret: z.string().max(300) }),
  data: sandboxCheckout,
  errors: sandboxOnly,
});

export const paySandboxCheckout = defineRoute('POST /sandbox/checkout/{clientSecret}/pay', {
  summary: 'Pay a sandbox checkout with a test card, without real money',
  params: z.object({ clientSecret: z.string().max(300) }),
  body: z.object({
    cardNumber: z.string().trim().max(30),
    /** MM/YY. */
    expiry: z.string().trim().max(7),
    cvc: z.string().trim().max(4),
    name: z.string().trim().max(100).default(''),
    billingAddress: z.string().trim().max(300).default(''),
  }),
  data: z.object({ sessionId: z.string(), paymentStatus: z.enum(['paid', 'unpaid']) }),
  errors: { ...sandboxOnly, 409: 'The checkout is already paid, or has expired.' },
});

export const readPaymentDocument = defineRoute('GET /payments/documents/{token}', {
  summary: 'The invoice or receipt behind a signed link, as a PDF',
  ...signedFile,
  errors: { 404: 'No such document.', 410: 'The link has expired.' },
});
