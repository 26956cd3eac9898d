import { z } from 'zod';
import { defineRoute } from './route.ts';
import { id, listQuery, timestamp } from './values.ts';

const securityEventKind = z.enum([
  'sign_in',
  /** A wrong code, or a provider that did not confirm the user. */
  'sign_in_failed',
  /** Too many wrong codes, so that sign-in from unknown devices is blocked for a while. */
  'locked_out',
  /** A new code confirmed the user. */
  'confirmed',
  'confirm_failed',
  'session_ended',
  /** A replaced session cookie was used again. It may be stolen, so the session was ended. */
  'session_copied',
  'passkey_added',
  'passkey_removed',
  'key_made',
  'key_revoked',
  'app_connected',
  /** Disconnected by the user or the app, or because a token was used twice. */
  'app_ended',
  'webhook_added',
  'webhook_secret_rotated',
  'webhook_removed',
  /** Disabled by Engram, because the address responded with 410 or all deliveries failed for days. */
  'webhook_disabled',
  'mailbox_added',
  'mailbox_changed',
  'mailbox_removed',
  'export_link_made',
  'export_started',
  'deletion_asked',
  'deletion_done',
]);
export type SecurityEventKind = z.output<typeof securityEventKind>;

const securityEvent = z.object({
  id,
  at: timestamp,
  kind: securityEventKind,
  ip: z.string().nullable(),
  /** The name that the device reports, or null. */
  device: z.string().nullable(),
  /** The name of the connected app, device or passkey, or the host of the webhook or mailbox. */
  app: z.string().nullable(),
});
export type SecurityEvent = z.output<typeof securityEvent>;

export const listSecurityEvents = defineRoute('GET /security/events', {
  summary: 'Security events of the account in the last 90 days, newest first',
  list: true,
  query: listQuery.omit({ q: true }),
  data: z.array(securityEvent),
});
