import { z } from 'zod';
import { defineRoute } from './route.ts';
import { ledgerEntry } from './subscription.ts';
import { count, id, listQuery, timestamp } from './values.ts';

const admins = {
  auth: 'admin',
  kind: 'json',
  list: true,
  errors: { 403: 'Only admins may do this.' },
} as const;

/** Who somebody is, as admins see them. */
const person = z.object({ id, email: z.string() });

export const listEmails = defineRoute('GET /user/profile/emails', {
  ...admins,
  id: 'admin.listEmails',
  summary: 'Everybody, by address',
  /** `q` is looked for in the address, in any case. */
  query: listQuery,
  data: z.array(person),
});

export const adminUser = person.extend({
  name: z.string().nullable(),
  role: z.enum(['USER', 'ADMIN']),
  createdDate: timestamp,
  /** Name of the plan. */
  plan: z.string(),
  status: z.enum(['Active', 'Cancelled', 'Expired']),
  credit: z.number().int(),
  files: count,
  /** Bytes that the files take. */
  stored: z.number().nonnegative(),
});
export type AdminUser = z.output<typeof adminUser>;

export const listUsers = defineRoute('GET /admin/users', {
  ...admins,
  id: 'admin.listUsers',
  summary: 'Everybody with their plan, credits and files, the newest first',
  /** `q` is looked for in address and name, in any case. */
  query: listQuery,
  data: z.array(adminUser),
});

export const auditEntry = z.object({
  id,
  createdDate: timestamp,
  /** Who did it; null where their account is gone. */
  actor: person.nullable(),
  action: z.enum(['credits.add', 'users.list', 'audit.list', 'ledger.list']),
  /** Whom it was done to; null where it was nobody, or their account is gone. */
  subject: person.nullable(),
  /** What was done, as a sentence without names. */
  details: z.string(),
});
export type AuditEntry = z.output<typeof auditEntry>;

export const listAudit = defineRoute('GET /admin/audit', {
  ...admins,
  id: 'admin.listAudit',
  summary: 'What admins did, newest first',
  query: listQuery.omit({ q: true }),
  data: z.array(auditEntry),
});

export const adminLedgerEntry = ledgerEntry.extend({
  /** Whose credits changed; null where the account is on its way out. */
  email: z.string().nullable(),
});
export type AdminLedgerEntry = z.output<typeof adminLedgerEntry>;

export const listAllLedger = defineRoute('GET /admin/ledger', {
  ...admins,
  id: 'admin.listAllLedger',
  summary: 'Every change of credits, newest first',
  query: listQuery.omit({ q: true }).extend({ userId: id.optional() }),
  data: z.array(adminLedgerEntry),
});
