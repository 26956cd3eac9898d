import { z } from 'zod';
import { defineRoute } from './route.ts';
import { ledgerEntry } from './subscription.ts';
import { count, id, listQuery, timestamp } from './values.ts';

const admins = {
  auth: 'admin',
  list: true,
  errors: { 403: 'Only admins may do this.' },
} as const;

const userReference = z.object({ id, email: z.string() });

export const listEmails = defineRoute('GET /user/profile/emails', {
  ...admins,
  summary: 'All users, by address',
  /** `q` searches the address, ignoring case. */
  query: listQuery,
  data: z.array(userReference),
});

const adminUser = userReference.extend({
  name: z.string().nullable(),
  role: z.enum(['USER', 'ADMIN']),
  createdDate: timestamp,
  plan: z.string(),
  status: z.enum(['Active', 'Cancelled', 'Expired']),
  credit: z.number().int(),
  files: count,
  /** In bytes. */
  stored: z.number().nonnegative(),
});
export type AdminUser = z.output<typeof adminUser>;

export const listUsers = defineRoute('GET /admin/users', {
  ...admins,
  summary: 'All users with their plan, credits and files, newest first',
  /** `q` searches address and name, ignoring case. */
  query: listQuery,
  data: z.array(adminUser),
});

const auditEntry = z.object({
  id,
  createdDate: timestamp,
  /** Null if the account was deleted. */
  actor: userReference.nullable(),
  action: z.enum(['credits.add', 'users.list', 'audit.list', 'ledger.list']),
  /** The affected user. Null if no user was affected or the account was deleted. */
  subject: userReference.nullable(),
  /** A sentence without names. */
  details: z.string(),
});
export type AuditEntry = z.output<typeof auditEntry>;

export const listAudit = defineRoute('GET /admin/audit', {
  ...admins,
  summary: 'Actions of admins, newest first',
  query: listQuery.omit({ q: true }),
  data: z.array(auditEntry),
});

const adminLedgerEntry = ledgerEntry.extend({
  /** Null while the account is being deleted. */
  email: z.string().nullable(),
});
export type AdminLedgerEntry = z.output<typeof adminLedgerEntry>;

export const listAllLedger = defineRoute('GET /admin/ledger', {
  ...admins,
  summary: 'All changes of credits, newest first',
  query: listQuery.omit({ q: true }).extend({ userId: id.optional() }),
  data: z.array(adminLedgerEntry),
});
