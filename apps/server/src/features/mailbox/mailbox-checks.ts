import { and, eq, sql } from 'drizzle-orm';
import type { Core } from '../../composition/core.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { addressOf } from '../../platform/database/sql.ts';
import { createEncryption } from '../../platform/encryption.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { createAddressGuard } from '../../platform/http/guarded-fetch.ts';
import type { Job } from '../../platform/jobs/jobs.ts';
import { stableId } from '../../platform/stable-id.ts';
import type { ArtifactsService } from '../artifacts/artifacts.service.ts';
import type { AuthService } from '../auth/auth.service.ts';
import { type MailAccount, openImapFolder } from './imap-folder.ts';
import { mailboxes, type MailboxRow } from './mailbox.tables.ts';
import { readMailbox } from './read-mailbox.ts';

const QUEUE = 'read-mailbox';
export const MAIL_INTERVAL_MS = 300_000;
/** The maximum interval, which doubles with each consecutive failure. */
const MAX_INTERVAL_MS = 3_600_000;
/** A long import continues in the next check, so that it does not delay other mailboxes. */
const MAX_CHECK_MS = 600_000;
const TIMEOUT_SECONDS = 900;

interface ReadJob {
  mailboxId: string;
}

export interface MailboxServices {
  accounts: Pick<AuthService['accounts'], 'findByEmail' | 'findMain'>;
  artifacts: ArtifactsService;
}

/** Runs the jobs that read mailboxes. A mailbox has one job at a time, on any server. */
export function createMailboxChecks(core: Core, { accounts, artifacts }: MailboxServices) {
  const { config, storage, log, now, version } = core;
  const { database, jobs } = storage;
  const { db } = database;
  const guard = createAddressGuard({ allow: config.fetchAllow });
  const encryption = createEncryption(config.secret, 'mailboxes');

  /** The mailboxes of ENGRAM_MAIL_IN by their ids. */
  const configured = new Map(
    config.mailIn.map((account) => {
      const { email, username, host, port, folder } = account;
      const id = stableId(`mailbox\n${[email, username, host, port, folder].join('\n')}`);
      return [id, account];
    }),
  );

  const enqueue = (userId: string, mailboxId: string, tx?: Transaction): Promise<void> =>
    jobs.enqueue<ReadJob>(QUEUE, { mailboxId }, { key: mailboxId, group: userId, tx });

  /** The account of a mailbox with its password. @throws HttpError if the password is missing */
  const accountOf = (row: MailboxRow): MailAccount => {
    const { id, password } = row;
    if (password === null) {
      const account = configured.get(id);
      if (account) return { ...row, ...account };
      throw new HttpError(409, 'not_set', 'This mailbox is no longer set in ENGRAM_MAIL_IN.');
    }
    const text = encryption.decrypt(password, id);
    if (text !== null) return { ...row, password: text };
    const message =
      'The password cannot be decrypted, because the server has another secret. Please enter it again.';
    throw new HttpError(409, 'password_lost', message);
  };

  const read = async (row: MailboxRow, email: string, signal: AbortSignal): Promise<void> => {
    const isGuarded = row.password !== null;
    const options = { version, guard: isGuarded ? guard : null, signal };
    const folder = await openImapFolder(accountOf(row), options);
    const owner = {
      userId: row.userId,
      email,
      sessionId: null,
      apiKeyId: null,
      connectionId: null,
    };
    try {
      await readMailbox(core, artifacts, folder, { mailbox: row, owner, signal });
    } finally {
      folder.close();
    }
  };

  const handle = async ({ data: { mailboxId }, signal }: Job<ReadJob>): Promise<void> => {
    const isMailbox = eq(mailboxes.id, mailboxId);
    const [mailbox] = await db
      .select({ row: mailboxes, email: addressOf(mailboxes.userId) })
      .from(mailboxes)
      .where(isMailbox);
    if (!mailbox || mailbox.row.paused || mailbox.email === null) return;
    const { row, email } = mailbox;
    const limit = AbortSignal.timeout(MAX_CHECK_MS);
    let error: string | null = null;
    try {
      await read(row, email, AbortSignal.any([signal, limit]));
    } catch (failure) {
      // The check continues at the next start.
      signal.throwIfAborted();
      if (failure instanceof HttpError) error = failure.message;
      else if (!limit.aborted) {
        log.error({ err: failure, mailboxId }, 'a mailbox could not be read');
        error = 'Engram could not store the messages. It will try again.';
      }
    }
    const failures = error === null ? 0 : row.failures + 1;
    await db.update(mailboxes).set({ checkedAt: now(), error, failures }).where(isMailbox);
  };

  jobs.define<ReadJob>(QUEUE, {
    handler: handle,
    concurrency: 4,
    groupConcurrency: 1,
    timeoutSeconds: TIMEOUT_SECONDS,
    // The next check retries.
    retryLimit: 0,
    retryDelaySeconds: 1,
  });

  /** Stores the mailboxes of ENGRAM_MAIL_IN as soon as their accounts exist. */
  const addConfigured = async (): Promise<void> => {
    for (const [id, { email, password: _, ...account }] of configured) {
      const user = await (email === null ? accounts.findMain() : accounts.findByEmail(email));
      if (!user) {
        log.warn({ email, host: account.host }, 'a mailbox waits until its account exists');
        continue;
      }
      const { afterStoring, moveTo } = account;
      await db
        .insert(mailboxes)
        .values({ id, userId: user.userId, ...account, createdAt: now() })
        .onConflictDoUpdate({ target: mailboxes.id, set: { afterStoring, moveTo } });
    }
  };

  return {
    guard,
    accountOf,
    enqueue,
    encrypt: encryption.encrypt,
    isConfigured: (id: string): boolean => configured.has(id),

    /** The mailboxes of a user that are being checked or are queued. */
    async unfinished(userId: string): Promise<Set<string>> {
      const unfinished = (await jobs.unfinished(QUEUE, userId)) as ReadJob[];
      return new Set(unfinished.map(({ mailboxId }) => mailboxId));
    },

    /** Deletes jobs, and aborts running ones. */
    cancel: (...ids: string[]): Promise<void> => jobs.cancel(QUEUE, ...ids),

    /** Enqueues a check of each mailbox that is due. */
    async checkAll(): Promise<void> {
      await addConfigured();
      const interval = sql`least(${MAIL_INTERVAL_MS} * power(2, ${mailboxes.failures} - 1), ${MAX_INTERVAL_MS})`;
      const isDue = sql`(${mailboxes.failures} = 0 OR ${mailboxes.checkedAt}
        + ${interval} * interval '1 millisecond' <= ${now().toISOString()}::timestamptz)`;
      const due = await db
        .select({ id: mailboxes.id, userId: mailboxes.userId })
        .from(mailboxes)
        .where(and(eq(mailboxes.paused, false), isDue));
      for (const { id, userId } of due) await enqueue(userId, id);
    },
  };
}
