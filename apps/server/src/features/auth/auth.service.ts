import type { SecurityEventKind, Session } from '@engram/contract';
import type { FastifyBaseLogger } from 'fastify';
import { randomUUID } from 'node:crypto';
import type { Config } from '../../config.ts';
import type { Background } from '../../platform/background.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { FetchBounds } from '../../platform/http/bounded-fetch.ts';
import { HttpError } from '../../platform/http/errors.ts';
import type { Caller } from '../../platform/http/mount.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import type { SecurityEvents } from '../security-events/security-events.service.ts';
import * as errors from './auth.errors.ts';
import { createAuthRepository } from './auth.repository.ts';
import type { UserRow } from './auth.tables.ts';
import { createFailedSignIns } from './failed-sign-ins.ts';
import { createIdTokenNonces } from './id-token-nonces.ts';
import type { AuthorizationRequest, Proof } from './identity-provider.ts';
import { createPeopleRepository } from './people.repository.ts';
import { createSecrets } from './secrets.ts';
import type { SessionCookie } from './cookies.ts';
import { createSessionsRepository } from './sessions.repository.ts';
import { createSessionsService } from './sessions.service.ts';
import { createSessions, type OpenSession, type SessionCall } from './sessions.ts';
import {
  codeRefused,
  type CodeRequest,
  createSignInCodes,
  type Redeemed,
} from './sign-in-codes.ts';
import { normalizeEmail, withoutControls } from './sign-in-input.ts';
import { createSocialSignIn } from './social-sign-in.ts';
import { createUsersRepository, type SignInTrace, type UserChanges } from './users.repository.ts';

export interface AuthDependencies {
  database: Pick<Database, 'db' | 'transaction'>;
  config: Pick<
    Config,
    | 'secret'
    | 'signup'
    | 'adminEmails'
    | 'invitedEmails'
    | 'rateLimits'
    | 'codesPerAddress'
    | 'mailsPerAddress'
    | 'codesPerIp'
    | 'failedSignInsPerIp'
    | 'wrongCodesPerAddress'
    | 'googleClientId'
    | 'googleClientSecret'
    | 'googleIssuer'
  >;
  mailer: Pick<Mailer, 'send' | 'check'>;
  log: Pick<FastifyBaseLogger, 'warn' | 'info'>;
  background: Background;
  now: () => Date;
  /** How servers that are not ours are asked. */
  outside: Pick<FetchBounds, 'fetch' | 'clock'>;
  hasArtifacts: (userId: string) => Promise<boolean>;
  /** A picture as a small square JPEG; null where it is none that can be drawn. */
  drawPhoto: (userId: string, picture: Uint8Array) => Promise<Buffer | null>;
  events: Pick<SecurityEvents, 'record' | 'by' | 'log' | 'recordUnseen'>;
  /** Gives a new account what it starts with, in the transaction that makes it. */
  onNewUser: (tx: Transaction, userId: string) => Promise<void>;
}

/** Where a sign-in comes from, and how its cookies are set. */
export type SignInOrigin = SignInTrace & SessionCall & Pick<CodeRequest, 'browser' | 'networks'>;
export type SignIn = SignInOrigin & { email: string; code: string };
export type LinkSignIn = SignInOrigin & { email: string; key: string };
export type SocialSignIn = SignInOrigin & { proof: Proof };

/** A session as the caller gets it, and what its cookie is to hold until when. */
export interface SignedIn {
  session: Session;
  cookie: string;
  expiresAt: Date;
}

const placeOf = ({ ip, device }: SignInTrace) => ({ ip, device });

const lowerCased = (emails: readonly string[]): ReadonlySet<string> =>
  new Set(emails.map((email) => email.toLowerCase()));

