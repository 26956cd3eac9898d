import type { Readable } from 'node:stream';
import { ImapFlow } from 'imapflow';
import { HttpError } from '../../platform/http/errors.ts';
import { type createAddressGuard, isClosedAddress } from '../../platform/http/guarded-fetch.ts';
import type { MailboxRow } from './mailbox.tables.ts';

/** Limits on the time and memory that a server can make Engram use. */
const LIMITS = {
  connectionTimeout: 15_000,
  greetingTimeout: 10_000,
  socketTimeout: 60_000,
  maxLiteralSize: 1_048_576,
  maxLineLength: 4 * 1_048_576,
  maxResponseSize: 6 * 1_048_576,
  maxResponseTokens: 100_000,
  disableCompression: true,
};
const CHUNK_BYTES = 262_144;
/** Messages per search, so that its response stays within the limits. */
const MESSAGES_PER_SEARCH = 50_000;

export type MailAccount = Pick<
  MailboxRow,
  'host' | 'port' | 'security' | 'username' | 'folder' | 'afterStoring' | 'moveTo'
> & { password: string };

interface OpenOptions {
  version: string;
  /** Checks the server's addresses; null for a mailbox of the operator. */
  guard: ReturnType<typeof createAddressGuard> | null;
  /** Closes the connection when aborted. */
  signal: AbortSignal;
}

export interface Message {
  uid: number;
  size: number;
  subject: string;
  /** The date in the header, or of arrival if that is missing. */
  sentAt: Date | null;
  /** Identifies the message even if the server gives it another UID. */
  identity: string;
}

const refusal = (code: string, message: string, status = 422): HttpError =>
  new HttpError(status, code, message);

interface ImapError extends Error {
  code?: string;
  authenticationFailed?: boolean;
  mailboxMissing?: boolean;
  tlsFailed?: boolean;
}

/** Converts an error to one with a message for the user. */
function failureOf(error: ImapError, { host, port, folder }: MailAccount): HttpError {
  if (error instanceof HttpError) return error;
  const { code = '' } = error;
  if (isClosedAddress(error)) {
    const message = `${host} is not on the open internet, so Engram does not read mail from it. The operator of this server can allow it.`;
    return refusal('closed_address', message, 400);
  }
  if (error.authenticationFailed) {
    const message = `${host} refused the user name or the password. Many providers need an app password here.`;
    return refusal('sign_in_refused', message);
  }
  if (error.mailboxMissing || code === 'NotFound') {
    return refusal('unknown_folder', `There is no folder “${folder}” in this mailbox.`);
  }
  if (/CERT|SELF_SIGNED|VERIFY/u.test(code)) {
    return refusal('bad_certificate', `The certificate of ${host} is not valid (${code}).`);
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return refusal('unknown_host', `${host} cannot be found.`);
  }
  if (error.tlsFailed) {
    return refusal('no_encryption', `${host} does not offer STARTTLS on port ${port}.`);
  }
  if (code === 'GREETING_TIMEOUT' || code.startsWith('ERR_SSL')) {
    const message = `${host} does not answer as a mail server on port ${port}. Please check the port and the encryption.`;
    return refusal('no_mail_server', message);
  }
  const detail = code === '' ? '' : ` (${code})`;
  if (/^(?:E[A-Z]+|CONNECT_TIMEOUT)$/u.test(code)) {
    return refusal('unreachable', `${host} cannot be reached on port ${port}${detail}.`);
  }
  return refusal('connection_failed', `The connection to ${host} failed${detail}.`);
}

const asDate = (value: Date | string | undefined): Date | null => {
  const date = new Date(value ?? Number.NaN);
  // PostgreSQL and file names require years of four digits.
  return date.getTime() > 0 && date.getUTCFullYear() < 10_000 ? date : null;
};

/**
 * Opens a folder of an IMAP server.
 * @throws HttpError with a message for the user if it cannot be opened, like all functions of the folder
 */
