import type { SecurityEventKind, Session } from '@engram/contract';
import { randomUUID } from 'node:crypto';
import { eq, lte } from 'drizzle-orm';
import { createSignInCalls, type SignedIn, type SignInOrigin } from './sign-in-calls.ts';
import type { Core } from '../../composition/core.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { HttpError } from '../../platform/http/errors.ts';
import type { Caller } from '../../platform/http/mount.ts';
import {
  attempts,
  knownBrowsers,
  sessions as sessionsTable,
  signInCodes,
  signInLinks,
  type UserRow,
} from './auth.tables.ts';
import { BROWSER_DAYS, type SessionCookie } from './cookies.ts';
import type { AuthorizationRequest, Proof } from './identity-provider.ts';
import { createSecrets } from './secrets.ts';
import { createSessions, type OpenSession, type SessionCall } from './sessions.ts';
import {
  type CodeFailure,
  codeRefused,
  type CodeRequest,
  createSignInCodes,
} from './sign-in-codes.ts';
import { createSignInLimits, DAY_MS } from './sign-in-limits.ts';
import { createSocialSignIn } from './social-sign-in.ts';
import { createUsersRepository, type SignInTrace, type UserChanges } from './users.repository.ts';

/** Reported as a wrong code, so that clients cannot find out which addresses may sign up. */
const NOT_INVITED = { outcome: 'wrong', usedUp: false, tried: true, lockedOut: false } as const;

/** Checks a passkey and finds its user. */
type ProvePasskey = (
  tx: Transaction,
  time: Date,
) => Promise<{ accepted: true; userId: string } | { accepted: false; userId?: string }>;

const lowerCased = (emails: readonly string[]): ReadonlySet<string> =>
  new Set(emails.map((email) => email.toLowerCase()));

/** Converts an address to lower case. @throws HttpError 400 for forbidden characters */
function normalizeEmail(email: string): string {
  // Two letters become ASCII in lower case, which would make it another user's address.
  if (/[\p{Cc}\p{Cs}\ufffd\u0130\u212a]/u.test(email)) {
    throw new HttpError(400, 'invalid_email', 'Please enter a valid email address.');
  }
  return email.toLowerCase();
}

function normalizeOrigin<Origin extends SignInTrace>(origin: Origin): Origin {
  const clean = (text: string | null) => text?.replaceAll(/\p{Cc}/gu, '') ?? null;
  return { ...origin, device: clean(origin.device), location: clean(origin.location) };
}

const normalize = <Origin extends SignInTrace & { email: string }>(origin: Origin): Origin => ({
  ...normalizeOrigin(origin),
  email: normalizeEmail(origin.email),
});

const identityOf = (row: UserRow | undefined): { userId: string; email: string } | null =>
  row ? { userId: row.id, email: row.email } : null;

