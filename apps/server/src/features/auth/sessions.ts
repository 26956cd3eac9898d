import {
  endSession,
  endSessions,
  listSessions,
  logout,
  type OpenSession as ListedSession,
  SESSION_DAYS,
} from '@engram/contract';
import type { FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import { and, desc, eq, gt, ne, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Core } from '../../composition/core.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { HttpError } from '../../platform/http/errors.ts';
import type { Caller, Mount } from '../../platform/http/mount.ts';
import { sameText } from '../../platform/http/signed-tokens.ts';
import type { SecurityEvents } from '../security-events/security-events.service.ts';
import { knownBrowsers, type SessionRow, sessions, type UserRow, users } from './auth.tables.ts';
import type { AuthCookies, SessionCookie } from './cookies.ts';
import type { Secrets } from './secrets.ts';
import type { SignInTrace } from './users.repository.ts';

const SESSION_TTL_MS = 7 * 24 * 60 * 60_000;
const MAX_SESSION_MS = SESSION_DAYS * 24 * 60 * 60_000;
/** How long a replaced refresh secret is accepted from tabs that refresh concurrently. */
const REFRESH_GRACE_MS = 10_000;

export interface OpenSession {
  user: UserRow;
  sessionId: string;
  cookie: string;
  expiresAt: Date;
}

export interface SessionCall {
  ip: string;
  /** Whether the response's cookie has the prefix __Secure-. */
  secured: boolean;
}

const cookieParts = z.tuple([z.uuid(), z.string().min(1)]);

const endOf = (createdAt: Date, renewedAt: Date): Date =>
  new Date(Math.min(renewedAt.getTime() + SESSION_TTL_MS, createdAt.getTime() + MAX_SESSION_MS));

const present = (
  { id, device, ip, location, createdAt, lastUsedAt, expiresAt }: SessionRow,
  currentId: string | null,
): ListedSession => ({
  id,
  device,
  ip,
  location,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
  current: id === currentId,
});

/** Deletes known browsers without a session: all but `except`, or only `only`. */
async function deleteKnownBrowsers(
  tx: Executor,
  userId: string,
  { only = null, except = '' }: { only?: string | null; except?: string },
): Promise<void> {
  await tx.execute(sql`
    DELETE FROM known_browsers
    WHERE user_id = ${userId} AND browser <> ${except} AND browser = coalesce(${only}, browser)
      AND browser NOT IN (
        SELECT browser FROM sessions WHERE user_id = ${userId} AND browser IS NOT NULL)`);
}

/** Sessions. A cookie with the ID and a secret, which is replaced at each use, restores a session. */
export function createSessions(
  { storage: { database }, now }: Pick<Core, 'storage' | 'now'>,
  secrets: Secrets,
  events: SecurityEvents,
) {
  const { db } = database;

  const listRows = (userId: string): Promise<SessionRow[]> =>
    db
      .select()
      .from(sessions)
      .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, now())))
      .orderBy(desc(sessions.lastUsedAt), desc(sessions.id));

  const remove = async (tx: Executor, userId: string, id: string) => {
    const isOwned = and(eq(sessions.id, id), eq(sessions.userId, userId));
    const [row] = await tx.delete(sessions).where(isOwned).returning();
    return row;
  };

  return {
    /** Opens a session, and stores its browser as known. */
    async open(
      tx: Transaction,
      user: UserRow,
      origin: SignInTrace & SessionCall & Pick<SessionRow, 'browser'>,
      time: Date,
    ): Promise<OpenSession> {
      const id = randomUUID();
      const refreshSecret = secrets.newRefreshSecret();
      const expiresAt = endOf(time, time);
      const { ip, device, location, browser, secured } = origin;
      const refreshHash = secrets.hashRefreshSecret(refreshSecret);
      const times = { createdAt: time, lastUsedAt: time, provenAt: time, expiresAt };
      const client = { ip, device, location, browser, secured };
      await tx.insert(sessions).values({ id, userId: user.id, refreshHash, ...times, ...client });
      if (browser !== null) {
        await tx
          .insert(knownBrowsers)
          .values({ userId: user.id, browser, signedInAt: time })
          .onConflictDoUpdate({
            target: [knownBrowsers.userId, knownBrowsers.browser],
            set: { signedInAt: time },
          });
      }
      return { user, sessionId: id, cookie: `${id}.${refreshSecret}`, expiresAt };
    },

    /**
     * Restores a session by its cookie. Returns null if the session has ended or needs a cookie with the
     * prefix __Secure-. A cookie that was already replaced ends the session, because it must be a copy.
     */
    async restore(
      tx: Transaction,
      cookie: SessionCookie,
      call: SessionCall,
      time: Date,
    ): Promise<OpenSession | { copied: SessionRow } | null> {
      const parts = cookieParts.safeParse(cookie.value.split('.'));
      if (!parts.success) return null;
      const [sessionId, refreshSecret] = parts.data;
      const [row] = await tx
        .select({ session: sessions, user: users })
        .from(sessions)
        .innerJoin(users, eq(users.id, sessions.userId))
        .where(and(eq(sessions.id, sessionId), gt(sessions.expiresAt, time)))
        .for('update', { of: sessions });
      if (!row) return null;
      const { session, user } = row;
      const { refreshHash, createdAt, lastUsedAt } = session;
      const renewedJustNow =
        lastUsedAt > createdAt && time.getTime() - lastUsedAt.getTime() <= REFRESH_GRACE_MS;
      if (session.secured && !cookie.secured && !renewedJustNow) return null;
      const open = (secret: string, expiresAt = session.expiresAt): OpenSession => ({
        user,
        sessionId,
        cookie: `${sessionId}.${secret}`,
        expiresAt,
      });
      const next = secrets.nextRefreshSecret(sessionId, refreshSecret);
      const nextHash = secrets.hashRefreshSecret(next);
      const isCurrent = sameText(secrets.hashRefreshSecret(refreshSecret), refreshHash);
      // Tabs that start together send the same cookie and get the same next one.
      if (renewedJustNow && isCurrent) return open(refreshSecret);
      if (renewedJustNow && sameText(nextHash, refreshHash)) return open(next);
      if (!isCurrent) {
        await remove(tx, session.userId, sessionId);
        return { copied: session };
      }
      const expiresAt = endOf(createdAt, time);
      const { ip, secured } = call;
      const changes = { refreshHash: nextHash, expiresAt, lastUsedAt: time, ip, secured };
      await tx.update(sessions).set(changes).where(eq(sessions.id, sessionId));
      return open(next, expiresAt);
    },

    /** Finds the caller of a bearer token. @throws HttpError 401 if its session has ended */
    async authenticate({ headers }: Pick<FastifyRequest, 'headers'>): Promise<Caller> {
      const token = /^Bearer +(\S+)$/iu.exec(headers.authorization ?? '')?.[1];
      const time = now();
      const claims = token ? await secrets.readToken(token, time) : null;
      if (claims) {
        const { sessionId, userId } = claims;
        const isOpen = and(eq(sessions.id, sessionId), gt(sessions.expiresAt, time));
        const { email, role } = users;
        const { device, provenAt } = sessions;
        const [user] = await db
          .select({ userId: users.id, sessionId: sessions.id, email, role, device, provenAt })
          .from(sessions)
          .innerJoin(users, eq(users.id, sessions.userId))
          .where(and(isOpen, eq(users.id, userId)));
        if (user) return { ...user, apiKeyId: null, connectionId: null, readOnly: false };
      }
      throw new HttpError(401, 'not_signed_in', 'Please sign in.');
    },

    routes(mount: Mount, { clearSession }: Pick<AuthCookies, 'clearSession'>): void {
      mount(logout, async ({ caller, ip, reply }) => {
        const { userId, sessionId } = caller;
        if (sessionId && (await remove(db, userId, sessionId)))
          await events.by('session_ended', caller, ip);
        clearSession(reply);
        return { data: null };
      });
      mount(listSessions, async ({ caller: { userId, sessionId } }) => ({
        data: (await listRows(userId)).map((row) => present(row, sessionId)),
      }));
      // Unless the session made this call, its browser is no longer known.
      mount(endSession, async ({ caller, ip, params: { sessionId }, reply }) => {
        const { userId } = caller;
        const isCurrent = sessionId === caller.sessionId;
        await database.transaction(async (tx) => {
          const ended = await remove(tx, userId, sessionId);
          if (!ended) throw new HttpError(404, 'session_not_found', 'There is no such session.');
          if (ended.browser && !isCurrent) {
            await deleteKnownBrowsers(tx, userId, { only: ended.browser });
          }
        });
        await events.by('session_ended', caller, ip);
        if (isCurrent) clearSession(reply);
        return { data: null };
      });
      // The caller's browser stays known, so that strangers cannot lock the user out of it.
      mount(endSessions, async ({ caller, ip, query: { current = false }, reply }) => {
        const { userId, sessionId } = caller;
        const open = await listRows(userId);
        const browser = open.find(({ id }) => id === sessionId)?.browser ?? '';
        const isOther = current || !sessionId ? undefined : ne(sessions.id, sessionId);
        const ended = await database.transaction(async (tx) => {
          const rows = await tx
            .delete(sessions)
            .where(and(eq(sessions.userId, userId), isOther))
            .returning({ id: sessions.id });
          await deleteKnownBrowsers(tx, userId, { except: browser });
          return rows.length;
        });
        if (ended > 0) await events.by('session_ended', caller, ip);
        if (current) clearSession(reply);
        return { data: { ended } };
      });
    },
  };
}
