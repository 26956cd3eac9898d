import type { FastifyBaseLogger } from 'fastify';
import type { Background } from '../../platform/background.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import { sameText } from '../../platform/http/signed-tokens.ts';
import type { Network } from '../../platform/http/networks.ts';
import * as errors from './auth.errors.ts';
import {
  type AttemptLimit,
  type AuthRepository,
  DAY_MS,
  QUARTER_MS,
  SHARED,
} from './auth.repository.ts';
import { codeMail } from './code-mail.ts';
import type { FailedSignIns } from './failed-sign-ins.ts';
import type { Secrets } from './secrets.ts';

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
  background: Background;
  log: Pick<FastifyBaseLogger, 'warn'>;
  /**
   * Codes that may be asked for in 15 minutes, for one address and from one network, and wrong ones
   * that an address takes in a day; null for any number.
   */
  limits: { perAddress: number; perIp: number; wrongPerAddress: number } | null;
}

/** Who asks for a code, or enters one. */
export interface CodeRequest {
  email: string;
  /** The counts that the call falls under. */
  networks: readonly Network[];
  ip: string;
  /** What the browser's cookie holds; null for a caller without one. */
  browser: string | null;
}

/** What became of a code that was entered. */
export type Redeemed =
  | { outcome: 'right' }
  /** Whether a new code is needed, whether there were tries left, and whether this reached the day's limit. */
  | { outcome: 'wrong'; usedUp: boolean; tried: boolean; lockedOut: boolean }
  /** Not even looked at: there were too many before. */
  | { outcome: 'refused'; by: 'network' | 'address'; waitMs: number };

/**
 * Codes that are mailed to an address and sign in once, for ten minutes.
 *
 * Strangers may ask for codes of anybody's address and enter wrong ones, so what they do must not count
 * against the person. Whoever asks for a code gets a cookie with it (as OWASP's device cookies do), and:
 *
 * - Each browser has a code of its own for an address, with five tries of its own: what others ask for
 *   and enter neither voids it nor uses it up.
 * - Callers without that cookie (programs, and somebody who reads the mail on another device) share one
 *   row by address: the newest code, whoever asked for it, with five tries for all of them.
 * - A browser from which somebody has signed in to the address before is known. It asks for codes and
 *   enters them within limits of its own; those of the address and of the network it comes from, which
 *   strangers can exhaust, do not hold it up. Google is another way in that they cannot close.
 * - All other browsers and callers together get `perAddress` codes in 15 minutes. New browsers together
 *   have `wrongPerAddress` wrong ones in a day, at codes that exist, and callers without a code of their
 *   own as many,
 *   so that the plainest attack closes the door to itself alone. A guess is right once in a million: with
 *   20 a day each, guessing succeeds with a chance of 1 in 25,000 a day, and less than 2 % in a year
 *   without a pause. A known browser has the same allowance for itself.
 *
 * Counts are kept for an address whether or not it has an account, and the work is the same.
 */