export async function openImapFolder(
  account: MailAccount,
  { version, guard, signal }: OpenOptions,
) {
  const { host, security, folder, afterStoring, moveTo } = account;
  const isOpen = guard === null || guard.isNamed(host);
  const client = new ImapFlow({
    ...LIMITS,
    host,
    port: account.port,
    secure: security === 'tls',
    ...(security === 'tls' ? {} : { doSTARTTLS: security === 'starttls' }),
    auth: { user: account.username, pass: account.password },
    ...(isOpen ? {} : { tls: { lookup: guard.lookup } }),
    clientInfo: { name: 'Engram', version },
    disableAutoIdle: true,
    logger: false,
  });
  // The first error of a broken connection is the most specific one.
  let broken: Error | undefined;
  client.on('error', (error: Error) => void (broken ??= error));
  const close = (): void => client.close();
  signal.addEventListener('abort', close, { once: true });

  const attempt = async <T>(run: () => Promise<T>): Promise<T> => {
    try {
      signal.throwIfAborted();
      return await run();
    } catch (error) {
      signal.throwIfAborted();
      throw failureOf(broken ?? (error as ImapError), account);
    }
  };

  const assertMayMove = async (target: string): Promise<void> => {
    // Without these, moving messages would also delete others that are marked as deleted.
    if (!client.capabilities.has('MOVE') && !client.capabilities.has('UIDPLUS')) {
      throw refusal('cannot_move', `${host} cannot move messages.`);
    }
    const status = await client.status(target, { messages: true }).catch((error: ImapError) => {
      if (error.code === 'NotFound') return false;
      throw error;
    });
    if (!status) throw refusal('unknown_folder', `There is no folder “${target}” in this mailbox.`);
  };

  const opened = await attempt(async () => {
    if (!isOpen && guard.isClosed(host)) throw guard.refusal(host);
    await client.connect();
    if (afterStoring === 'move') await assertMayMove(moveTo ?? '');
    return client.mailboxOpen(folder, { readOnly: afterStoring === 'leave' });
  }).catch((error: unknown) => {
    signal.removeEventListener('abort', close);
    client.close();
    throw error;
  });

  return {
    uidValidity: opened.uidValidity,
    delimiter: opened.delimiter || '/',

    /** The UIDs above the given one, in ascending order. */
    newUids: (after: number): Promise<number[]> =>
      attempt(async () => {
        const uids = new Set<number>();
        // From the last message, because deletions move later messages toward the front.
        for (let last = opened.exists; last > 0; last -= MESSAGES_PER_SEARCH) {
          const seq = `${Math.max(1, last - MESSAGES_PER_SEARCH + 1)}:${last}`;
          const results = await client.search({ seq, uid: `${after + 1}:*` }, { uid: true });
          if (!results) throw new Error('The search failed.');
          // '*' is the last message, even if its UID is smaller.
          const newer = results.filter((uid) => uid > after);
          if (newer.length === 0) break;
          for (const uid of newer) uids.add(uid);
        }
        return [...uids].toSorted((a, b) => a - b);
      }),

    /** The descriptions of messages, without those that have been deleted. */
    describe: (uids: readonly number[]): Promise<Message[]> =>
      attempt(async () => {
        const query = { uid: true, envelope: true, size: true, internalDate: true };
        const messages = await client.fetchAll(uids.join(','), query, { uid: true });
        const pending = new Set(uids);
        return messages
          .filter(({ uid }) => pending.delete(uid))
          .toSorted((a, b) => a.uid - b.uid)
          .map(({ uid, size = 0, internalDate, envelope = {} }) => {
            const { messageId, date, from, subject = '' } = envelope;
            return {
              uid,
              size,
              subject,
              sentAt: asDate(date) ?? asDate(internalDate),
              identity: JSON.stringify([messageId || size, date, from, subject]),
            };
          });
      }),

    /** The bytes of a message; null if it has been deleted. */
    open: (uid: number): Promise<Readable | null> =>
      attempt(async () => {
        const options = { uid: true, chunkSize: CHUNK_BYTES };
        return (await client.download(String(uid), undefined, options)).content ?? null;
      }),

    /** Marks stored messages as read, or moves them. */
    mark: (uids: readonly number[]): Promise<void> =>
      attempt(async () => {
        const range = uids.join(',');
        const isDone =
          afterStoring === 'move'
            ? await client.messageMove(range, moveTo ?? '', { uid: true })
            : await client.messageFlagsAdd(range, [String.raw`\Seen`], { uid: true });
        if (isDone) return;
        const action = afterStoring === 'move' ? 'move messages' : 'mark messages as read';
        throw refusal('not_marked', `${host} did not ${action}.`);
      }),

    failureOf: (error: Error): HttpError => failureOf(broken ?? error, account),

    close(): void {
      signal.removeEventListener('abort', close);
      client.close();
    },
  };
}

export type ImapFolder = Awaited<ReturnType<typeof openImapFolder>>;
