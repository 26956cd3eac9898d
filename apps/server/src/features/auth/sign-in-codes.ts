import { CODE_USED_UP } from '@engram/contract';
import { and, eq, gt, inArray, sql } from 'drizzle-orm';
import type { Core } from '../../composition/core.ts';
import { lockName } from '../../platform/database/sql.ts';
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
/** After this many wrong entries, a code no longer works for the caller. */
const CODE_TRIES = 5;
/** The share of an address's daily limit of wrong codes for one network or one known browser. */
const SHARE = 1 / 5;
/** The holder of an address's newest code, for callers without their own code. */
const SHARED = '';

export interface CodeRequest {
  email: string;
  /** The networks for which the call is counted, the client's own first. */
  networks: readonly Network[];
  ip: string;
  /** The value of the browser's cookie; null for a client without one. */
  browser: string | null;
}

export type CodeFailure =
  /** Whether a new code is needed, whether tries were left, and whether this reached the daily limit. */
  | { outcome: 'wrong'; usedUp: boolean; tried: boolean; lockedOut: boolean }
  | { outcome: 'refused'; by: 'network' | 'address'; waitMs: number };

/** The error for a code that was wrong or not checked: 401 at sign-in, 403 within a session. */
export function codeRefused(failure: CodeFailure, status: 401 | 403): HttpError {
  if (failure.outcome === 'refused') {
    const message =
      failure.by === 'network'
        ? 'Too many wrong codes were entered. Please try again in'
        : 'Too many wrong codes were entered for this address. Use the link in the newest mail we sent, or try again in';
    return tooManyAttempts(message, failure.waitMs);
  }
  if (failure.usedUp) {
    const message = 'Too many wrong codes were entered. Please request a new code.';
    return new HttpError(status, CODE_USED_UP, message);
  }
  // Does not reveal whether the code was wrong, used, expired or never generated.
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
        text: 'If you did not request this mail, you can ignore it. Nobody can sign in without it.',
      },
    ],
  });
}

const expiryOf = (time: Date) => new Date(time.getTime() + CODE_MINUTES * 60_000);

const isCode = (email: string, holder: string) =>
  and(eq(signInCodes.email, email), eq(signInCodes.browser, holder));

