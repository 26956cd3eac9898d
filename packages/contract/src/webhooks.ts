import { z } from 'zod';
import { WEBHOOK_DESCRIPTION_LIMIT } from './limits.ts';
import { count, id, listQuery, timestamp } from './values.ts';
import { defineRoute } from './route.ts';

const webhookEvent = z.enum(['file.ready', 'file.failed', 'question.answered']);
export type WebhookEvent = z.output<typeof webhookEvent>;

const webhookState = z.enum([
  'active',
  'paused',
  /** Disabled, because the address answered 410. */
  'gone',
  /** Disabled, because all deliveries failed for days. */
  'failing',
]);
export type WebhookState = z.output<typeof webhookState>;

export const webhook = z.object({
  id,
  url: z.string(),
  events: z.array(webhookEvent),
  description: z.string().nullable(),
  state: webhookState,
  /** The first failure since the last success; null if the last delivery succeeded. */
  failingSince: timestamp.nullable(),
  createdDate: timestamp,
});
export type Webhook = z.output<typeof webhook>;

const secret = z
  .string()
  .describe('The key of the signatures: `whsec_` and base64. Only this response has it.');

const webhookDelivery = z.object({
  /** Also the `webhook-id`, the same at each attempt. */
  id,
  type: z.enum([...webhookEvent.options, 'webhook.test']),
  createdDate: timestamp,
  state: z.enum(['waiting', 'delivered', 'failed']),
  attempts: count,
  attemptedAt: timestamp.nullable(),
  /** The HTTP status of the last attempt; null if there was no response. */
  status: z.number().int().nullable(),
  /** Why it failed, as a sentence, if the status does not show it. */
  error: z.string().nullable(),
  nextAttemptAt: timestamp.nullable(),
});
export type WebhookDelivery = z.output<typeof webhookDelivery>;

const ofWebhook = { params: z.object({ id }), errors: { 404: 'No such webhook.' } } as const;

export const listWebhooks = defineRoute('GET /webhooks', {
  summary: "The caller's webhooks, newest first",
  data: z.array(webhook),
});

export const addWebhook = defineRoute('POST /webhooks', {
  fresh: true,
  summary: 'Add a webhook. Only this response shows its secret.',
  body: z.object({
    url: z
      .string({ error: 'Please enter a web address.' })
      .trim()
      .min(1, { error: 'Please enter a web address.' })
      .max(2000, { error: 'A web address can have at most 2000 characters.' }),
    events: z
      .array(webhookEvent)
      .min(1, { error: 'Please choose at least one event.' })
      .max(webhookEvent.options.length),
    description: z
      .string()
      .trim()
      .max(WEBHOOK_DESCRIPTION_LIMIT, {
        error: `A description can have at most ${WEBHOOK_DESCRIPTION_LIMIT} characters.`,
      })
      .nullish(),
  }),
  data: webhook.extend({ secret }),
  notRepeatable: true,
  errors: { 409: 'The user has the maximum number of webhooks.' },
});

export const pauseWebhook = defineRoute('PUT /webhooks/{id}', {
  ...ofWebhook,
  summary: 'Pause a webhook, or resume one that is paused or disabled',
  body: z.object({ paused: z.boolean() }),
  data: webhook,
});

export const rotateWebhookSecret = defineRoute('POST /webhooks/{id}/secret', {
  ...ofWebhook,
  fresh: true,
  summary: 'Replace the secret of a webhook. The old one stays valid for 24 hours.',
  data: webhook.extend({ secret }),
  notRepeatable: true,
});

export const testWebhook = defineRoute('POST /webhooks/{id}/test', {
  ...ofWebhook,
  summary: 'Send a test event, once',
  data: webhookDelivery,
  notRepeatable: true,
});

export const listWebhookDeliveries = defineRoute('GET /webhooks/{id}/deliveries', {
  ...ofWebhook,
  summary: 'The last deliveries of a webhook, newest first: at most 100, of the last 30 days',
  query: listQuery.omit({ q: true }),
  data: z.array(webhookDelivery),
  list: true,
});

export const resendWebhookDelivery = defineRoute(
  'POST /webhooks/{id}/deliveries/{deliveryId}/resend',
  {
    summary: 'Send a delivery again now',
    params: z.object({ id, deliveryId: id }),
    data: webhookDelivery,
    errors: { 404: 'No such delivery.' },
    notRepeatable: true,
  },
);

export const deleteWebhook = defineRoute('DELETE /webhooks/{id}', {
  ...ofWebhook,
  summary: 'Remove a webhook with its deliveries',
  data: z.null(),
});
