import type { FastifyBaseLogger } from 'fastify';
import type { Background } from '../../platform/background.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import type { HttpError } from '../../platform/http/errors.ts';
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

/** How long a mail's code and link are valid, in milliseconds. */
const CODE_TTL_MS = 10 * 60_000;
/** Wrong entries after which a code no longer works for the caller that made them. */
const CODE_TRIES = 5;
/** The part of an address's daily budget of wrong codes that one network, or one known browser, has. */
const SHARE = 1 / 5;

export interface SignInCodesDependencies {
  database: Pick<Database, 'db' | 'transaction'>;
  repository: AuthRepository;
  secrets: Secrets;
  failures: FailedSignIns;
  mailer: Pick<Mailer, 'send' | 'check'>;
  background: Background;
  log: Pick<FastifyBaseLogger, 'warn'>;
  limits: SignInLimits | null;
}

/** What is allowed with codes; null where nothing is limited. */
export interface SignInLimits {
  /** Mails to one address in 15 minutes that one network may ask for. */
  mailsPerNetwork: number;
  /** Mails to one address in 15 minutes. */
  mailsPerAddress: number;
  /** Codes that one network may ask for in 15 minutes, for all addresses together. */
  codesPerIp: number;
  /** Wrong codes for one address in 24 hours. */
  wrongPerAddress: number;
}

/** A client that asks for a code, or enters one. */
export interface CodeRequest {
  email: string;
  /** The networks that the call is counted for, the client's own first. */
  networks: readonly Network[];
  ip: string;
  /** The value of the browser's cookie; null for a client without one. */
  browser: string | null;
}

/** The result of entering a code. */
export type Redeemed =
  | { outcome: 'right' }
  /** Whether a new code is needed, whether there were tries left, and whether this reached the day's limit. */
  | { outcome: 'wrong'; usedUp: boolean; tried: boolean; lockedOut: boolean }
  /** The code was not compared: there were too many wrong ones before. */
  | { outcome: 'refused'; by: 'network' | 'address'; waitMs: number };

/** The error of a code that was wrong, or not compared: 401 at a sign-in, 403 within a session. */
export function codeRefused(
  redeemed: Exclude<Redeemed, { outcome: 'right' }>,
  status: 401 | 403,
): HttpError {
  if (redeemed.outcome === 'wrong') {
    return redeemed.usedUp ? errors.codeUsedUp(status) : errors.wrongCode(status);
  }
  const seconds = redeemed.waitMs / 1000;
  return redeemed.by === 'network'
    ? errors.tooManyWrongCodes(seconds)
    : errors.addressGuarded(seconds);
}

/** A new code and link, and the hash by which the code is stored. */
interface NewCode {
  code: string;
  linkKey: string;
  codeHash: string;
}

/**
 * Mails that sign in once within ten minutes: by six digits, or by a link with a 128-bit key.
 *
 * Anyone can ask for mails to any address and enter wrong codes, so that must not lock out its owner:
 *
 * - The link cannot be guessed, has no counter and works in any browser. As long as the newest mail's
 *   link is valid the owner can sign in, and once it has expired another mail is sent on request,
 *   whatever limits are used up.
 * - A browser that asks for a code gets a cookie and a code of its own with five tries (compare OWASP's
 *   device cookies). Other callers enter the newest code, with five tries for each network.
 * - Mails are limited per address and network, and per address. Beyond that none is sent, and the
 *   answer refers to the newest one.
 * - Wrong codes are limited per day and address, separately for each browser that has signed in before,
 *   for new browsers with a code of their own, and for callers without one. Of the last, each network
 *   has a fifth. A guess is right once in a million: 100 a day succeed with a chance of 1 in 10,000.
 *
 * Everything is counted alike for addresses with and without an account, and the work is the same.
 */
