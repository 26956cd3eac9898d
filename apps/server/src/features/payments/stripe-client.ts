import type { FastifyBaseLogger } from 'fastify';
import { Stripe } from 'stripe';
import { PaymentDeclined, ProviderDown } from './provider.ts';

export interface StripeClientOptions {
  secretKey: string;
  /** Server that speaks Stripe's API instead of Stripe. */
  apiBase: string | undefined;
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>;
  timeoutMs: number;
  /** How often a call is tried again that got no answer. */
  retries: number;
}

export type StripeCalls = ReturnType<typeof createStripeCalls>;

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

/**
 * Makes a call of Stripe's; what went wrong is told in the terms of `PaymentProvider`. Of a failure
 * only its kind is logged: its text and its request may hold what a buyer entered.
 */
export function createStripeCalls(log: StripeClientOptions['log']) {
  return async function call<T>(name: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeError)) throw error;
      const { type, code, statusCode, requestId } = error;
      if (statusCode === 402) throw new PaymentDeclined('Stripe declined.');
      const fields = { call: name, type, code, statusCode, requestId };
      log.error(fields, 'Stripe could not be asked');
      throw new ProviderDown(`Stripe could not be asked: ${name}.`);
    }
  };
}
