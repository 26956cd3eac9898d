import type { FastifyBaseLogger } from 'fastify';
import { Stripe } from 'stripe';
import { PaymentDeclined, type PaymentProvider, ProviderDown } from './provider.ts';

export interface StripeClientOptions {
  secretKey: string;
  /** Server that speaks Stripe's API instead of Stripe. */
  apiBase: string | undefined;
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>;
  timeoutMs: number;
  /** How often a call is tried again that got no answer. */
  retries: number;
}

/** Stripe's library for a server that speaks Stripe's API. */
export function createStripeClient(options: StripeClientOptions): Stripe {
  const base = options.apiBase ? new URL(options.apiBase) : null;
  return new Stripe(options.secretKey, {
    ...(base
      ? {
          host: base.hostname,
          port: base.port || (base.protocol === 'https:' ? 443 : 80),
          protocol: base.protocol === 'https:' ? 'https' : 'http',
        }
      : {}),
    timeout: options.timeoutMs,
    maxNetworkRetries: options.retries,
    telemetry: false,
  });
}

/** Whether what was asked for is not there. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError &&
  (error.code === 'resource_missing' || error.statusCode === 404);

/** Whether Stripe does not do what was asked for, as things stand. */
export const isRefused = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 400;

/** Whether the buyer's bank or card said no. */
export const isDeclined = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeError && error.statusCode === 402;

/** What went wrong with Stripe in the terms of `PaymentProvider`; anything else as it is. */
function told(error: unknown, call: string, log: StripeClientOptions['log']): unknown {
  if (isDeclined(error)) return new PaymentDeclined('Stripe declined.');
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  const { type, code, statusCode, requestId } = error;
  // Only its kind: its text and its request may hold what a buyer entered.
  log.error({ call, type, code, statusCode, requestId }, 'Stripe could not be asked');
  return new ProviderDown(`Stripe could not be asked: ${call}.`);
}

/** A provider whose calls fail in the terms of `PaymentProvider`. */
export function tellStripe(
  provider: PaymentProvider,
  log: StripeClientOptions['log'],
): PaymentProvider {
  return new Proxy(provider, {
    get(target, name, receiver) {
      const call: unknown = Reflect.get(target, name, receiver);
      if (typeof call !== 'function' || name === 'describe') return call;
      return async (...given: unknown[]): Promise<unknown> => {
        try {
          return await call(...given);
        } catch (error) {
          throw told(error, String(name), log);
        }
      };
    },
  });
}
