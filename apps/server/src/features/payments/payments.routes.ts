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
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { replyWithFile } from '../../platform/http/file-reply.ts';
import type { Mount } from '../../platform/http/mount.ts';
import type { Invoices } from './invoices.ts';
import type { PaymentsService } from './payments.service.ts';

export interface PaymentsRouteOptions {
  /** Address under which people reach the server, where it is set. */
  publicUrl: string | undefined;
}

/** Binds buying, changing and ending plans, and the documents of what was paid. */
export function mountPaymentsRoutes(
  mount: Mount,
  service: PaymentsService,
  invoices: Invoices,
  { publicUrl }: PaymentsRouteOptions,
): void {
  const originOf = ({ protocol, host }: FastifyRequest): string =>
    publicUrl ? publicUrl.replace(/(?<!\/)\/+$/u, '') : `${protocol}://${host}`;

  for (const route of [createSubscription, createCheckoutSession]) {
    mount(route, async ({ caller, body, request }) => {
      service.assertOwn(caller, body.email);
      return { data: await service.begin(caller, body.priceId, originOf(request)) };
    });
  }

  mount(updatePlan, async ({ caller, body }) => {
    service.assertOwn(caller, body.email);
    await service.changePlan(
      caller,
      body.priceId,
      body.asOf === undefined ? undefined : new Date(body.asOf),
    );
    return { data: { clientSecret: null } };
  });

  mount(previewPlan, async ({ caller, query }) => ({
    data: await service.preview(caller, query.priceId),
  }));

  mount(resumeSubscription, async ({ caller, body }) => {
    service.assertOwn(caller, body.email);
    await service.resume(caller);
    return { data: null };
  });

  mount(cancelSubscription, async ({ caller, body }) => {
    service.assertOwn(caller, body.email);
    await service.cancel(caller);
    return { data: null };
  });

  mount(listInvoices, async ({ caller, query }) => {
    service.assertOwn(caller, query.email);
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

/** Largest event, in bytes: an invoice with many lines is far below it. */
const EVENT_BYTES = 262_144;

/**
 * Binds the call that Stripe makes. Its signature is over the bytes as they came, so that it gets
 * them unread, and lives in a scope of its own.
 */
export async function mountPaymentEvents(
  app: FastifyInstance,
  mountIn: (scope: FastifyInstance) => Mount,
  service: PaymentsService,
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
