import {
  cancelSubscription,
  createCheckoutSession,
  createSubscription,
  getSandboxCheckout,
  getSessionDetails,
  listInvoices,
  paySandboxCheckout,
  previewPlan,
  readPaymentDocument,
  resumeSubscription,
  stripeWebhook,
  updatePlan,
} from '@engram/contract';
import type { FastifyInstance } from 'fastify';
import { HttpError } from '../../platform/http/errors.ts';
import { replyWithFile } from '../../platform/http/file-reply.ts';
import type { Mount } from '../../platform/http/mount.ts';
import type { OriginOf } from '../../platform/http/hosts.ts';
import type { Payments } from './payments.module.ts';

/** @throws HttpError 403 for another address than the caller's. */
function assertOwnEmail(caller: { email: string }, email: string | undefined): void {
  if (email === undefined || email.toLowerCase() === caller.email.toLowerCase()) return;
  const message =
    "This is not your account's email address. You can only pay for your own account.";
  throw new HttpError(403, 'not_own_account', message);
}

export function mountPaymentsRoutes(
  mount: Mount,
  { service, invoices }: Pick<Payments, 'service' | 'invoices'>,
  originOf: OriginOf,
): void {
  for (const route of [createSubscription, createCheckoutSession]) {
    mount(route, async ({ caller, body, request }) => {
      assertOwnEmail(caller, body.email);
      return { data: await service.begin(caller, body.priceId, originOf(request)) };
    });
  }

  mount(updatePlan, async ({ caller, body }) => {
    assertOwnEmail(caller, body.email);
    const asOf = body.asOf === undefined ? undefined : new Date(body.asOf);
    await service.changePlan(caller.userId, body.priceId, asOf);
    return { data: { clientSecret: null } };
  });

  mount(previewPlan, async ({ caller, query }) => ({
    data: await service.preview(caller.userId, query.priceId),
  }));

  mount(resumeSubscription, async ({ caller, body }) => {
    assertOwnEmail(caller, body.email);
    await service.resume(caller.userId);
    return { data: null };
  });

  mount(cancelSubscription, async ({ caller, body }) => {
    assertOwnEmail(caller, body.email);
    await service.cancel(caller.userId);
    return { data: null };
  });

  mount(listInvoices, async ({ caller, query }) => {
    assertOwnEmail(caller, query.email);
    return { data: await invoices.list(caller.userId) };
  });

  mount(getSessionDetails, async ({ caller, query }) => ({
    data: { paymentStatus: await service.sessionDetails(caller.userId, query.session_id) },
  }));

  mount(getSandboxCheckout, async ({ caller, params }) => ({
    data: await service.sandboxCheckout(caller.userId, params.clientSecret),
  }));

  mount(paySandboxCheckout, async ({ caller, params, body }) => ({
    data: await service.paySandbox(caller.userId, params.clientSecret, body),
  }));

  mount(readPaymentDocument, async ({ params, request, reply }) =>
    replyWithFile(request, reply, await invoices.readDocument(params.token)),
  );
}

/** Largest event, in bytes. Invoices with many lines are much smaller. */
const EVENT_BYTES = 262_144;

/** Mounts Stripe's webhook in a scope without body parsers, because its signature covers the raw bytes. */
export async function mountPaymentEvents(
  app: FastifyInstance,
  mountIn: (scope: FastifyInstance) => Mount,
  { service }: Pick<Payments, 'service'>,
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: EVENT_BYTES },
      (_request, body, done) => done(null, body),
    );
    mountIn(scope)(stripeWebhook, async ({ request, reply }) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const { 'stripe-signature': signature } = request.headers;
      await service.receive(body, String(signature ?? ''));
      return reply.type('application/json').send({ received: true });
    });
  });
}
