import type { FastifyBaseLogger } from 'fastify';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import * as errors from './auth.errors.ts';
import type { AttemptLimit, AuthRepository } from './auth.repository.ts';
import { codeMail } from './code-mail.ts';
import type { FailedSignIns } from './failed-sign-ins.ts';
import { networkOf } from '../../platform/http/networks.ts';
import { type Secrets, sameDigest } from './secrets.ts';

/** How long a code is valid, in milliseconds. */
const CODE_TTL_MS = 10 * 60_000;
/** Codes that may be tried before the sent one is void. */
const CODE_TRIES = 5;

export interface SignInCodesDependencies {
  database: Pick<Database, 'db' | 'transaction'>;
  repository: AuthRepository;
  secrets: Secrets;
  failures: FailedSignIns;
  mailer: Pick<Mailer, 'send' | 'check'>;
  log: Pick<FastifyBaseLogger, 'warn'>;
  /** Codes that may be asked for in 15 minutes; null for any number. */
  limits: { perAddress: number; perIp: number } | null;
}

export interface CodeRequest {
  email: string;
  ip: string;
}

/** Codes that are mailed to an address and sign in once. */
export function createSignInCodes(deps: SignInCodesDependencies) {
  const { database, repository, secrets, failures, mailer, log, limits } = deps;
  const mailsUnderWay = new Set<Promise<void>>();

  const attemptKey = (kind: string, subject: string) => `${kind}:${secrets.pseudonym(subject)}`;

  async function mail(email: string, code: string, codeHash: string): Promise<boolean> {
    try {
      await mailer.send(codeMail(email, code, CODE_TTL_MS / 60_000));
      return true;
    } catch (error) {
      log.warn({ err: error }, 'a sign-in code could not be mailed');
      await repository.deleteCode(database.db, email, codeHash);
      return false;
    }
  }

  function mailInBackground(email: string, code: string, codeHash: string): void {
    const underWay = mail(email, code, codeHash)
      .then(() => undefined)
      .catch((error: unknown) => log.warn({ err: error }, 'a sign-in code could not be voided'))
      .finally(() => mailsUnderWay.delete(underWay));
    mailsUnderWay.add(underWay);
  }

  /** Puts a new code in the place of the address's last one. */
  async function replaceCode(email: string, at: Date) {
    const code = secrets.newCode();
    const codeHash = secrets.hashCode(email, code);
    const expiresAt = new Date(at.getTime() + CODE_TTL_MS);
    await repository.saveCode(database.db, email, codeHash, expiresAt);
    return { code, codeHash };
  }

  return {
    /** @throws HttpError 429 when the address or the caller's network asked for too many codes. */
    async countRequest({ email, ip }: CodeRequest, at: Date): Promise<void> {
      if (!limits) return;
      const attempts: AttemptLimit[] = [
        { key: attemptKey('code:address', email), limit: limits.perAddress },
        { key: attemptKey('code:ip', networkOf(ip)), limit: limits.perIp },
      ];
      const waitMs = await database.transaction(async (tx) => {
        const wait = await repository.waitFor(tx, attempts, at);
        const keys = attempts.map(({ key }) => key);
        if (wait === 0) await repository.recordAttempts(tx, keys, at);
        return wait;
      });
      if (waitMs > 0) throw errors.tooManyCodes(waitMs / 1000);
    },

    /**
     * Mails a code and waits until the mail server has taken it.
     * @throws HttpError 503 when it does not; the code is void then.
     */
    async issue(email: string, at: Date): Promise<void> {
      const { code, codeHash } = await replaceCode(email, at);
      if (!(await mail(email, code, codeHash))) throw errors.mailUnavailable();
    },

    /**
     * Mails a code where `allowed`, and does nothing that shows to the caller where not: the
     * database and the mail server see the same work, and the mail itself is not waited for.
     * @throws HttpError 503 when the mail server cannot be used.
     */
    async issueUnseen(email: string, at: Date, allowed: boolean): Promise<void> {
      await mailer.check().catch((error: unknown) => {
        log.warn({ err: error }, 'the mail server cannot be used');
        throw errors.mailUnavailable();
      });
      const { code, codeHash } = await replaceCode(email, at);
      if (allowed) mailInBackground(email, code, codeHash);
    },

    /**
     * Uses up the address's code when it is the given one. Answers how long to wait where too many
     * wrong codes came from the caller's network. Neither answer may roll the transaction back.
     */
    async redeem(
      tx: Transaction,
      { email, code, ip }: CodeRequest & { code: string },
      at: Date,
    ): Promise<'right' | 'wrong' | { waitMs: number }> {
      const waitMs = await failures.waitMs(tx, ip, at);
      if (waitMs > 0) return { waitMs };
      const expected = await repository.useTry(tx, email, at, CODE_TRIES);
      const given = secrets.hashCode(email, code);
      if (expected !== undefined && sameDigest(given, expected)) {
        await repository.deleteCode(tx, email, given);
        return 'right';
      }
      await failures.record(tx, ip, at);
      return 'wrong';
    },

    /** Voids the code of an address whose account is deleted, and forgets that codes were asked for. */
    forget: (tx: Transaction, email: string): Promise<void> =>
      repository.forgetAddress(tx, email, attemptKey('code:address', email)),

    /** Waits for the mails that are being sent. */
    async drain(): Promise<void> {
      await Promise.all(mailsUnderWay);
    },
  };
}