/** Counts a network's try of an address's newest code, even if no code was sent. */
async function countNetworkTry(tx: Executor, email: string, network: string, time: Date) {
  const [newest] = await tx
    .select({ codeHash: signInCodes.codeHash })
    .from(signInCodes)
    .where(and(isCode(email, SHARED), gt(signInCodes.expiresAt, time)));
  const codeHash = newest?.codeHash ?? null;
  const isSame = sql`${signInCodes.codeHash} IS NOT DISTINCT FROM excluded.code_hash
    AND ${signInCodes.expiresAt} > ${time.toISOString()}`;
  const [row] = await tx
    .insert(signInCodes)
    .values({ email, browser: network, codeHash, tries: 1, expiresAt: expiryOf(time) })
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

async function countBrowserTry(tx: Executor, email: string, browser: string) {
  const [row] = await tx
    .update(signInCodes)
    .set({ tries: sql`${signInCodes.tries} + 1` })
    .where(isCode(email, browser))
    .returning({ codeHash: signInCodes.codeHash, tries: signInCodes.tries });
  return row ?? { codeHash: null, tries: 1 };
}

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
 * Mails a six-digit code and a link with a 128-bit key. One of them signs in once within ten minutes.
 *
 * Anyone can request mails to any address and enter wrong codes, which must not lock out its owner:
 *
 * - The link cannot be guessed, has no counter and works in any browser. Once the newest link has
 *   expired, a request always sends another mail.
 * - A browser that requests a code gets a cookie and its own code with five tries (see OWASP's device
 *   cookies). Other callers enter the newest code, with five tries for each network.
 * - Mails are limited per address, and per address and network. Beyond that the response refers to the
 *   newest mail.
 * - Wrong codes are limited per address and day, separately for each known browser, for new browsers
 *   with their own code, and for callers without one, of which each network may use a fifth. 100 guesses
 *   a day succeed with a probability of 1 in 10,000.
 *
 * Addresses with and without an account are treated alike.
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
  const lockCodes = (tx: Transaction, email: string) => lockName(tx, `codes:${email}`);

  const networkHolder = ({ networks }: CodeRequest): string =>
    limits.keyOf('network', networks[0]?.key ?? '');
  /** The key of the caller's code and tries: its browser or its network. */
  const holderOf = (request: CodeRequest): string =>
    request.browser === null ? networkHolder(request) : secrets.hashBrowser(request.browser);

  function wrongLimits(
    request: CodeRequest,
    isKnown: boolean,
    hasOwnCode: boolean,
  ): AttemptLimit[] {
    const { email, networks } = request;
    const { wrong, wrongWithoutCode } = addressKeys(email);
    const dailyLimit = { limit: config.wrongCodesPerAddress, windowMs: DAY_MS } as const;
    const share = { ...dailyLimit, limit: Math.ceil(dailyLimit.limit * SHARE) };
    if (isKnown) {
      return [{ key: limits.keyOf('wrong:browser', `${holderOf(request)}:${email}`), ...share }];
    }
    if (hasOwnCode) return [{ key: wrong, ...dailyLimit }];
    return [
      { key: wrongWithoutCode, ...dailyLimit },
      ...limits.perNetwork('wrong:network', networks, share, email),
    ];
  }

  /**
   * Whether a mail may be sent now. Always true once the newest mail has expired.
   * @throws HttpError 429 for too many codes of a network
   */
  async function mayMail(tx: Transaction, request: CodeRequest, time: Date): Promise<boolean> {
    const { email, networks } = request;
    const quarter = (limit: number) => ({ limit, windowMs: QUARTER_MS }) as const;
    const mails = [
      { key: addressKeys(email).mails, ...quarter(config.mailsPerAddress) },
      ...limits.perNetwork('code:network', networks, quarter(config.codesPerAddress), email),
    ];
    const mailWait = await limits.waitFor(tx, mails, time);
    const hasLink = and(eq(signInLinks.email, email), gt(signInLinks.expiresAt, time));
    if (mailWait > 0 && (await tx.$count(signInLinks, hasLink)) > 0) return false;
    if (!(await isKnownBrowser(tx, email, holderOf(request)))) {
      const codes = limits.perNetwork('code:ip', networks, quarter(config.codesPerIp));
      const wait = await limits.waitFor(tx, codes, time);
      if (wait > 0)
        throw tooManyAttempts('Too many codes were requested. Please try again in', wait);
      await limits.record(tx, codes, time);
    }
    await limits.record(tx, mails, time);
    return true;
  }

  const replaceCode = (request: CodeRequest, time: Date) =>
    database.transaction(async (tx) => {
      const { email, browser } = request;
      await lockCodes(tx, email);
      if (!(await mayMail(tx, request, time))) {
        // This browser can enter the code of the newest mail.
        await tx.delete(signInCodes).where(isCode(email, holderOf(request)));
        return null;
      }
      const code = secrets.newCode();
      const linkKey = secrets.newLinkKey();
      const codeHash = secrets.hashCode(email, code);
      const expiresAt = expiryOf(time);
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
    /** False if the newest mail must be used. @throws HttpError 429, 503 if the mail was not accepted */
    async issue(request: CodeRequest, origin: string | null, time: Date): Promise<boolean> {
      const code = await replaceCode(request, time);
      if (!code) return false;
      if (!(await mail(request.email, origin, code))) throw mailUnavailable();
      return true;
    },

    /**
     * Mails a code in the background if `allowed`. Otherwise the work and the response are the same, so
     * that the caller sees no difference.
     * @throws HttpError 429, and 503 if the mail server is down
     */
    async issueInBackground(
      request: CodeRequest,
      origin: string | null,
      time: Date,
      allowed: boolean,
    ): Promise<boolean> {
      await mailer.check().catch((error: unknown) => {
        log.warn({ err: error }, 'the mail server cannot be used');
        throw mailUnavailable();
      });
      const code = await replaceCode(request, time);
      if (code && allowed) {
        const mailing = mail(request.email, origin, code);
        void background.run(mailing, 'a sign-in code could not be deleted');
      }
      return code !== null;
    },

    /** Returns null for the right code and deletes it. The transaction must commit in any case. */
    async redeem(
      tx: Transaction,
      request: CodeRequest & { code: string },
      time: Date,
    ): Promise<CodeFailure | null> {
      const { email, code } = request;
      const holder = holderOf(request);
      await lockCodes(tx, email);
      const isValid = and(isCode(email, holder), gt(signInCodes.expiresAt, time));
      const hasOwnCode = request.browser !== null && (await tx.$count(signInCodes, isValid)) > 0;
      const isKnown = await isKnownBrowser(tx, email, holder);
      const addressLimits = wrongLimits(request, isKnown, hasOwnCode);
      const networkLimits = isKnown || hasOwnCode ? [] : limits.failuresOf(request.networks);
      for (const [by, checked] of [
        ['network', networkLimits],
        ['address', addressLimits],
      ] as const) {
        const waitMs = await limits.waitFor(tx, checked, time);
        if (waitMs > 0) return { outcome: 'refused', by, waitMs };
      }
      const { codeHash, tries } = hasOwnCode
        ? await countBrowserTry(tx, email, holder)
        : await countNetworkTry(tx, email, networkHolder(request), time);
      const enteredHash = secrets.hashCode(email, code);
      const tried = tries <= CODE_TRIES;
      if (tried && codeHash !== null && sameText(enteredHash, codeHash)) {
        await deleteCode(tx, email, enteredHash);
        return null;
      }
      const guessed = tried && codeHash !== null;
      await limits.record(tx, [...networkLimits, ...(guessed ? addressLimits : [])], time);
      const lockedOut = guessed && (await limits.waitFor(tx, addressLimits, time)) > 0;
      return { outcome: 'wrong', usedUp: tries >= CODE_TRIES, tried, lockedOut };
    },

    async redeemLink(tx: Transaction, email: string, key: string, time: Date): Promise<boolean> {
      await lockCodes(tx, email);
      const linkHash = secrets.hashLinkKey(email, key);
      const isLink = and(eq(signInLinks.linkHash, linkHash), eq(signInLinks.email, email));
      const [link] = await tx
        .select({ codeHash: signInLinks.codeHash })
        .from(signInLinks)
        .where(and(isLink, gt(signInLinks.expiresAt, time)));
      if (!link) return false;
      await deleteCode(tx, email, link.codeHash);
      return true;
    },

    async deleteAll(tx: Transaction, email: string): Promise<void> {
      await tx.delete(signInCodes).where(eq(signInCodes.email, email));
      await tx.delete(signInLinks).where(eq(signInLinks.email, email));
      await tx.delete(attempts).where(inArray(attempts.key, Object.values(addressKeys(email))));
    },
  };
}

/** The sign-in page. Browsers do not send the fragment to servers. */
const signInLink = (origin: string, email: string, key: string): string =>
  `${origin}/#${new URLSearchParams({ email, key }).toString()}`;
