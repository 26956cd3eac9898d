import { CODE_USED_UP } from '@engram/contract';
import { and, eq, gt, inArray, sql } from 'drizzle-orm';
import type { Core } from '../../composition/core.ts';
import { holdName } from '../../platform/database/sql.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { HttpError } from '../../platform/http/errors.ts';
import type { Network } from '../../platform/http/networks.ts';
import { sameText } from '../../platform/http/signed-tokens.ts';
import { renderMail } from '../../platform/mail/mail-template.ts';
import type { MailMessage } from '../../platform/mail/mailer.ts';
import { attempts, knownBrowsers, signInCodes, signInLinks, users } from './auth.tables.ts';
import type { Secrets } from './secrets.ts';
import {
  type AttemptLimit,
  DAY_MS,
  QUARTER_MS,
  type SignInLimits,
  tooManyAttempts,
} from './sign-in-limits.ts';

const CODE_MINUTES = 10;
/** Wrong entries after which a code no longer works for the caller that made them. */
const CODE_TRIES = 5;
/** The part of an address's daily budget of wrong codes that one network, or one known browser, has. */
const SHARE = 1 / 5;
/** The holder of the newest code of an address, for callers without a code of their own. */
const SHARED = '';

export interface CodeRequest {
  email: string;
  /** The networks that the call is counted for, the client's own first. */
  networks: readonly Network[];
  ip: string;
  /** The value of the browser's cookie; null for a client without one. */
  browser: string | null;
}

/** Why a code was not accepted. */
export type CodeFailure =
  /** Whether a new code is needed, whether there were tries left, and whether this reached the day's limit. */
  | { outcome: 'wrong'; usedUp: boolean; tried: boolean; lockedOut: boolean }
  | { outcome: 'refused'; by: 'network' | 'address'; waitMs: number };

/** The error of a code that was wrong, or not compared: 401 at a sign-in, 403 within a session. */
export function codeRefused(failure: CodeFailure, status: 401 | 403): HttpError {
  if (failure.outcome === 'refused') {
    const message =
      failure.by === 'network'
        ? 'Too many wrong codes were entered. Please try again in'
        : 'Too many wrong codes were entered for this address. Use the link in the newest mail we sent, or try again in';
    return tooManyAttempts(message, failure.waitMs);
  }
  if (failure.usedUp) {
    const message = 'A wrong code was entered too often. Please ask for a new one.';
    return new HttpError(status, CODE_USED_UP, message);
  }
  // The same for a wrong, used, expired and never generated code.
  return new HttpError(status, 'wrong_code', 'OTP verification failed. Please try again.');
}

const mailUnavailable = (): HttpError =>
  new HttpError(
    503,
    'mail_unavailable',
    'The mail with your code could not be sent. Please try again in a few minutes.',
  );

/** @param link Signs in with one click; null if the server does not know its own address. */
function codeMail(to: string, code: string, link: string | null): MailMessage {
  const expiry = `valid for ${CODE_MINUTES} minutes`;
  return renderMail({
    to,
    subject: `${code} is your Engram sign-in code`,
    parts: [
      { text: 'Enter this code to sign in to Engram:' },
      { code },
      ...(link === null
        ? [{ text: `It is ${expiry} and can be used once.` }]
        : [
            { text: 'Or sign in with this link, in any browser:' },
            { button: { label: 'Sign in to Engram', url: link } },
            { text: `Both are ${expiry}, and one of them can be used once.` },
          ]),
      {
        text: 'If you did not ask for this mail, you can ignore it: nobody can sign in without it.',
      },
    ],
  });
}

const expiryOf = (at: Date) => new Date(at.getTime() + CODE_MINUTES * 60_000);

const isCode = (email: string, holder: string) =>
  and(eq(signInCodes.email, email), eq(signInCodes.browser, holder));

/** Counts a network's try of the newest code of an address, also if no code was sent. */
async function useSharedTry(tx: Executor, email: string, network: string, at: Date) {
  const [newest] = await tx
    .select({ codeHash: signInCodes.codeHash })
    .from(signInCodes)
    .where(and(isCode(email, SHARED), gt(signInCodes.expiresAt, at)));
  const codeHash = newest?.codeHash ?? null;
  const isSame = sql`${signInCodes.codeHash} IS NOT DISTINCT FROM excluded.code_hash
    AND ${signInCodes.expiresAt} > ${at.toISOString()}`;
  const [row] = await tx
    .insert(signInCodes)
    .values({ email, browser: network, codeHash, tries: 1, expiresAt: expiryOf(at) })
    .onConflictDoUpdate({
      target: [signInCodes.email, signInCodes.browser],
      set: {
        codeHash,
        tries: sql`CASE WHEN ${isSame} THEN ${signInCodes.tries} + 1 ELSE 1 END`,
        expiresAt: sql`CASE WHEN ${isSame} THEN ${signInCodes.expiresAt} ELSE excluded.expires_at END`,
      },
    })
    .returning({ tries: signInCodes.tries });
  return { codeHash, tries: row?.tries ?? 1 };
}

