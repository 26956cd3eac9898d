import { randomUUID } from 'node:crypto';
import {
  addMailbox,
  type BodyOf,
  changeMailbox,
  checkMailbox,
  deleteMailbox,
  listMailboxes,
  listSkippedMessages,
  type Mailbox,
  MAILBOX_LIMIT,
  pauseMailbox,
} from '@engram/contract';
import { and, desc, eq, isNotNull, type SQL, sql } from 'drizzle-orm';
import { assertUserWithin } from '../../platform/http/networks.ts';
import type { Core } from '../../composition/core.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { lockName } from '../../platform/database/sql.ts';
import { HttpError, limitReached } from '../../platform/http/errors.ts';
import { reachOf } from '../../platform/http/guarded-fetch.ts';
import type { Mount } from '../../platform/http/mount.ts';
import { type MailAccount, openImapFolder } from './imap-folder.ts';
import { createMailboxChecks, type MailboxServices } from './mailbox-checks.ts';
import { mailboxes, mailboxMessages, type MailboxRow } from './mailbox.tables.ts';

const TEST_TIMEOUT_MS = 30_000;
const MAX_SKIPPED_SHOWN = 100;
/** Connections per user, so that nobody can try passwords on other servers. */
const MANUAL_RATE = { perSecond: 0.1, burst: 10 };

const mailboxNotFound = (): HttpError =>
  new HttpError(404, 'mailbox_not_found', 'There is no such mailbox.');

const setByOperator = (): HttpError =>
  new HttpError(409, 'set_by_operator', 'The operator of this server has set this mailbox.');

/** @throws HttpError 400 if messages cannot be moved there */
function targetOf(
  { afterStoring, moveTo }: Pick<BodyOf<typeof changeMailbox>, 'afterStoring' | 'moveTo'>,
  folder: string,
): string | null {
  if (afterStoring !== 'move') return null;
  if (moveTo && moveTo !== folder) return moveTo;
  throw new HttpError(400, 'folder_needed', 'Please enter another folder to move messages to.');
}

