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
import type { Core } from '../../composition/core.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { lockName } from '../../platform/database/sql.ts';
import { HttpError, limitReached, tooManyRequests } from '../../platform/http/errors.ts';
import { reachOf } from '../../platform/http/guarded-fetch.ts';
import type { Mount } from '../../platform/http/mount.ts';
import type { SecurityEvents } from '../security-events/security-events.service.ts';
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
  const { config, storage, limits, now, version } = core;
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

  const assertMayConnect = async (userId: string): Promise<void> => {
    const wait = await manualLimit(userId);
    if (wait > 0)
      throw tooManyRequests('You are checking mailboxes often. Please wait a moment.', wait);
  };

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
    list: (userId: string): Promise<Mailbox[]> => listWhere(userId),

    /** @throws HttpError 400 or 422 if the folder cannot be opened, 409, 429 */
    async add(userId: string, { password, ...given }: BodyOf<typeof addMailbox>) {
      const account = {
        ...given,
        host: given.host.toLowerCase(),
        moveTo: targetOf(given, given.folder),
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
          throw new HttpError(409, 'mailbox_exists', 'You have added this folder already.');
        }
        await checks.enqueue(userId, id, tx);
      });
      return show(userId, id);
    },

    /** @throws HttpError 400 or 422 if the folder cannot be opened, 404, 409, 429 */
    async change(userId: string, id: string, given: BodyOf<typeof changeMailbox>) {
      const row = await find(userId, id);
      if (row.password === null) throw setByOperator();
      const { afterStoring } = given;
      const moveTo = targetOf(given, row.folder);
      const password = given.password ?? checks.accountOf(row).password;
      await assertMayConnect(userId);
      await assertOpens({ ...row, password, afterStoring, moveTo });
      const encrypted = checks.encrypt(password, id);
      await checks.cancel(id);
      await db
        .update(mailboxes)
        .set({ password: encrypted, afterStoring, moveTo, error: null, failures: 0 })
        .where(isOwn(userId, id));
      if (!row.paused) await checks.enqueue(userId, id);
      return show(userId, id);
    },

    /** @throws HttpError 404 */
    async pause(userId: string, id: string, paused: boolean): Promise<Mailbox> {
      await find(userId, id);
      await db
        .update(mailboxes)
        .set(paused ? { paused } : { paused, failures: 0 })
        .where(isOwn(userId, id));
      if (paused) await checks.cancel(id);
      else await checks.enqueue(userId, id);
      return show(userId, id);
    },

    /** @throws HttpError 404, 409, 429 */
    async check(userId: string, id: string): Promise<Mailbox> {
      const { paused } = await find(userId, id);
      if (paused) throw new HttpError(409, 'paused', 'This mailbox is paused. Resume it first.');
      await assertMayConnect(userId);
      await checks.enqueue(userId, id);
      return show(userId, id);
    },

    /** @throws HttpError 404 */
    async skipped(userId: string, id: string) {
      await find(userId, id);
      const rows = await db
        .select()
        .from(mailboxMessages)
        .where(and(eq(mailboxMessages.mailboxId, id), isNotNull(mailboxMessages.skipped)))
        .orderBy(desc(mailboxMessages.uidValidity), desc(mailboxMessages.uid))
        .limit(MAX_SKIPPED_SHOWN);
      return rows.map(({ uidValidity, uid, subject, sentAt, skipped }) => ({
        id: `${uidValidity}-${uid}`,
        subject: subject ?? '',
        sentAt: sentAt?.toISOString() ?? null,
        reason: skipped ?? '',
      }));
    },

    /** @throws HttpError 404, 409 if ENGRAM_MAIL_IN would add it again */
    async remove(userId: string, id: string): Promise<MailboxRow> {
      const row = await find(userId, id);
      if (checks.isConfigured(id)) throw setByOperator();
      await db.delete(mailboxes).where(isOwn(userId, id));
      await checks.cancel(id);
      return row;
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

export function mountMailboxRoutes(
  mount: Mount,
  service: MailboxService,
  events: Pick<SecurityEvents, 'by'>,
): void {
  mount(listMailboxes, async ({ caller }) => ({ data: await service.list(caller.userId) }));

  mount(addMailbox, async ({ caller, body, ip }) => {
    const data = await service.add(caller.userId, body);
    await events.by('mailbox_added', caller, ip, data.host);
    return { data };
  });

  mount(changeMailbox, async ({ caller, params, body, ip }) => {
    const data = await service.change(caller.userId, params.id, body);
    await events.by('mailbox_changed', caller, ip, data.host);
    return { data };
  });

  mount(pauseMailbox, async ({ caller, params, body }) => ({
    data: await service.pause(caller.userId, params.id, body.paused),
  }));

  mount(checkMailbox, async ({ caller, params }) => ({
    data: await service.check(caller.userId, params.id),
  }));

  mount(listSkippedMessages, async ({ caller, params }) => ({
    data: await service.skipped(caller.userId, params.id),
  }));

  mount(deleteMailbox, async ({ caller, params, ip }) => {
    const { host } = await service.remove(caller.userId, params.id);
    await events.by('mailbox_removed', caller, ip, host);
    return { data: null };
  });
}