async function useOwnTry(tx: Executor, email: string, browser: string) {
  const [row] = await tx
    .update(signInCodes)
    .set({ tries: sql`${signInCodes.tries} + 1` })
    .where(isCode(email, browser))
    .returning({ codeHash: signInCodes.codeHash, tries: signInCodes.tries });
  return row ?? { codeHash: null, tries: 1 };
}

/** Deletes the code and the link of one mail. Those of other mails stay. */
async function deleteCode(executor: Executor, email: string, codeHash: string): Promise<void> {
  for (const table of [signInCodes, signInLinks]) {
    await executor.delete(table).where(and(eq(table.email, email), eq(table.codeHash, codeHash)));
  }
}

async function isKnownBrowser(tx: Executor, email: string, browser: string): Promise<boolean> {
  const [row] = await tx
    .select({ userId: users.id })
    .from(knownBrowsers)
    .innerJoin(users, eq(users.id, knownBrowsers.userId))
    .where(and(eq(knownBrowsers.browser, browser), sql`lower(${users.email}) = ${email}`));
  return row !== undefined;
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
export function createSignInCodes(
  { config, storage, providers: { mailer }, background, log }: Core,
  secrets: Secrets,
  limits: SignInLimits,
) {
  const { database } = storage;
  const addressKeys = (email: string) => ({
    mails: limits.keyOf('code:address', email),
    wrong: limits.keyOf('wrong:address', email),
    wrongWithoutCode: limits.keyOf('wrong:shared', email),
  });
  const lockCodes = (tx: Transaction, email: string) => holdName(tx, `codes:${email}`);

  const networkHolder = ({ networks }: CodeRequest): string =>
    limits.keyOf('network', networks[0]?.key ?? '');
  /** The row of a caller's code and tries: its browser's, or its network's. */
  const holderOf = (request: CodeRequest): string =>
    request.browser === null ? networkHolder(request) : secrets.hashBrowser(request.browser);

  function wrongLimits(
    request: CodeRequest,
    isKnown: boolean,
    hasOwnCode: boolean,
  ): AttemptLimit[] {
    const { email, networks } = request;
    const { wrong, wrongWithoutCode } = addressKeys(email);
    const budget = { limit: config.wrongCodesPerAddress, windowMs: DAY_MS } as const;
    const share = { ...budget, limit: Math.ceil(budget.limit * SHARE) };
    if (isKnown) {
      return [{ key: limits.keyOf('wrong:browser', `${holderOf(request)}:${email}`), ...share }];
    }
    if (hasOwnCode) return [{ key: wrong, ...budget }];
    return [
      { key: wrongWithoutCode, ...budget },
      ...limits.perNetwork('wrong:network', networks, share, email),
    ];
  }

  /**
   * Whether a mail may be sent now. One is always allowed once the newest mail has expired.
   * @throws HttpError 429 for too many codes of a network.
   */
  async function mayMail(tx: Transaction, request: CodeRequest, at: Date): Promise<boolean> {
    const { email, networks } = request;
    const quarter = (limit: number) => ({ limit, windowMs: QUARTER_MS }) as const;
    const mails = [
      { key: addressKeys(email).mails, ...quarter(config.mailsPerAddress) },
      ...limits.perNetwork('code:network', networks, quarter(config.codesPerAddress), email),
    ];
    const mailWait = await limits.waitFor(tx, mails, at);
    const hasLink = and(eq(signInLinks.email, email), gt(signInLinks.expiresAt, at));
    if (mailWait > 0 && (await tx.$count(signInLinks, hasLink)) > 0) return false;
    if (!(await isKnownBrowser(tx, email, holderOf(request)))) {
      const codes = limits.perNetwork('code:ip', networks, quarter(config.codesPerIp));
      const wait = await limits.waitFor(tx, codes, at);
      if (wait > 0) {
        throw tooManyAttempts('Too many codes were asked for. Please try again in', wait);
      }
      await limits.record(tx, codes, at);
    }
    await limits.record(tx, mails, at);
    return true;
  }

  /** Stores a new code for the browser and for callers without one; null if no mail may be sent. */
  const replaceCode = (request: CodeRequest, at: Date) =>
    database.transaction(async (tx) => {
      const { email, browser } = request;
      await lockCodes(tx, email);
      if (!(await mayMail(tx, request, at))) {
        // The digits of the newest mail are for this browser too.
        await tx.delete(signInCodes).where(isCode(email, holderOf(request)));
        return null;
      }
      const code = secrets.newCode();
      const linkKey = secrets.newLinkKey();
      const codeHash = secrets.hashCode(email, code);
      const expiresAt = expiryOf(at);
      const holders = browser === null ? [SHARED] : [SHARED, holderOf(request)];
      await tx
        .insert(signInCodes)
        .values(holders.map((holder) => ({ email, browser: holder, codeHash, expiresAt })))
        .onConflictDoUpdate({
          target: [signInCodes.email, signInCodes.browser],
          set: { codeHash, expiresAt, tries: 0 },
        });
      const linkHash = secrets.hashLinkKey(email, linkKey);
      await tx.insert(signInLinks).values({ linkHash, email, codeHash, expiresAt });
      return { code, linkKey, codeHash };
    });

  async function mail(
    email: string,
    origin: string | null,
    { code, linkKey, codeHash }: { code: string; linkKey: string; codeHash: string },
  ): Promise<boolean> {
    const link = origin === null ? null : signInLink(origin, email, linkKey);
    try {
      await mailer.send(codeMail(email, code, link));
      return true;
    } catch (error) {
      log.warn({ err: error }, 'a sign-in code could not be mailed');
      await deleteCode(database.db, email, codeHash);
      return false;
    }
  }

  return {
    /** False if the newest mail must be used. @throws HttpError 429, 503 if the mail was not accepted. */
    async issue(request: CodeRequest, origin: string | null, at: Date): Promise<boolean> {
      const made = await replaceCode(request, at);
      if (!made) return false;
      if (!(await mail(request.email, origin, made))) throw mailUnavailable();
      return true;
    },

    /**
     * Mails a code if `allowed`. The caller sees no difference: the database and the mail server do
     * the same work, and the mail is sent in the background.
     * @throws HttpError 429, and 503 if the mail server is down.
     */
    async issueUnseen(request: CodeRequest, origin: string | null, at: Date, allowed: boolean) {
      await mailer.check().catch((error: unknown) => {
        log.warn({ err: error }, 'the mail server cannot be used');
        throw mailUnavailable();
      });
      const made = await replaceCode(request, at);
      if (made && allowed) {
        const mailing = mail(request.email, origin, made);
        void background.run(mailing, 'a sign-in code could not be deleted');
      }
      return made !== null;
    },

    /** Null for the right code, which is deleted. The transaction must commit in any case. */
    async redeem(
      tx: Transaction,
      request: CodeRequest & { code: string },
      at: Date,
    ): Promise<CodeFailure | null> {
      const { email, code } = request;
      const holder = holderOf(request);
      await lockCodes(tx, email);
      const isValid = and(isCode(email, holder), gt(signInCodes.expiresAt, at));
      const hasOwnCode = request.browser !== null && (await tx.$count(signInCodes, isValid)) > 0;
      const isKnown = await isKnownBrowser(tx, email, holder);
      const entering = wrongLimits(request, isKnown, hasOwnCode);
      const network = isKnown || hasOwnCode ? [] : limits.failuresOf(request.networks);
      for (const [by, some] of [
        ['network', network],
        ['address', entering],
      ] as const) {
        const waitMs = await limits.waitFor(tx, some, at);
        if (waitMs > 0) return { outcome: 'refused', by, waitMs };
      }
      const { codeHash, tries } = hasOwnCode
        ? await useOwnTry(tx, email, holder)
        : await useSharedTry(tx, email, networkHolder(request), at);
      const given = secrets.hashCode(email, code);
      const tried = tries <= CODE_TRIES;
      if (tried && codeHash !== null && sameText(given, codeHash)) {
        await deleteCode(tx, email, given);
        return null;
      }
      const guessed = tried && codeHash !== null;
      await limits.record(tx, [...network, ...(guessed ? entering : [])], at);
      const lockedOut = guessed && (await limits.waitFor(tx, entering, at)) > 0;
      return { outcome: 'wrong', usedUp: tries >= CODE_TRIES, tried, lockedOut };
    },

    async redeemLink(tx: Transaction, email: string, linkKey: string, at: Date): Promise<boolean> {
      await lockCodes(tx, email);
      const linkHash = secrets.hashLinkKey(email, linkKey);
      const isLink = and(eq(signInLinks.linkHash, linkHash), eq(signInLinks.email, email));
      const [found] = await tx
        .select({ codeHash: signInLinks.codeHash })
        .from(signInLinks)
        .where(and(isLink, gt(signInLinks.expiresAt, at)));
      if (!found) return false;
      await deleteCode(tx, email, found.codeHash);
      return true;
    },

    async forget(tx: Transaction, email: string): Promise<void> {
      await tx.delete(signInCodes).where(eq(signInCodes.email, email));
      await tx.delete(signInLinks).where(eq(signInLinks.email, email));
      await tx.delete(attempts).where(inArray(attempts.key, Object.values(addressKeys(email))));
    },
  };
}

/** The page that signs in. Browsers send the fragment to no server. */
const signInLink = (origin: string, email: string, key: string): string =>
  `${origin}/#${new URLSearchParams({ email, key }).toString()}`;