/** IMAP folders of users, whose messages become files. */
export function createMailboxService(core: Core, services: MailboxServices) {
  const { config, storage, limits, securityEvents, now, version } = core;
  const { database } = storage;
  const { db } = database;
  const checks = createMailboxChecks(core, services);
  const manualLimit = limits.limitOf('mailbox checks', MANUAL_RATE);

  const isOwn = (userId: string, id: string) =>
    and(eq(mailboxes.id, id), eq(mailboxes.userId, userId));

  const messagesWhere = (condition: SQL) =>
    sql<number>`(SELECT count(*)::int FROM mailbox_messages AS message
      WHERE message.mailbox_id = ${mailboxes.id} AND ${condition})`;

  const listWhere = async (userId: string, where?: SQL): Promise<Mailbox[]> => {
    const rows = await db
      .select({
        row: mailboxes,
        stored: messagesWhere(sql`message.skipped IS NULL`),
        skipped: messagesWhere(sql`message.skipped IS NOT NULL`),
      })
      .from(mailboxes)
      .where(and(eq(mailboxes.userId, userId), where))
      .orderBy(desc(mailboxes.createdAt), desc(mailboxes.id));
    const checking = await checks.unfinished(userId);
    return rows.map(({ row, stored, skipped }) => {
      const { id, host, port, security, username, folder, afterStoring, moveTo } = row;
      const { paused, password, checkedAt, error, createdAt } = row;
      const shown = { id, host, port, security, username, folder, afterStoring, moveTo };
      return {
        ...shown,
        paused,
        error,
        fromSetting: password === null,
        checking: checking.has(row.id),
        checkedAt: checkedAt?.toISOString() ?? null,
        stored,
        skipped,
        createdDate: createdAt.toISOString(),
      };
    });
  };

  const show = async (userId: string, id: string): Promise<Mailbox> => {
    const [shown] = await listWhere(userId, eq(mailboxes.id, id));
    if (!shown) throw mailboxNotFound();
    return shown;
  };

  const find = async (userId: string, id: string): Promise<MailboxRow> => {
    const [row] = await db.select().from(mailboxes).where(isOwn(userId, id));
    if (!row) throw mailboxNotFound();
    return row;
  };

  const assertMayConnect = (userId: string): Promise<void> =>
    assertUserWithin(
      manualLimit,
      userId,
      'You are checking mailboxes too often. Please wait a moment.',
    );

  /** @throws HttpError 400 or 422 with a message for the user if the folder cannot be opened */
  const assertOpens = async (account: MailAccount): Promise<void> => {
    const { host, security } = account;
    if (security === 'none') {
      // Opening the folder refuses unknown and private hosts.
      const reach = await reachOf({ hostname: host }, config.fetchAllow).catch(() => null);
      if (reach === 'open') {
        const message =
          'The password would be sent unencrypted over the internet. Please choose TLS or STARTTLS.';
        throw new HttpError(400, 'encryption_needed', message);
      }
    }
    const signal = AbortSignal.timeout(TEST_TIMEOUT_MS);
    try {
      (await openImapFolder(account, { version, guard: checks.guard, signal })).close();
    } catch (error) {
      if (!signal.aborted) throw error;
      throw new HttpError(422, 'too_slow', `${host} takes too long to answer.`);
    }
  };

  return {
    routes(mount: Mount): void {
      mount(listMailboxes, async ({ caller }) => ({ data: await listWhere(caller.userId) }));
      mount(addMailbox, async ({ caller, body: { password, ...fields }, ip }) => {
        const { userId } = caller;
        const account = {
          ...fields,
          host: fields.host.toLowerCase(),
          moveTo: targetOf(fields, fields.folder),
        };
        await assertMayConnect(userId);
        await assertOpens({ ...account, password });
        const id = randomUUID();
        await database.transaction(async (tx) => {
          await lockName(tx, `mailboxes:${userId}`);
          if ((await tx.$count(mailboxes, eq(mailboxes.userId, userId))) >= MAILBOX_LIMIT) {
            throw limitReached('too_many_mailboxes', MAILBOX_LIMIT, 'mailboxes');
          }
          const encrypted = checks.encrypt(password, id);
          const row = { id, userId, ...account, password: encrypted, createdAt: now() };
          const added = await tx.insert(mailboxes).values(row).onConflictDoNothing().returning();
          if (added.length === 0) {
            throw new HttpError(409, 'mailbox_exists', 'You have already added this folder.');
          }
          await checks.enqueue(userId, id, tx);
        });
        const data = await show(userId, id);
        await securityEvents.by('mailbox_added', caller, ip, data.host);
        return { data };
      });
      mount(changeMailbox, async ({ caller, params: { id }, body: fields, ip }) => {
        const { userId } = caller;
        const row = await find(userId, id);
        if (row.password === null) throw setByOperator();
        const { afterStoring } = fields;
        const moveTo = targetOf(fields, row.folder);
        const password = fields.password ?? checks.accountOf(row).password;
        await assertMayConnect(userId);
        await assertOpens({ ...row, password, afterStoring, moveTo });
        const encrypted = checks.encrypt(password, id);
        await checks.cancel(id);
        await db
          .update(mailboxes)
          .set({ password: encrypted, afterStoring, moveTo, error: null, failures: 0 })
          .where(isOwn(userId, id));
        if (!row.paused) await checks.enqueue(userId, id);
        await securityEvents.by('mailbox_changed', caller, ip, row.host);
        return { data: await show(userId, id) };
      });
      mount(pauseMailbox, async ({ caller: { userId }, params: { id }, body: { paused } }) => {
        await find(userId, id);
        await db
          .update(mailboxes)
          .set(paused ? { paused } : { paused, failures: 0 })
          .where(isOwn(userId, id));
        if (paused) await checks.cancel(id);
        else await checks.enqueue(userId, id);
        return { data: await show(userId, id) };
      });
      mount(checkMailbox, async ({ caller: { userId }, params: { id } }) => {
        const { paused } = await find(userId, id);
        if (paused) throw new HttpError(409, 'paused', 'This mailbox is paused. Resume it first.');
        await assertMayConnect(userId);
        await checks.enqueue(userId, id);
        return { data: await show(userId, id) };
      });
      mount(listSkippedMessages, async ({ caller, params: { id } }) => {
        await find(caller.userId, id);
        const rows = await db
          .select()
          .from(mailboxMessages)
          .where(and(eq(mailboxMessages.mailboxId, id), isNotNull(mailboxMessages.skipped)))
          .orderBy(desc(mailboxMessages.uidValidity), desc(mailboxMessages.uid))
          .limit(MAX_SKIPPED_SHOWN);
        const data = rows.map(({ uidValidity, uid, subject, sentAt, skipped }) => ({
          id: `${uidValidity}-${uid}`,
          subject: subject ?? '',
          sentAt: sentAt?.toISOString() ?? null,
          reason: skipped ?? '',
        }));
        return { data };
      });
      mount(deleteMailbox, async ({ caller, params: { id }, ip }) => {
        const { host } = await find(caller.userId, id);
        // ENGRAM_MAIL_IN would add it again.
        if (checks.isConfigured(id)) throw setByOperator();
        await db.delete(mailboxes).where(isOwn(caller.userId, id));
        await checks.cancel(id);
        await securityEvents.by('mailbox_removed', caller, ip, host);
        return { data: null };
      });
    },
    async removeAll(tx: Transaction, userId: string): Promise<void> {
      await tx.delete(mailboxes).where(eq(mailboxes.userId, userId));
    },

    async cancelChecks(userId: string): Promise<void> {
      await checks.cancel(...(await checks.unfinished(userId)));
    },

    checkAll: checks.checkAll,
  };
}

export type MailboxService = ReturnType<typeof createMailboxService>;