export function createSignInCodes(deps: SignInCodesDependencies) {
  const { database, repository, secrets, failures, mailer, background, log, limits } = deps;

  const attemptKey = (kind: string, subject: string) => `${kind}:${secrets.pseudonym(subject)}`;
  const addressKeys = (email: string) => ({
    mails: attemptKey('code:address', email),
    wrong: attemptKey('wrong:address', email),
    wrongWithoutCode: attemptKey('wrong:shared', email),
  });
  /** A limit for each network of a call. `subject` is what it limits there: all, or one address. */
  const perNetwork = (
    kind: string,
    { networks }: CodeRequest,
    { limit, windowMs }: Omit<AttemptLimit, 'key'>,
    subject = '',
  ): AttemptLimit[] =>
    networks.map(({ key, times }) => ({
      key: attemptKey(kind, `${key}:${subject}`),
      limit: limit * times,
      windowMs,
    }));
  const record = (tx: Transaction, counted: readonly AttemptLimit[], at: Date): Promise<void> =>
    repository.recordAttempts(
      tx,
      counted.map(({ key }) => key),
      at,
    );

  const networkHolder = ({ networks }: CodeRequest): string =>
    attemptKey('network', networks[0]?.key ?? '');
  /** The row of a caller's code and tries: its browser's, or its network's. */
  const holderOf = (request: CodeRequest): string =>
    request.browser === null ? networkHolder(request) : secrets.hashBrowser(request.browser);

  /** The limits on wrong codes that a caller falls under. */
  function wrongLimits(
    request: CodeRequest,
    isKnown: boolean,
    hasOwnCode: boolean,
  ): AttemptLimit[] {
    if (!limits) return [];
    const { email } = request;
    const { wrong, wrongWithoutCode } = addressKeys(email);
    const budget = { limit: limits.wrongPerAddress, windowMs: DAY_MS } as const;
    const share = { ...budget, limit: Math.ceil(budget.limit * SHARE) };
    if (isKnown) {
      return [{ key: attemptKey('wrong:browser', `${holderOf(request)}:${email}`), ...share }];
    }
    if (hasOwnCode) return [{ key: wrong, ...budget }];
    return [
      { key: wrongWithoutCode, ...budget },
      ...perNetwork('wrong:network', request, share, email),
    ];
  }

  /** Whether a mail may be sent now. One is always allowed once the newest mail has expired. */
  async function mayMail(tx: Transaction, request: CodeRequest, at: Date): Promise<boolean> {
    if (!limits) return true;
    const { email } = request;
    const each = { limit: limits.mailsPerNetwork, windowMs: QUARTER_MS } as const;
    const mails = [
      {
        key: addressKeys(email).mails,
        limit: limits.mailsPerAddress,
        windowMs: QUARTER_MS,
      } as const,
      ...perNetwork('code:network', request, each, email),
    ];
    const wait = await repository.waitFor(tx, mails, at);
    if (wait > 0 && (await repository.hasLink(tx, email, at))) return false;
    await countForNetworks(tx, request, at);
    await record(tx, mails, at);
    return true;
  }

  /** @throws HttpError 429 when a network asked for too many codes. */
  async function countForNetworks(tx: Transaction, request: CodeRequest, at: Date) {
    const known = await repository.isKnownBrowser(tx, request.email, holderOf(request));
    if (!limits || known) return;
    const limit = { limit: limits.codesPerIp, windowMs: QUARTER_MS } as const;
    const asked = perNetwork('code:ip', request, limit);
    const wait = await repository.waitFor(tx, asked, at);
    if (wait > 0) throw errors.tooManyCodes(wait / 1000);
    await record(tx, asked, at);
  }

  /** Stores a new code for the browser and for callers without one; null where no mail may be sent. */
  const replaceCode = (request: CodeRequest, at: Date): Promise<NewCode | null> =>
    database.transaction(async (tx) => {
      const { email, browser } = request;
      await repository.holdCodes(tx, email);
      if (!(await mayMail(tx, request, at))) {
        // The digits of the newest mail are for this browser too.
        await repository.deleteOwnCode(tx, email, holderOf(request));
        return null;
      }
      const code = secrets.newCode();
      const linkKey = secrets.newLinkKey();
      const codeHash = secrets.hashCode(email, code);
      const expiresAt = new Date(at.getTime() + CODE_TTL_MS);
      const holders = browser === null ? [SHARED] : [SHARED, holderOf(request)];
      await repository.saveCode(tx, email, holders, codeHash, expiresAt);
      const linkHash = secrets.hashLinkKey(email, linkKey);
      await repository.saveLink(tx, { linkHash, email, codeHash, expiresAt });
      return { code, linkKey, codeHash };
    });

  async function mail(email: string, origin: string | null, made: NewCode): Promise<boolean> {
    const { code, linkKey, codeHash } = made;
    const link = origin === null ? null : signInLink(origin, email, linkKey);
    try {
      await mailer.send(codeMail({ to: email, code, link, validMinutes: CODE_TTL_MS / 60_000 }));
      return true;
    } catch (error) {
      log.warn({ err: error }, 'a sign-in code could not be mailed');
      await repository.deleteCode(database.db, email, codeHash);
      return false;
    }
  }

  return {
    /**
     * Mails a code and a link to `origin` (none where that is null), and waits until the mail server
     * has accepted it. Answers false where the newest mail is to be used instead.
     * @throws HttpError 429 when a network asked for too many codes, 503 when the mail server does
     * not accept the mail; the code is void then.
     */
    async issue(request: CodeRequest, origin: string | null, at: Date): Promise<boolean> {
      const made = await replaceCode(request, at);
      if (!made) return false;
      if (!(await mail(request.email, origin, made))) throw errors.mailUnavailable();
      return true;
    },

    /**
     * Mails a code where `allowed`. The caller sees no difference where not: the database and the
     * mail server do the same work, and the mail itself is not waited for.
     * @throws HttpError 429 when a network asked for too many codes, 503 when the mail server cannot
     * be used.
     */
    async issueUnseen(request: CodeRequest, origin: string | null, at: Date, allowed: boolean) {
      await mailer.check().catch((error: unknown) => {
        log.warn({ err: error }, 'the mail server cannot be used');
        throw errors.mailUnavailable();
      });
      const made = await replaceCode(request, at);
      if (made && allowed) {
        const mailing = mail(request.email, origin, made);
        void background.run(mailing, 'a sign-in code could not be voided');
      }
      return made !== null;
    },

    /** Uses up the code when it is the given one. No result may roll the transaction back. */
    async redeem(
      tx: Transaction,
      request: CodeRequest & { code: string },
      at: Date,
    ): Promise<Redeemed> {
      const { email, code } = request;
      const holder = holderOf(request);
      await repository.holdCodes(tx, email);
      const hasOwnCode =
        request.browser !== null && (await repository.hasOwnCode(tx, email, holder, at));
      const isKnown = await repository.isKnownBrowser(tx, email, holder);
      const entering = wrongLimits(request, isKnown, hasOwnCode);
      const network = isKnown || hasOwnCode ? [] : failures.limitsFor(request.networks);
      for (const [by, some] of [
        ['network', network],
        ['address', entering],
      ] as const) {
        const waitMs = await repository.waitFor(tx, some, at);
        if (waitMs > 0) return { outcome: 'refused', by, waitMs };
      }
      const expiresAt = new Date(at.getTime() + CODE_TTL_MS);
      const { codeHash, tries } = hasOwnCode
        ? await repository.useOwnTry(tx, email, holder)
        : await repository.useSharedTry(tx, email, networkHolder(request), at, expiresAt);
      const given = secrets.hashCode(email, code);
      const tried = tries <= CODE_TRIES;
      if (tried && codeHash !== null && sameText(given, codeHash)) {
        await repository.deleteCode(tx, email, given);
        return { outcome: 'right' };
      }
      const guessed = tried && codeHash !== null;
      await record(tx, [...network, ...(guessed ? entering : [])], at);
      const lockedOut = guessed && (await repository.waitFor(tx, entering, at)) > 0;
      return { outcome: 'wrong', usedUp: tries >= CODE_TRIES, tried, lockedOut };
    },

    /** Uses up a link, and the code of its mail. Answers whether it was valid. */
    async redeemLink(tx: Transaction, email: string, linkKey: string, at: Date): Promise<boolean> {
      await repository.holdCodes(tx, email);
      const linkHash = secrets.hashLinkKey(email, linkKey);
      const codeHash = await repository.findLink(tx, email, linkHash, at);
      if (codeHash === null) return false;
      await repository.deleteCode(tx, email, codeHash);
      return true;
    },

    /** Voids the codes of an address whose account is deleted, and deletes what was counted for it. */
    forget: (tx: Transaction, email: string): Promise<void> =>
      repository.forgetAddress(tx, email, Object.values(addressKeys(email))),
  };
}

/** The address of the page that signs in. Browsers send nothing of a fragment to any server. */
const signInLink = (origin: string, email: string, key: string): string =>
  `${origin}/#${new URLSearchParams({ email, key }).toString()}`;
