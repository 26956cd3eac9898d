import {
  type BodyOf,
  type addPasskey,
  type Passkey,
  PASSKEY_LIMIT,
  type PasskeyAssertion,
} from '@engram/contract';
import { randomUUID } from 'node:crypto';
import { and, desc, eq } from 'drizzle-orm';
import type { Core } from '../../composition/core.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { lockName } from '../../platform/database/sql.ts';
import { HttpError, limitReached } from '../../platform/http/errors.ts';
import type { Caller } from '../../platform/http/mount.ts';
import type { AuthService, SignedIn, SignInOrigin } from '../auth/auth.service.ts';
import { createChallenges } from './challenges.ts';
import { type PasskeyRow, passkeys } from './passkeys.tables.ts';

/** Loaded on demand, because its many modules would delay startup. */
const webauthn = () => import('./webauthn.ts');

/** The same error for every failed check, so that it does not reveal which passkeys exist. */
const passkeyRefused = (status: 400 | 401): HttpError => {
  const alternative = status === 401 ? ', or sign in with a code sent to your email' : '';
  const message = `The passkey was not accepted. Please try again${alternative}.`;
  return new HttpError(status, 'passkey_refused', message);
};

const passkeyNotFound = (): HttpError =>
  new HttpError(404, 'passkey_not_found', 'This passkey does not exist. It may have been removed.');

function assertWithinLimit(count: number): void {
  if (count >= PASSKEY_LIMIT) throw limitReached('too_many_passkeys', PASSKEY_LIMIT, 'passkeys');
}

/** The account's id in a passkey. */
const userHandleOf = (userId: string): Buffer<ArrayBuffer> =>
  Buffer.from(userId.replaceAll('-', ''), 'hex');

const present = ({ id, name, createdAt, lastUsedAt }: PasskeyRow): Passkey => ({
  id,
  name,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
});

/** Manages passkeys (WebAuthn), and signs users in with them. */
export function createPasskeysService(
  { config, storage: { database }, log, now }: Core,
  auth: Pick<AuthService, 'signInWithPasskey'>,
) {
  const { db } = database;
  const challenges = createChallenges(config.secret);
  const owned = (userId: string, id: string) =>
    and(eq(passkeys.id, id), eq(passkeys.userId, userId));
  const holderOf = ({ sessionId }: Caller): string => `session:${sessionId}`;

  const listRows = (userId: string, executor: Executor = db): Promise<PasskeyRow[]> =>
    executor
      .select()
      .from(passkeys)
      .where(eq(passkeys.userId, userId))
      .orderBy(desc(passkeys.createdAt), desc(passkeys.id));

  const expected = (origin: string, holder: string, at: Date) => ({
    origin,
    isExpected: (challenge: string) => challenges.isIssuedTo(holder, challenge, at),
  });

  /** The result; undefined if a check fails. */
  const orRejected = <T>(verification: Promise<T>): Promise<T | undefined> =>
    verification.catch((error: unknown) => {
      log.info({ err: error }, 'a passkey was rejected');
      return undefined;
    });

  return {
    list: async (userId: string): Promise<Passkey[]> => (await listRows(userId)).map(present),

    /** The options for creating a passkey in this session. @throws HttpError 409. */
    async startAdding(caller: Caller, origin: string) {
      const { userId, email } = caller;
      const known = await listRows(userId);
      assertWithinLimit(known.length);
      const { creationOptions } = await webauthn();
      return creationOptions({
        origin,
        challenge: challenges.issue(holderOf(caller), now()),
        userHandle: userHandleOf(userId),
        email,
        known: known.map(({ credentialId }) => credentialId),
      });
    },

    /** @throws HttpError 400 if a check fails, 409. */
    async add(
      caller: Caller,
      { name, credential }: BodyOf<typeof addPasskey>,
      origin: string,
    ): Promise<Passkey> {
      const { userId } = caller;
      const at = now();
      const { verifyRegistration } = await webauthn();
      const verified = await orRejected(
        verifyRegistration(credential, expected(origin, holderOf(caller), at)),
      );
      if (!verified) throw passkeyRefused(400);
      const row: PasskeyRow = {
        id: randomUUID(),
        userId,
        name,
        credentialId: verified.credential.id,
        publicKey: Buffer.from(verified.credential.publicKey),
        counter: verified.credential.counter,
        createdAt: at,
        lastUsedAt: null,
      };
      await database.transaction(async (tx) => {
        await lockName(tx, `passkeys:${userId}`);
        assertWithinLimit((await listRows(userId, tx)).length);
        const isFirst = await challenges.use(tx, verified.challenge, at);
        const added = isFirst
          ? await tx.insert(passkeys).values(row).onConflictDoNothing().returning()
          : [];
        if (added.length === 0) throw passkeyRefused(400);
      });
      return present(row);
    },

    /** @throws HttpError 404. */
    async rename(userId: string, id: string, name: string): Promise<Passkey> {
      const [row] = await db.update(passkeys).set({ name }).where(owned(userId, id)).returning();
      if (!row) throw passkeyNotFound();
      return present(row);
    },

    /** Returns the name of the removed passkey. @throws HttpError 404. */
    async remove(userId: string, id: string): Promise<string> {
      const [row] = await db.delete(passkeys).where(owned(userId, id)).returning();
      if (!row) throw passkeyNotFound();
      return row.name;
    },

    async removeAll(tx: Transaction, userId: string): Promise<void> {
      await tx.delete(passkeys).where(eq(passkeys.userId, userId));
    },

    /** The options for signing in from the browser with this cookie. */
    async startSignIn(browser: string, origin: string) {
      const { requestOptions } = await webauthn();
      return requestOptions(origin, challenges.issue(`browser:${browser}`, now()));
    },

    /** @throws HttpError 401 if a check fails, 429. */
    async signIn(
      signIn: SignInOrigin,
      credential: PasskeyAssertion,
      origin: string,
    ): Promise<SignedIn> {
      const { verifyAssertion } = await webauthn();
      const signedIn = await auth.signInWithPasskey(signIn, async (tx, at) => {
        const [row] = await tx
          .select()
          .from(passkeys)
          .where(eq(passkeys.credentialId, credential.id))
          .for('update');
        if (!row) return { accepted: false };
        const { id, userId } = row;
        const refused = { accepted: false, userId } as const;
        const handle = userHandleOf(userId).toString('base64url');
        if (credential.response.userHandle !== handle) return refused;
        const verified = await orRejected(
          verifyAssertion(credential, row, expected(origin, `browser:${signIn.browser}`, at)),
        );
        if (!verified || !(await challenges.use(tx, verified.challenge, at))) return refused;
        const { counter } = verified;
        await tx.update(passkeys).set({ counter, lastUsedAt: at }).where(owned(userId, id));
        return { accepted: true, userId };
      });
      if (!signedIn) throw passkeyRefused(401);
      return signedIn;
    },

    cleanUp: (): Promise<void> => challenges.cleanUp(db, now()),
  };
}

export type PasskeysService = ReturnType<typeof createPasskeysService>;
