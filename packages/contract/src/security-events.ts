import { z } from 'zod';
import { defineRoute, userCall } from './route.ts';
import { id, listQuery, timestamp } from './values.ts';

/** What can happen to the safety of an account. */
export const securityEventKind = z.enum([
  'sign_in',
  /** A wrong code, or a provider that did not vouch; by anybody. */
  'sign_in_failed',
  /** Too many wrong codes were entered for the address: strangers are kept out for a while. */
  'locked_out',
  /** A fresh code confirmed who is signed in. */
  'confirmed',
  'confirm_failed',
  'session_ended',
  /** A session's cookie was shown again after it was replaced: somebody copied it, and it was ended. */
  'session_copied',
  'key_made',
  'key_revoked',
  'app_connected',
  /** A program was ended by the person, gave its access back, or used what was used before. */
  'app_ended',
  'export_link_made',
  'export_started',
  'deletion_asked',
  'deletion_done',
]);
export type SecurityEventKind = z.output<typeof securityEventKind>;

export const securityEvent = z.object({
  id,
  at: timestamp,
  kind: securityEventKind,
  /** Where the call came from. */
  ip: z.string().nullable(),
  /** What the call came from, as it said itself; null where it did not. */
  device: z.string().nullable(),
  /** The name of the connected app or device that it is about; null for other events. */
  app: z.string().nullable(),
});
export type SecurityEvent = z.output<typeof securityEvent>;

export const listSecurityEvents = defineRoute('GET /security/events', {
  id: 'securityEvents.listSecurityEvents',
  summary: 'What happened to the safety of the account in the last 90 days, newest first',
  ...userCall,
  list: true,
  query: listQuery.omit({ q: true }),
  data: z.array(securityEvent),
});
