import { HttpError, tooManyRequests } from '../../platform/http/errors.ts';

export const foreignAddress = (): HttpError =>
  new HttpError(
    403,
    'not_own_account',
    'This is not the address of your account. You can only pay for your own.',
  );

export const planNotFound = (): HttpError =>
  new HttpError(404, 'plan_not_found', 'There is no such plan to buy.');

export const alreadyRunning = (): HttpError =>
  new HttpError(
    409,
    'plan_running',
    'You have a paid plan already. Please change it, or cancel it first.',
  );

export const nothingRunning = (): HttpError =>
  new HttpError(409, 'no_plan_running', 'You have no paid plan that is running.');

export const goesOnAlready = (): HttpError =>
  new HttpError(409, 'plan_goes_on', 'Your plan goes on already: there is nothing to take back.');

export const paymentsOff = (): HttpError =>
  new HttpError(
    503,
    'payments_off',
    'Plans are not sold on this server: whoever runs it has set up no payments.',
  );

export const samePlan = (): HttpError =>
  new HttpError(409, 'same_plan', 'You have this plan already.');

export const planBusy = (): HttpError =>
  new HttpError(
    409,
    'plan_busy',
    'Your plan is being changed at this very moment. Please wait a minute, and look at it again.',
  );

export const declined = (): HttpError =>
  new HttpError(
    402,
    'payment_declined',
    'The payment was declined, and your plan has not changed. Please ask your bank, or pay with another card.',
  );

export const providerDown = (): HttpError =>
  new HttpError(
    503,
    'payments_down',
    'The payment provider cannot be reached right now. Please try again in a few minutes.',
  );

export const priceNotSold = (): HttpError =>
  new HttpError(
    503,
    'price_not_sold',
    'This plan cannot be bought at the moment. Nothing was charged. Please choose another one, or contact support.',
  );

/** @param wait Seconds. */
export const tooManyPayments = (wait: number): HttpError =>
  tooManyRequests('Too many payments are being begun or looked at. Please wait a moment.', wait);

export const checkoutNotFound = (): HttpError =>
  new HttpError(404, 'checkout_not_found', 'There is no such checkout.');

export const checkoutDone = (): HttpError =>
  new HttpError(409, 'checkout_paid', 'This checkout is paid already.');

export const checkoutExpired = (): HttpError =>
  new HttpError(
    409,
    'checkout_expired',
    'This checkout has expired. Please choose your plan once more.',
  );

export const badCard = (message: string): HttpError => new HttpError(400, 'bad_card', message);

export const noWebhook = (): HttpError =>
  new HttpError(404, 'no_payment_provider', 'No payment provider is set on this server.');

export const badSignature = (): HttpError =>
  new HttpError(400, 'bad_signature', 'The signature of the event is not valid.');

export const documentNotFound = (): HttpError =>
  new HttpError(404, 'document_not_found', 'There is no such document.');

export const documentLinkExpired = (): HttpError =>
  new HttpError(
    410,
    'link_expired',
    'The link has expired. Please open the document from your invoices once more.',
  );