/** Signing in by mailed code, sessions that can be revoked, and who a token belongs to. */
export function createAuthService(deps: AuthDependencies) {
  const { database, config, now, hasArtifacts, onNewUser, events } = deps;
  const repository = createAuthRepository(database);
  const users = createUsersRepository(database);
  const secrets = createSecrets(config.secret);
  const nonces = createIdTokenNonces(config.secret, now);
  const sessionsRepository = createSessionsRepository(database);
  const sessions = createSessions({ repository: sessionsRepository, secrets });
  const sessionsService = createSessionsService({
    database,
    repository: sessionsRepository,
    browsers: repository,
    secrets,
    events,
    now,
  });
  const limited = config.rateLimits === 'on';
  const failures = createFailedSignIns({
    database,
    repository,
    secrets,
    limit: limited ? config.failedSignInsPerIp : null,
  });
  const limits = limited
    ? {
        mailsPerNetwork: config.codesPerAddress,
        mailsPerAddress: config.mailsPerAddress,
        codesPerIp: config.codesPerIp,
        wrongPerAddress: config.wrongCodesPerAddress,
      }
    : null;
  const codes = createSignInCodes({ ...deps, repository, secrets, failures, limits });
  const social = createSocialSignIn({ ...deps, settings: config, failures, users });
  const admins = lowerCased(config.adminEmails);
  const invited = lowerCased([...config.adminEmails, ...config.invitedEmails]);

  const maySignUp = (email: string): boolean =>
    config.signup === 'open' || (config.signup === 'invited' && invited.has(email));

  async function findOrCreateUser(
    tx: Transaction,
    email: string,
    at: Date,
  ): Promise<UserRow | undefined> {
    const known = await users.findByEmail(email, tx);
    if (known || !maySignUp(email)) return known;
    const created = await users.insert(tx, { id: randomUUID(), email, createdAt: at });
    if (!created) return users.findByEmail(email, tx);
    await onNewUser(tx, created.id);
    return created;
  }

  /** Answers what `redeem` does where the code opens no session. */
  async function openWithCode(tx: Transaction, signIn: SignIn, at: Date) {
    const redeemed = await codes.redeem(tx, signIn, at);
    if (redeemed.outcome !== 'right') return redeemed;
    const open = await openFor(tx, signIn.email, signIn, at);
    return open ?? ({ outcome: 'wrong', usedUp: false, tried: true, lockedOut: false } as const);
  }

  /** Opens a session for whoever has proven whose address it is; undefined where they may not sign up. */
  async function openFor(tx: Transaction, email: string, origin: SignInOrigin, at: Date) {
    const user = await findOrCreateUser(tx, email, at);
    if (!user) return undefined;
    const role = admins.has(user.email) ? 'ADMIN' : 'USER';
    const browser = origin.browser === null ? null : secrets.hashBrowser(origin.browser);
    await users.recordSignIn(tx, user.id, origin, role);
    if (browser !== null) await repository.knowBrowser(tx, user.id, browser, at);
    return sessions.open(tx, { ...user, role }, { ...origin, browser }, at);
  }

  /** Notes a code that was not right for whoever has the address, if anybody has. */
  function noteFailure(
    kind: SecurityEventKind,
    { email, ip, device = null }: { email: string; ip: string; device?: string | null },
    redeemed: Exclude<Redeemed, { outcome: 'right' }>,
  ): void {
    const origin = { ip, device };
    const findUserId = async () => (await users.findByEmail(email))?.id;
    if (redeemed.outcome === 'refused') return void events.log({ kind: 'locked_out', ...origin });
    // However often a code is tried that is used up, its person hears of the tries that counted.
    if (!redeemed.tried) return void events.log({ kind, ...origin });
    events.recordUnseen({ kind, ...origin }, findUserId);
    if (redeemed.lockedOut) events.recordUnseen({ kind: 'locked_out', ...origin }, findUserId);
  }

  /** The proof without its nonce where that was not given to this browser. */
  function checked(proof: Proof, { browser }: SignInOrigin): Proof {
    if (proof.kind !== 'idToken' || proof.nonce === null) return proof;
    const ours = browser !== null && nonces.isGivenTo(secrets.hashBrowser(browser), proof.nonce);
    return ours ? proof : { ...proof, nonce: null };
  }

  /** Records that a session was opened, and answers it. */
  async function signedIn(open: OpenSession, origin: SignInOrigin, at: Date): Promise<SignedIn> {
    await events.record({ kind: 'sign_in', userId: open.user.id, ...placeOf(origin) });
    return present(open, at);
  }

  async function present(open: OpenSession, at: Date): Promise<SignedIn> {
    const { user, sessionId, cookie, expiresAt } = open;
    const { id: userId, email, role } = user;
    const subject = { userId, sessionId, email, role };
    const session: Session = {
      token: await secrets.signToken(subject, at, expiresAt),
      exist: await hasArtifacts(userId),
      question: user.questionnaireAnsweredAt === null,
      agreed: user.agreedTermsAt !== null,
      roles: role === 'ADMIN' ? ['USER', 'ADMIN'] : ['USER'],
    };
    return { session, cookie, expiresAt };
  }

  return {
    /**
     * Mails a code and a link to `origin` (none where that is null) to an address. Answers false
     * where enough mails were sent, and the newest one is to be used. The answer, and how long it
     * takes, are the same whether or not the address has an account.
     * @throws HttpError 400 for a bad address, 429 when the network asked for too many codes, 503 when
     * mail is down.
     */
    async generateCode(given: CodeRequest, origin: string | null): Promise<boolean> {
      const request = { ...given, email: normalizeEmail(given.email) };
      const { email } = request;
      const at = now();
      if (config.signup === 'open') return codes.issue(request, origin, at);
      const known = await users.findByEmail(email);
      return codes.issueUnseen(request, origin, at, known !== undefined || maySignUp(email));
    },

    /**
     * Signs in with a mailed code, making the account at the first time.
     * @throws HttpError 401 for a code that is wrong, used or expired, with a code of its own after
     * the last try, 429 beyond the limits.
     */
    async validateCode(given: SignIn): Promise<SignedIn> {
      const at = now();
      const signIn = { ...withoutControls(given), email: normalizeEmail(given.email) };
      const opened = await database.transaction((tx) => openWithCode(tx, signIn, at));
      if ('outcome' in opened) {
        noteFailure('sign_in_failed', signIn, opened);
        throw codeRefused(opened, 401);
      }
      return signedIn(opened, signIn, at);
    },

    /**
     * Signs in with the link of a mail, making the account at the first time.
     * @throws HttpError 401 for a link that is wrong, used or expired.
     */
    async signInWithLink(given: LinkSignIn): Promise<SignedIn> {
      const at = now();
      const signIn = { ...withoutControls(given), email: normalizeEmail(given.email) };
      const opened = await database.transaction(async (tx) =>
        (await codes.redeemLink(tx, signIn.email, signIn.key, at))
          ? openFor(tx, signIn.email, signIn, at)
          : undefined,
      );
      if (!opened) {
        void events.log({ kind: 'sign_in_failed', ...placeOf(signIn) });
        throw errors.invalidLink();
      }
      return signedIn(opened, signIn, at);
    },

    /**
     * Makes the proof of a session a fresh one, by a code that was mailed to its person.
     * @throws HttpError 403 for a code that is wrong, used or expired, 429 beyond the limits.
     */
    async confirm(caller: Caller, given: Omit<CodeRequest, 'email'> & { code: string }) {
      const at = now();
      const { sessionId, device } = caller;
      const email = caller.email.toLowerCase();
      const redeemed = await database.transaction(async (tx) => {
        const outcome = await codes.redeem(tx, { ...given, email }, at);
        if (outcome.outcome === 'right' && sessionId !== null) {
          await sessionsRepository.update(tx, sessionId, { provenAt: at });
        }
        return outcome;
      });
      const { ip } = given;
      if (redeemed.outcome !== 'right') {
        noteFailure('confirm_failed', { email, ip, device }, redeemed);
        throw codeRefused(redeemed, 403);
      }
      await events.by('confirmed', caller, ip);
    },

    /**
     * The address of Google's page that asks the person, and the nonce that it is asked with.
     * @throws HttpError 503 when that is not set up, or Google cannot be reached.
     */
    async startSocialSignIn(
      {
        nonce = '',
        ...request
      }: Omit<AuthorizationRequest, 'nonce'> & { nonce?: string | undefined },
      browser: string,
    ) {
      const asked = nonce || nonces.issue(secrets.hashBrowser(browser));
      return { url: await social.authorizationUrl({ ...request, nonce: asked }), nonce: asked };
    },

    /**
     * Signs in by what Google says, making the account at the first time. The name and the picture
     * that Google knows are kept where the person has none.
     * @throws HttpError 401 when Google does not vouch for the person, 403 when they may not sign
     * up, 429 beyond the limits, 503 when Google cannot be asked.
     */
    async signInSocially({ proof, ...given }: SocialSignIn): Promise<SignedIn> {
      const at = now();
      const origin = withoutControls(given);
      const identity = await social
        .identify(checked(proof, given), given.networks, at)
        .catch((error: unknown) => {
          const refused = error instanceof HttpError && error.status === 401;
          if (refused) void events.log({ kind: 'sign_in_failed', ...placeOf(origin) });
          throw error;
        });
      const email = normalizeEmail(identity.email);
      const opened = await database.transaction(async (tx) => {
        const open = await openFor(tx, email, origin, at);
        if (open && identity.name) await users.setFirstName(tx, open.user.id, identity.name);
        return open;
      });
      if (!opened) throw errors.signUpClosed();
      social.keepPhotoInBackground(opened.user, identity);
      return signedIn(opened, origin, at);
    },

    /** @throws HttpError 503 where people cannot sign in with Google. */
    assertSocialSignIn: social.assertOn,

    /** Whether people can sign in with Google, and why not where they cannot. */
    describeSocialSignIn: social.describe,

    /**
     * Restores a session from its cookie.
     * @throws HttpError 401 when there is no cookie, or its session has ended.
     */
    async refresh(cookie: SessionCookie | undefined, call: SessionCall): Promise<SignedIn> {
      if (!cookie) throw errors.noSession();
      const at = now();
      const open = await database.transaction((tx) => sessions.restore(tx, cookie, call, at));
      if (open && 'copiedOf' in open) {
        const { userId, device } = open.copiedOf;
        await events.record({ kind: 'session_copied', userId, ip: call.ip, device });
      }
      if (!open || 'copiedOf' in open) throw errors.sessionEnded();
      return present(open, at);
    },

    authenticate: sessionsService.authenticate,

    /** Where people are signed in, and how they end that. */
    sessions: sessionsService,

    /** Accounts, for the features that show or change them. */
    accounts: {
      find: (userId: string): Promise<UserRow | undefined> => users.findById(userId),
      emailOf: users.emailOf,
      /** The account with an address, as it spells it. */
      async ofEmail(email: string): Promise<{ userId: string; email: string } | null> {
        const row = await users.findByEmail(email);
        return row ? { userId: row.id, email: row.email } : null;
      },
      /** Changes an account; undefined stays as it is, and so do terms that were accepted. */
      update: (
        userId: string,
        {
          acceptTerms,
          ...changes
        }: Omit<UserChanges, 'agreedTermsAt'> & { acceptTerms?: boolean | undefined },
      ): Promise<UserRow | undefined> =>
        users.update(userId, { ...changes, agreedTermsAt: acceptTerms ? now() : undefined }),
      /** The accounts of everybody, for admins. */
      people: createPeopleRepository(database),
      /** Of the given ids those that are accounts. */
      existing: users.existing,
      count: users.count,
      /** Keeps that all questions of the start are answered, and when that was first. */
      markQuestionnaireAnswered: (tx: Transaction, userId: string): Promise<void> =>
        users.markQuestionnaireAnswered(tx, userId, now()),
      /** Ends an account's sessions and frees its address, of which nothing is left. */
      async close(tx: Transaction, { userId, email }: Pick<Caller, 'userId' | 'email'>) {
        await codes.forget(tx, email);
        await users.releaseEmail(tx, userId);
        await sessionsRepository.deleteAll(tx, userId);
      },
      /** Deletes an account and all rows that hang on it. */
      delete: users.delete,
    },

    /**
     * Makes the settings' word on who is an admin that of every account: somebody who is not named
     * any more is no admin from the start of the server on, in sessions that go on too.
     */
    assignRoles: (): Promise<void> => users.assignRoles([...admins]),

    /** Deletes expired sessions and codes, and attempts that no longer count. */
    async cleanUp(): Promise<void> {
      await sessionsRepository.deleteExpired(now());
      await repository.deleteExpired(now());
    },
  };
}

export type AuthService = ReturnType<typeof createAuthService>;