/** Sign-in by a mailed code, Google or a passkey, sessions and accounts. */
export function createAuthService(
  core: Core,
  renderPhoto: (userId: string, picture: Uint8Array) => Promise<Buffer | null>,
  onNewUser: (tx: Transaction, userId: string) => Promise<void>,
) {
  const { config, storage, securityEvents: events, log, background, now } = core;
  const { database, artifactsRepository } = storage;
  const users = createUsersRepository(database);
  const secrets = createSecrets(config.secret);
  const sessions = createSessions(core, secrets, events);
  const limits = createSignInLimits(core, secrets);
  const codes = createSignInCodes(core, secrets, limits);
  const social = createSocialSignIn(core, limits);
  const admins = lowerCased(config.adminEmails);
  const invited = lowerCased([...config.adminEmails, ...config.invitedEmails]);

  const maySignUp = (email: string): boolean =>
    config.signup === 'open' || (config.signup === 'invited' && invited.has(email));

  async function findOrCreateUser(tx: Transaction, email: string, createdAt: Date) {
    const existing = await users.findByEmail(email, tx);
    if (existing || !maySignUp(email)) return existing;
    const created = await users.insert(tx, { id: randomUUID(), email, createdAt });
    if (!created) return users.findByEmail(email, tx);
    await onNewUser(tx, created.id);
    return created;
  }

  async function openByEmail(tx: Transaction, email: string, origin: SignInOrigin, time: Date) {
    const user = await findOrCreateUser(tx, email, time);
    return user && openSession(tx, user, origin, time);
  }

  async function openSession(tx: Transaction, user: UserRow, origin: SignInOrigin, time: Date) {
    const role = admins.has(user.email) ? 'ADMIN' : 'USER';
    const browser = origin.browser === null ? null : secrets.hashBrowser(origin.browser);
    await users.recordSignIn(tx, user.id, origin, role);
    return sessions.open(tx, { ...user, role }, { ...origin, browser }, time);
  }

  function recordFailure(
    kind: SecurityEventKind,
    { email, ip, device }: { email: string; ip: string; device: string | null },
    failure: CodeFailure,
  ): void {
    const origin = { ip, device };
    const findUserId = async () => (await users.findByEmail(email))?.id;
    if (failure.outcome === 'refused') return void events.log({ kind: 'locked_out', ...origin });
    // Attempts beyond the limit are only logged.
    if (!failure.tried) return void events.log({ kind, ...origin });
    events.recordInBackground({ kind, ...origin }, findUserId);
    if (failure.lockedOut) events.recordInBackground({ kind: 'locked_out', ...origin }, findUserId);
  }

  /** Removes a nonce that this server did not issue to the browser. */
  function withIssuedNonce(proof: Proof, { browser }: SignInOrigin): Proof {
    if (proof.kind !== 'idToken' || proof.nonce === null) return proof;
    const isIssued =
      browser !== null && social.isIssuedTo(secrets.hashBrowser(browser), proof.nonce);
    return isIssued ? proof : { ...proof, nonce: null };
  }

  async function storePhoto(userId: string, address: string): Promise<void> {
    try {
      const photo = await renderPhoto(userId, await social.fetchPhoto(address));
      if (photo) await users.setFirstPhoto(userId, photo);
    } catch (error) {
      log.info({ err: error }, "the provider's profile picture could not be stored");
    }
  }

  async function signedIn(
    open: OpenSession,
    { ip, device }: SignInOrigin,
    time: Date,
  ): Promise<SignedIn> {
    await events.record({ kind: 'sign_in', userId: open.user.id, ip, device });
    return present(open, time);
  }

  async function present(open: OpenSession, time: Date): Promise<SignedIn> {
    const { user, sessionId, cookie, expiresAt } = open;
    const { id: userId, email, role } = user;
    const subject = { userId, sessionId, email, role };
    const session: Session = {
      token: await secrets.signToken(subject, time, expiresAt),
      exist: await artifactsRepository.hasAny(userId),
      question: user.questionnaireAnsweredAt === null,
      agreed: user.agreedTermsAt !== null,
      roles: role === 'ADMIN' ? ['USER', 'ADMIN'] : ['USER'],
    };
    return { session, cookie, expiresAt };
  }

  return {
    /**
     * Mails a code and, unless `origin` is null, a link to it. False if the newest mail must be used
     * instead. The result and its timing do not reveal whether the address has an account.
     * @throws HttpError 400 for an invalid address, 429 for too many codes, 503 if mail is down
     */
    async generateCode(codeRequest: CodeRequest, origin: string | null): Promise<boolean> {
      const email = normalizeEmail(codeRequest.email);
      const request = { ...codeRequest, email };
      const time = now();
      if (config.signup === 'open') return codes.issue(request, origin, time);
      const user = await users.findByEmail(email);
      return codes.issueInBackground(request, origin, time, user !== undefined || maySignUp(email));
    },

    /** @throws HttpError 401 for a wrong, used or expired code, 429 */
    async validateCode(entry: SignInOrigin & { email: string; code: string }): Promise<SignedIn> {
      const time = now();
      const signIn = normalize(entry);
      const opened = await database.transaction(async (tx) => {
        const failure = await codes.redeem(tx, signIn, time);
        return failure ?? (await openByEmail(tx, signIn.email, signIn, time)) ?? NOT_INVITED;
      });
      if ('outcome' in opened) {
        recordFailure('sign_in_failed', signIn, opened);
        throw codeRefused(opened, 401);
      }
      return signedIn(opened, signIn, time);
    },

    /** @throws HttpError 401 for a wrong, used or expired link */
    async signInWithLink(entry: SignInOrigin & { email: string; key: string }): Promise<SignedIn> {
      const time = now();
      const signIn = normalize(entry);
      const { email, key, ip, device } = signIn;
      const opened = await database.transaction(async (tx) =>
        (await codes.redeemLink(tx, email, key, time))
          ? openByEmail(tx, email, signIn, time)
          : undefined,
      );
      if (!opened) {
        void events.log({ kind: 'sign_in_failed', ip, device });
        const message =
          'This sign-in link was already used or is older than ten minutes. Please request a new mail.';
        throw new HttpError(401, 'invalid_link', message);
      }
      return signedIn(opened, signIn, time);
    },

    /** Makes the authentication of a session recent again. @throws HttpError 403, 429 */
    async confirm(caller: Caller, entry: Omit<CodeRequest, 'email'> & { code: string }) {
      const time = now();
      const { sessionId, device } = caller;
      const email = caller.email.toLowerCase();
      const failure = await database.transaction(async (tx) => {
        const failure = await codes.redeem(tx, { ...entry, email }, time);
        if (!failure && sessionId !== null) {
          const isCurrent = eq(sessionsTable.id, sessionId);
          await tx.update(sessionsTable).set({ provenAt: time }).where(isCurrent);
        }
        return failure;
      });
      const { ip } = entry;
      if (failure) {
        recordFailure('confirm_failed', { email, ip, device }, failure);
        throw codeRefused(failure, 403);
      }
      await events.by('confirmed', caller, ip);
    },

    async startSocialSignIn(
      request: Omit<AuthorizationRequest, 'nonce'> & { nonce?: string | undefined },
      browser: string,
    ) {
      const nonce = request.nonce || social.issueNonce(secrets.hashBrowser(browser));
      return { url: await social.authorizationUrl({ ...request, nonce }), nonce };
    },

    /** @throws HttpError 401, 403 for a new user if sign-up is closed, 429, 503 */
    async signInSocially(signIn: SignInOrigin & { proof: Proof }): Promise<SignedIn> {
      const time = now();
      const origin = normalizeOrigin(signIn);
      const { ip, device, networks } = origin;
      const identity = await social
        .identify(withIssuedNonce(signIn.proof, origin), networks, time)
        .catch((error: unknown) => {
          const isRefused = error instanceof HttpError && error.status === 401;
          if (isRefused) void events.log({ kind: 'sign_in_failed', ip, device });
          throw error;
        });
      const email = normalizeEmail(identity.email);
      const opened = await database.transaction(async (tx) => {
        const open = await openByEmail(tx, email, origin, time);
        if (open && identity.name) await users.setFirstName(tx, open.user.id, identity.name);
        return open;
      });
      if (!opened) {
        // The client has proven that the address is its user's, so this reveals nothing new.
        const message = 'Sign-up is closed on this server. Ask its operator for an invitation.';
        throw new HttpError(403, 'sign_up_closed', message);
      }
      const { id: userId, profileImage } = opened.user;
      if (identity.picture && !profileImage) {
        void background.run(storePhoto(userId, identity.picture), 'a picture was not stored');
      }
      return signedIn(opened, origin, time);
    },

    /**
     * Signs in the user whose passkey `prove` accepts, in the same transaction. Null if it rejects
     * the passkey, or the account is being deleted.
     * @throws HttpError 429
     */
    async signInWithPasskey(signIn: SignInOrigin, prove: ProvePasskey): Promise<SignedIn | null> {
      const time = now();
      const origin = normalizeOrigin(signIn);
      const { ip, device, networks } = origin;
      const undoFailure = await limits.presumeFailure('passkey', networks, time);
      const { userId, opened } = await database.transaction(async (tx) => {
        const { accepted, userId } = await prove(tx, time);
        const user = accepted ? await users.findById(userId, tx) : undefined;
        // An account that is being deleted has its ID as its address.
        const isOpen = user !== undefined && user.email !== user.id;
        return { userId, opened: isOpen ? await openSession(tx, user, origin, time) : null };
      });
      if (!opened) {
        await events.record({ kind: 'sign_in_failed', userId, ip, device });
        return null;
      }
      await undoFailure();
      return signedIn(opened, origin, time);
    },

    calls: createSignInCalls(config.publicUrl),
    assertSocialSignIn: social.assertEnabled,

    describeSocialSignIn: social.describe,

    /** @throws HttpError 401 if the cookie is missing or its session has ended */
    async refresh(cookie: SessionCookie | undefined, call: SessionCall): Promise<SignedIn> {
      if (!cookie) {
        const message = 'There is no session to restore. Please sign in.';
        throw new HttpError(401, 'no_session', message);
      }
      const time = now();
      const open = await database.transaction((tx) => sessions.restore(tx, cookie, call, time));
      if (open && 'copied' in open) {
        const { userId, device } = open.copied;
        await events.record({ kind: 'session_copied', userId, ip: call.ip, device });
      }
      if (!open || 'copied' in open) {
        throw new HttpError(401, 'session_ended', 'Your session has ended. Please sign in again.');
      }
      return present(open, time);
    },

    authenticate: sessions.authenticate,

    sessions,

    accounts: {
      find: users.findById,
      findByEmail: async (email: string) => identityOf(await users.findByEmail(email)),
      /** The account of the first admin or, if no admins are set, the oldest. */
      async findMain() {
        const [admin] = config.adminEmails;
        return identityOf(await (admin ? users.findByEmail(admin) : users.findOldest()));
      },
      update: (
        userId: string,
        { acceptTerms, ...changes }: UserChanges & { acceptTerms?: boolean | undefined },
      ): Promise<UserRow | undefined> =>
        users.update(userId, changes, acceptTerms ? now() : undefined),
      list: users.list,
      existingIds: users.existingIds,
      count: users.count,
      markQuestionnaireAnswered: (tx: Transaction, userId: string): Promise<void> =>
        users.markQuestionnaireAnswered(tx, userId, now()),
      /** Ends the sessions of an account that is being deleted, and frees its address. */
      async close(tx: Transaction, { userId, email }: Pick<Caller, 'userId' | 'email'>) {
        await codes.deleteAll(tx, email);
        await users.releaseEmail(tx, userId);
        await tx.delete(sessionsTable).where(eq(sessionsTable.userId, userId));
      },
      delete: users.delete,
    },

    /** Makes exactly the accounts in ENGRAM_ADMIN_EMAILS admins, also in open sessions. */
    assignRoles: (): Promise<void> => users.assignRoles([...admins]),

    async cleanUp(): Promise<void> {
      const { db } = database;
      const time = now();
      const ago = (days: number): Date => new Date(time.getTime() - days * DAY_MS);
      for (const table of [signInCodes, signInLinks, sessionsTable]) {
        await db.delete(table).where(lte(table.expiresAt, time));
      }
      await db.delete(attempts).where(lte(attempts.at, ago(1)));
      await db.delete(knownBrowsers).where(lte(knownBrowsers.signedInAt, ago(BROWSER_DAYS)));
    },
  };
}

export type AuthService = ReturnType<typeof createAuthService>;
