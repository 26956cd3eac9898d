import { createHash } from 'node:crypto';
import { and, eq, max, ne, sql } from 'drizzle-orm';
import { KEYWORD_LIMIT } from '@engram/contract';
import type { Core } from '../../composition/core.ts';
import { isAnyOf } from '../../platform/database/sql.ts';
import { HttpError } from '../../platform/http/errors.ts';
import type { Owner } from '../artifacts/artifacts.presenter.ts';
import type { ArtifactsService } from '../artifacts/artifacts.service.ts';
import type { ImapFolder, Message } from './imap-folder.ts';
import { mailboxMessages, type MailboxRow } from './mailbox.tables.ts';

/** The number of messages that are described and marked together. */
const BATCH = 25;
/** The number of failed checks after which a message that cannot be downloaded is skipped. */
const MAX_FAILURES = 5;

/** A keyword made of the letters and digits of the folder's name. */
function keywordsOf(folder: string, delimiter: string): string[] {
  const name = folder.split(delimiter).at(-1) ?? '';
  const letters = name.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '').slice(0, KEYWORD_LIMIT);
  if (letters.toUpperCase() === 'INBOX') return ['Inbox'];
  return letters === '' ? [] : [letters.toWellFormed().replaceAll('\ufffd', '')];
}

function nameOf({ subject, sentAt }: Message): string {
  const title =
    subject
      .replaceAll(/[/\\\s]+/gu, ' ')
      .trim()
      .slice(0, 200) || 'No subject';
  return sentAt ? `${title} (${sentAt.toISOString().slice(0, 10)}).eml` : `${title}.eml`;
}

const fingerprintOf = ({ identity }: Message): Buffer =>
  createHash('sha256').update(identity).digest();

/** Why a message can never be stored; null if it is retried. */
function reasonOf(error: unknown): string | null {
  if (!(error instanceof HttpError)) return null;
  return [400, 413, 415].includes(error.status) ? error.message : null;
}

/**
 * Stores new messages of a folder as files of its user. Each message is recorded after its file, and the
 * same bytes are stored once, so a crash at any point neither loses nor duplicates a message.
 * @throws HttpError with a message for the user if it ends early
 */
export async function readMailbox(
  { storage: { database }, config }: Pick<Core, 'storage' | 'config'>,
  artifacts: ArtifactsService,
  folder: ImapFolder,
  { mailbox, owner, signal }: { mailbox: MailboxRow; owner: Owner; signal: AbortSignal },
): Promise<void> {
  const { db } = database;
  const { uidValidity } = folder;
  const limitMb = config.uploadLimitMb;
  const keywords = keywordsOf(mailbox.folder, folder.delimiter);
  const folderPath = mailbox.folder.split(folder.delimiter).filter(Boolean).join('/');
  const isOfMailbox = eq(mailboxMessages.mailboxId, mailbox.id);
  const isCurrent = and(isOfMailbox, eq(mailboxMessages.uidValidity, uidValidity));
  const isLeft = mailbox.afterStoring === 'leave';

  /** Marks all stored messages, including those of an interrupted check. */
  const markStored = async (): Promise<void> => {
    if (isLeft) return;
    const isUnmarked = and(isCurrent, eq(mailboxMessages.marked, false));
    const rows = await db
      .select({ uid: mailboxMessages.uid })
      .from(mailboxMessages)
      .where(isUnmarked);
    const uids = rows.map(({ uid }) => uid);
    if (uids.length === 0) return;
    await folder.mark(uids);
    const isDone = isAnyOf(mailboxMessages.uid, uids.map(String));
    await db.update(mailboxMessages).set({ marked: true }).where(and(isCurrent, isDone));
  };

  /** Whether the message was stored before the server gave it another UID. */
  const recognize = async (message: Message): Promise<boolean> => {
    const isSame = eq(mailboxMessages.fingerprint, fingerprintOf(message));
    const isOlder = ne(mailboxMessages.uidValidity, uidValidity);
    const olderRow = db
      .select({ key: sql`ctid` })
      .from(mailboxMessages)
      .where(and(isOfMailbox, isSame, isOlder))
      .limit(1);
    const { rowCount } = await db
      .update(mailboxMessages)
      .set({
        uidValidity,
        uid: message.uid,
        marked: sql`${isLeft} OR ${mailboxMessages.skipped} IS NOT NULL`,
      })
      .where(sql`ctid = (${olderRow})`);
    return rowCount === 1;
  };

  /** After many failures with the same reason, returns an error that causes the message to be skipped. */
  const toUndelivered = (error: unknown): unknown =>
    error instanceof HttpError &&
    mailbox.failures >= MAX_FAILURES &&
    mailbox.error === error.message
      ? new HttpError(400, 'not_delivered', error.message)
      : error;

  /** Returns false if the message has been deleted. */
  const storeFile = async (message: Message): Promise<boolean> => {
    const { uid, size, sentAt } = message;
    await artifacts.assertMayUpload(owner.userId, size);
    const content = await folder.open(uid).catch((error: unknown) => {
      throw toUndelivered(error);
    });
    if (content === null) return false;
    await artifacts
      .storeSynced(
        owner,
        { fileName: nameOf(message), content },
        {
          keywords,
          source: 'Mail',
          device: mailbox.username,
          propertiesOf: (name) => ({ path: `${folderPath}/${name}`, modifiedAt: sentAt }),
        },
      )
      .catch((error: Error) => {
        const isOurs = error instanceof HttpError || content.errored === null;
        // The user has deleted this message in Engram.
        if (error instanceof HttpError && error.code === 'deleted_by_person') return;
        throw isOurs ? error : toUndelivered(folder.failureOf(error));
      })
      .finally(() => content.destroy());
    return true;
  };

  const store = async (message: Message): Promise<void> => {
    let skipped: string | null = null;
    if (message.size > limitMb * 1_048_576) {
      skipped = `The message has ${Math.ceil(message.size / 1_048_576)} MB, and a file can have at most ${limitMb} MB.`;
    } else {
      try {
        if (!(await storeFile(message))) return;
      } catch (error) {
        skipped = reasonOf(error);
        if (skipped === null) throw error;
      }
    }
    const details = skipped === null ? {} : { subject: message.subject, sentAt: message.sentAt };
    await db.insert(mailboxMessages).values({
      mailboxId: mailbox.id,
      uidValidity,
      uid: message.uid,
      fingerprint: fingerprintOf(message),
      marked: isLeft || skipped !== null,
      skipped,
      ...details,
    });
  };

  await markStored();
  const [last] = await db
    .select({ uid: max(mailboxMessages.uid) })
    .from(mailboxMessages)
    .where(isCurrent);
  const hasOlder =
    (await db.$count(
      mailboxMessages,
      and(isOfMailbox, ne(mailboxMessages.uidValidity, uidValidity)),
    )) > 0;
  const uids = await folder.newUids(last?.uid ?? 0);
  for (let from = 0; from < uids.length; from += BATCH) {
    for (const message of await folder.describe(uids.slice(from, from + BATCH))) {
      signal.throwIfAborted();
      if (!(hasOlder && (await recognize(message)))) await store(message);
    }
    await markStored();
  }
}
