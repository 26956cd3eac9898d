import type { FastifyBaseLogger } from 'fastify';
import { Stripe } from 'stripe';
import { PaymentDeclined, type PaymentProvider, ProviderDown } from './provider.ts';

type Log = Pick<FastifyBaseLogger, 'warn' | 'error'>;

const isMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError &&
  (error.code === 'resource_missing' || error.statusCode === 404);

export const orNull = <T>(call: Promise<T>): Promise<T | null> =>
  call.catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });

/** Whether Stripe refuses a call in the current state. */
export const isRefused = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 400;

export const isDeclined = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeError && error.statusCode === 402;

function toProviderError(error: unknown, call: string, log: Log): unknown {
  if (isDeclined(error)) return new PaymentDeclined();
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  const { type, code, statusCode, requestId } = error;
  // Not its message or request, which may have what a user entered.
  log.error({ call, type, code, statusCode, requestId }, 'Stripe could not be asked');
  return new ProviderDown();
}

export function withProviderErrors(provider: PaymentProvider, log: Log): PaymentProvider {
  return new Proxy(provider, {
    get(target, name, receiver) {
      const call: unknown = Reflect.get(target, name, receiver);
      if (typeof call !== 'function' || name === 'describe') return call;
      return async (...given: unknown[]): Promise<unknown> => {
        try {
          return await call(...given);
        } catch (error) {
          throw toProviderError(error, String(name), log);
        }
      };
    },
  });
}
