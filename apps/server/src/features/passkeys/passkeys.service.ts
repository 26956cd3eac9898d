import {
  addPasskey,
  listPasskeys,
  type Passkey,
  PASSKEY_LIMIT,
  type PasskeyAssertion,
  removePasskey,
  renamePasskey,
  signInWithPasskey,
  startPasskey,
  startPasskeySignIn,
} from '@engram/contract';
import { randomUUID } from 'node:crypto';
import { and, desc, eq } from 'drizzle-orm';
import type { Caller, Mount } from '../../platform/http/mount.ts';
import type { Core } from '../../composition/core.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { lockName } from '../../platform/database/sql.ts';
import { HttpError, limitReached } from '../../platform/http/errors.ts';
import type { AuthService } from '../auth/auth.service.ts';
import type { SignedIn, SignInOrigin } from '../auth/sign-in-calls.ts';
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
  { config, storage: { database }, securityEvents, originOf, log, now }: Core,
  auth: Pick<AuthService, 'signInWithPasskey' | 'calls'>,
) {
  const { db } = database;
  const challenges = createChallenges(config.secret);
  const whereOwned = (userId: string, id: string) =>
    and(eq(passkeys.id, id), eq(passkeys.userId, userId));
  const holderOf = ({ sessionId }: Caller): string => `session:${sessionId}`;

  const listRows = (userId: string, executor: Executor = db): Promise<PasskeyRow[]> =>
    executor
      .select()
      .from(passkeys)
      .where(eq(passkeys.userId, userId))
      .orderBy(desc(passkeys.createdAt), desc(passkeys.id));

  const expected = (origin: string, holder: string, time: Date) => ({
    origin,
    isExpected: (challenge: string) => challenges.isIssuedTo(holder, challenge, time),
  });

  /** The result; undefined if a check fails. */
  const orRejected = <T>(verification: Promise<T>): Promise<T | undefined> =>
    verification.catch((error: unknown) => {
      log.info({ err: error }, 'a passkey was rejected');
      return undefined;
    });

  /** @throws HttpError 401 if a check fails, 429. */
  async function signIn(
    client: SignInOrigin,
    credential: PasskeyAssertion,
    origin: string,
  ): Promise<SignedIn> {
    const { verifyAssertion } = await webauthn();
    const signedIn = await auth.signInWithPasskey(client, async (tx, time) => {
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
        verifyAssertion(credential, row, expected(origin, `browser:${client.browser}`, time)),
      );
      if (!verified || !(await challenges.use(tx, verified.challenge, time))) return refused;
      const { counter } = verified;
      await tx.update(passkeys).set({ counter, lastUsedAt: time }).where(whereOwned(userId, id));
      return { accepted: true, userId };
    });
    if (!signedIn) throw passkeyRefused(401);
    return signedIn;
  }

  return {
    routes(mount: Mount): void {
      const { assertOwnSite, cookies, signInOrigin, answer } = auth.calls;
      mount(listPasskeys, async ({ caller }) => ({
        data: (await listRows(caller.userId)).map(present),
      }));
      mount(startPasskey, async ({ caller, request }) => {
        const { userId, email } = caller;
        const known = await listRows(userId);
        assertWithinLimit(known.length);
        const { creationOptions } = await webauthn();
        const options = await creationOptions({
          origin: originOf(request),
          challenge: challenges.issue(holderOf(caller), now()),
          userHandle: userHandleOf(userId),
          email,
          known: known.map(({ credentialId }) => credentialId),
        });
        return { data: { ...options } };
      });
      mount(addPasskey, async ({ body: { name, credential }, caller, ip, request }) => {
        const { userId } = caller;
        const time = now();
        const { verifyRegistration } = await webauthn();
        const verified = await orRejected(
          verifyRegistration(credential, expected(originOf(request), holderOf(caller), time)),
        );
        if (!verified) throw passkeyRefused(400);
        const row: PasskeyRow = {
          id: randomUUID(),
          userId,
          name,
          credentialId: verified.credential.id,
          publicKey: Buffer.from(verified.credential.publicKey),
          counter: verified.credential.counter,
          createdAt: time,
          lastUsedAt: null,
        };
        await database.transaction(async (tx) => {
          await lockName(tx, `passkeys:${userId}`);
          assertWithinLimit((await listRows(userId, tx)).length);
          const isFirst = await challenges.use(tx, verified.challenge, time);
          const added = isFirst
            ? await tx.insert(passkeys).values(row).onConflictDoNothing().returning()
            : [];
          if (added.length === 0) throw passkeyRefused(400);
        });
        await securityEvents.by('passkey_added', caller, ip, name);
        return { data: present(row) };
      });
      mount(renamePasskey, async ({ body: { name }, caller, params }) => {
        const isOwned = whereOwned(caller.userId, params.id);
        const [row] = await db.update(passkeys).set({ name }).where(isOwned).returning();
        if (!row) throw passkeyNotFound();
        return { data: present(row) };
      });
      mount(removePasskey, async ({ caller, ip, params }) => {
        const isOwned = whereOwned(caller.userId, params.id);
        const [row] = await db.delete(passkeys).where(isOwned).returning();
        if (!row) throw passkeyNotFound();
        await securityEvents.by('passkey_removed', caller, ip, row.name);
        return { data: null };
      });
      mount(startPasskeySignIn, async ({ request, reply }) => {
        assertOwnSite(request);
        const { requestOptions } = await webauthn();
        const challenge = challenges.issue(`browser:${cookies.ensureBrowser(reply)}`, now());
        // The options do not name an account.
        return { data: { ...(await requestOptions(originOf(request), challenge)) } };
      });
      mount(signInWithPasskey, async ({ body, request, reply }) => {
        assertOwnSite(request);
        const origin = signInOrigin(request, body);
        return answer(reply, await signIn(origin, body.credential, originOf(request)));
      });
    },
    async removeAll(tx: Transaction, userId: string): Promise<void> {
      await tx.delete(passkeys).where(eq(passkeys.userId, userId));
    },
    cleanUp: (): Promise<void> => challenges.cleanUp(db, now()),
  };
}

export type PasskeysService = ReturnType<typeof createPasskeysService>;
