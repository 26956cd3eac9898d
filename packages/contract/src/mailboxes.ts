import { z } from 'zod';
import { count, id, timestamp } from './values.ts';
import { defineRoute } from './route.ts';

const line = (label: string, max: number) =>
  z
    .string({ error: `Please enter ${label}.` })
    .trim()
    .min(1, { error: `Please enter ${label}.` })
    .max(max, { error: `Please enter at most ${max} characters.` })
    .regex(/^\P{Cc}*$/u, { error: 'Line breaks and control characters are not allowed.' });

const mailboxSecurity = z.enum([
  'tls',
  'starttls',
  /** For servers on a network that the operator allows. */
  'none',
]);
export type MailboxSecurity = z.output<typeof mailboxSecurity>;

/** The action on a stored message in the mailbox. */
export const afterStoring = z.enum(['leave', 'read', 'move']);
export type AfterStoring = z.output<typeof afterStoring>;

export const mailbox = z.object({
  id,
  host: z.string(),
  port: z.number().int(),
  security: mailboxSecurity,
  username: z.string(),
  folder: z.string(),
  afterStoring,
  moveTo: z.string().nullable(),
  paused: z.boolean(),
  /** True if the operator set it in ENGRAM_MAIL_IN. It can only be paused and checked. */
  fromSetting: z.boolean(),
  /** True while it is being checked or is queued. */
  checking: z.boolean(),
  checkedAt: timestamp.nullable(),
  /** Why the last check ended early, as a sentence. */
  error: z.string().nullable(),
  /** Messages that are stored. */
  stored: count,
  skipped: count,
  createdDate: timestamp,
});
export type Mailbox = z.output<typeof mailbox>;

const skippedMessage = z.object({
  id: z.string(),
  subject: z.string(),
  sentAt: timestamp.nullable(),
  /** Why it was not stored, as a sentence. */
  reason: z.string(),
});

const password = z
  .string({ error: 'Please enter the password.' })
  .min(1, { error: 'Please enter the password.' })
  .max(1000, { error: 'A password can have at most 1000 characters.' })
  .regex(/^[^\0\r\n]*$/u, { error: 'A password has no line breaks.' });

const moveTo = line('the folder to move messages to', 500).nullish();

const ofMailbox = { params: z.object({ id }), errors: { 404: 'No such mailbox.' } } as const;

export const listMailboxes = defineRoute('GET /mailboxes', {
  summary: "The caller's mailboxes, newest first",
  data: z.array(mailbox),
});

export const addMailbox = defineRoute('POST /mailboxes', {
  summary: 'Add a folder of an IMAP server, once it can be opened; its messages become files',
  body: z.object({
    host: line('the server', 253).regex(/^[^\s/@?#]+$/u, { error: 'This is not a host name.' }),
    port: z
      .number({ error: 'Please enter the port.' })
      .int({ error: 'A port is a whole number.' })
      .min(1, { error: 'A port is at least 1.' })
      .max(65_535, { error: 'A port is at most 65535.' }),
    security: mailboxSecurity,
    username: line('the user name', 320),
    password,
    folder: line('the folder', 500),
    afterStoring,
    moveTo,
  }),
  data: mailbox,
  notRepeatable: true,
  errors: {
    409: 'The caller has this mailbox, or as many as one user may have.',
    422: 'The folder cannot be opened.',
  },
});

export const changeMailbox = defineRoute('PUT /mailboxes/{id}', {
  params: ofMailbox.params,
  summary: 'Change the password of a mailbox, or the action on stored messages',
  body: z.object({ password: password.optional(), afterStoring, moveTo }),
  data: mailbox,
  errors: {
    404: 'No such mailbox.',
    409: 'The operator set this mailbox.',
    422: 'The folder cannot be opened.',
  },
});

export const pauseMailbox = defineRoute('PUT /mailboxes/{id}/paused', {
  ...ofMailbox,
  summary: 'Pause a mailbox, or resume it',
  body: z.object({ paused: z.boolean() }),
  data: mailbox,
});

export const checkMailbox = defineRoute('POST /mailboxes/{id}/check', {
  ...ofMailbox,
  summary: 'Read the new messages of a mailbox now',
  data: mailbox,
  errors: { 404: 'No such mailbox.', 409: 'The mailbox is paused.' },
});

export const listSkippedMessages = defineRoute('GET /mailboxes/{id}/skipped', {
  ...ofMailbox,
  summary: 'The last 100 messages of a mailbox that were not stored, newest first',
  data: z.array(skippedMessage),
});

export const deleteMailbox = defineRoute('DELETE /mailboxes/{id}', {
  params: ofMailbox.params,
  summary: 'Remove a mailbox with its password; its files stay',
  data: z.null(),
  errors: { 404: 'No such mailbox.', 409: 'The operator set this mailbox.' },
});