export function createSignInCodes(deps: SignInCodesDependencies) {
  const { database, repository, secrets, failures, mailer, background, log, limits } = deps;

  const attemptKey = (kind: string, subject: string) => `${kind}:${secrets.pseudonym(subject)}`;
  const addressKeys = (email: string) => ({
    asked: attemptKey('code:address', email),
    wrong: attemptKey('wrong:address', email),
    wrongWithoutCode: attemptKey('wrong:shared', email),
  });

  const hashOf = ({ browser }: CodeRequest): string =>
    browser === null ? SHARED : secrets.hashBrowser(browser);

  /** What is counted of a caller, and where: apart from all others for a browser that is known. */
  async function standingOf(tx: Transaction, request: CodeRequest, hasOwnCode: boolean) {
    const { email, networks } = request;
    const hash = hashOf(request);
    const known = await repository.isKnownBrowser(tx, email, hash);
    const address = addressKeys(email);
    const keys = known
      ? {
          asked: attemptKey('code:browser', `${hash}:${email}`),
          wrong: attemptKey('wrong:browser', `${hash}:${email}`),
        }
      : {
          asked: address.asked,
          wrong: hasOwnCode ? address.wrong : address.wrongWithoutCode,
        };
    const asking: AttemptLimit[] = limits
      ? [
          { key: keys.asked, limit: limits.perAddress, windowMs: QUARTER_MS },
          ...(known ? [] : networks).map(({ key, times }) => ({
            key: attemptKey('code:ip', key),
            limit: limits.perIp * times,
            windowMs: QUARTER_MS,
          })),
        ]
      : [];
    const entering: AttemptLimit[] = limits
      ? [{ key: keys.wrong, limit: limits.wrongPerAddress, windowMs: DAY_MS }]
      : [];
    return { asking, entering, network: known ? [] : failures.limitsFor(networks) };
  }

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

  /** Puts a new code in the place of the browser's last one, and of the one for callers without. */
  async function replaceCode({ email, browser }: CodeRequest, at: Date) {
    const code = secrets.newCode();
    const codeHash = secrets.hashCode(email, code);
    const expiresAt = new Date(at.getTime() + CODE_TTL_MS);
    const browsers = browser === null ? [SHARED] : [SHARED, secrets.hashBrowser(browser)];
    await database.transaction(async (tx) => {
      await repository.holdCodes(tx, email);
      await repository.saveCode(tx, email, browsers, codeHash, expiresAt);
    });
    return { code, codeHash };
  }

  return {
    /** @throws HttpError 429 when too many codes were asked for, for the address or from the network. */
    async countRequest(request: CodeRequest, at: Date): Promise<void> {
      const wait = await database.transaction(async (tx) => {
        const { asking, entering } = await standingOf(tx, request, true);
        const toAsk = await repository.waitFor(tx, asking, at);
        // A code that could not be entered would only fill the mailbox.
        const toEnter = await repository.waitFor(tx, entering, at);
        const keys = asking.map(({ key }) => key);
        if (toAsk + toEnter === 0) await repository.recordAttempts(tx, keys, at);
        return { toAsk, toEnter };
      });
      if (wait.toEnter > 0) throw errors.addressGuarded(wait.toEnter / 1000);
      if (wait.toAsk > 0) throw errors.tooManyCodes(wait.toAsk / 1000);
    },

    /**
     * Mails a code and waits until the mail server has taken it.
     * @throws HttpError 503 when it does not; the code is void then.
     */
    async issue(request: CodeRequest, at: Date): Promise<void> {
      const { code, codeHash } = await replaceCode(request, at);
      if (!(await mail(request.email, code, codeHash))) throw errors.mailUnavailable();
    },

    /**
     * Mails a code where `allowed`, and does nothing that shows to the caller where not: the
     * database and the mail server see the same work, and the mail itself is not waited for.
     * @throws HttpError 503 when the mail server cannot be used.
     */
    async issueUnseen(request: CodeRequest, at: Date, allowed: boolean): Promise<void> {
      await mailer.check().catch((error: unknown) => {
        log.warn({ err: error }, 'the mail server cannot be used');
        throw errors.mailUnavailable();
      });
      const { code, codeHash } = await replaceCode(request, at);
      if (!allowed) return;
      const mailing = mail(request.email, code, codeHash);
      void background.run(mailing, 'a sign-in code could not be voided');
    },

    /** Uses up the code when it is the given one. No answer of this may roll the transaction back. */
    async redeem(
      tx: Transaction,
      request: CodeRequest & { code: string },
      at: Date,
    ): Promise<Redeemed> {
      const { email, code } = request;
      const hash = hashOf(request);
      await repository.holdCodes(tx, email);
      const hasOwnCode = await repository.hasOwnCode(tx, email, hash, at);
      const { entering, network } = await standingOf(tx, request, hasOwnCode);
      for (const [by, some] of [
        ['network', network],
        ['address', entering],
      ] as const) {
        const waitMs = await repository.waitFor(tx, some, at);
        if (waitMs > 0) return { outcome: 'refused', by, waitMs };
      }
      const expiresAt = new Date(at.getTime() + CODE_TTL_MS);
      const { codeHash, tries } = hasOwnCode
        ? await repository.useOwnTry(tx, email, hash)
        : await repository.useSharedTry(tx, email, at, expiresAt);
      const given = secrets.hashCode(email, code);
      const tried = tries <= CODE_TRIES;
      if (tried && codeHash !== null && sameText(given, codeHash)) {
        await repository.deleteCode(tx, email, given);
        return { outcome: 'right' };
      }
      const guessed = tried && codeHash !== null;
      const counted = [...network, ...(guessed ? entering : [])];
      await repository.recordAttempts(
        tx,
        counted.map(({ key }) => key),
        at,
      );
      const lockedOut = guessed && (await repository.waitFor(tx, entering, at)) > 0;
      return { outcome: 'wrong', usedUp: tries >= CODE_TRIES, tried, lockedOut };
    },

    /** Voids the codes of an address whose account is deleted, and forgets what was counted for it. */
    forget: (tx: Transaction, email: string): Promise<void> =>
      repository.forgetAddress(tx, email, Object.values(addressKeys(email))),
  };
}
