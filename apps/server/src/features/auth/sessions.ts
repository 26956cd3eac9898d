import { type OpenSession as ListedSession, SESSION_DAYS } from '@engram/contract';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Executor } from '../../platform/database/database.ts';
import type { SessionRow, UserRow } from './auth.tables.ts';
import { sameText } from '../../platform/http/signed-tokens.ts';
import type { SessionCookie } from './cookies.ts';
import type { Secrets } from './secrets.ts';
import type { SessionsRepository } from './sessions.repository.ts';
import type { SignInTrace } from './users.repository.ts';

/** How long a session lives after its cookie was last renewed, in milliseconds. */
const SESSION_TTL_MS = 7 * 24 * 60 * 60_000;
/** How long it lives at most, in milliseconds. */
const SESSION_LIFE_MS = SESSION_DAYS * 24 * 60 * 60_000;
/** How long a replaced refresh secret is still taken, for tabs that renew at once, in milliseconds. */
const REFRESH_GRACE_MS = 10_000;

export interface OpenSession {
  user: UserRow;
  sessionId: string;
  /** What the cookie is to hold. */
  cookie: string;
  expiresAt: Date;
}

/** How a session is opened or restored. */
export interface SessionCall {
  ip: string;
  /** Whether the cookie that this answers carries the prefix of https. */
  secured: boolean;
}

/** Where a session is opened, and by whom. */
export type SessionOrigin = SignInTrace & SessionCall & Pick<SessionRow, 'browser'>;

interface Renewal {
  refreshSecret: string;
  expiresAt: Date;
}

const cookieParts = z.tuple([z.uuid(), z.string().min(1)]);

const endOf = (createdAt: Date, renewedAt: Date): Date =>
  new Date(Math.min(renewedAt.getTime() + SESSION_TTL_MS, createdAt.getTime() + SESSION_LIFE_MS));

/** Sessions, each kept alive by a cookie of its id and a secret that is replaced at every use. */
export function createSessions({
  repository,
  secrets,
}: {
  repository: SessionsRepository;
  secrets: Secrets;
}) {
  /**
   * Replaces the secret, unless that was done just now: tabs that start together show the same
   * cookie and all get the same next one. A secret that was replaced longer ago has been copied,
   * and ends the session for whoever holds it.
   */
  async function renew(
    tx: Executor,
    session: SessionRow,
    cookie: SessionCookie & { refreshSecret: string },
    call: SessionCall,
    at: Date,
  ): Promise<Renewal | 'copied' | null> {
    const { id, userId, refreshHash, createdAt, lastUsedAt, expiresAt } = session;
    const { refreshSecret } = cookie;
    const renewedJustNow =
      lastUsedAt > createdAt && at.getTime() - lastUsedAt.getTime() <= REFRESH_GRACE_MS;
    const next = secrets.nextRefreshSecret(id, refreshSecret);
    const nextHash = secrets.hashRefreshSecret(next);

    if (session.secured && !cookie.secured && !renewedJustNow) return null;
    if (sameText(secrets.hashRefreshSecret(refreshSecret), refreshHash)) {
      if (renewedJustNow) return { refreshSecret, expiresAt };
      const renewal = { refreshHash: nextHash, expiresAt: endOf(createdAt, at), lastUsedAt: at };
      await repository.update(tx, id, { ...renewal, ...call });
      return { refreshSecret: next, expiresAt: renewal.expiresAt };
    }
    if (renewedJustNow && sameText(nextHash, refreshHash)) {
      return { refreshSecret: next, expiresAt };
    }
    await repository.delete(userId, id, tx);
    return 'copied';
  }

  return {
    async open(
      tx: Executor,
      user: UserRow,
      { ip, device, location, browser, secured }: SessionOrigin,
      at: Date,
    ): Promise<OpenSession> {
      const id = randomUUID();
      const refreshSecret = secrets.newRefreshSecret();
      const expiresAt = endOf(at, at);
      await repository.insert(tx, {
        id,
        userId: user.id,
        refreshHash: secrets.hashRefreshSecret(refreshSecret),
        createdAt: at,
        expiresAt,
        device,
        ip,
        location,
        browser,
        lastUsedAt: at,
        provenAt: at,
        secured,
      });
      return { user, sessionId: id, cookie: `${id}.${refreshSecret}`, expiresAt };
    },

    /**
     * Answers null when the cookie's session has ended, and the session where it ends because of a
     * cookie that was replaced before. A cookie without the
     * prefix of https restores only a session that never had one with it.
     */
    async restore(
      tx: Executor,
      cookie: SessionCookie,
      call: SessionCall,
      at: Date,
    ): Promise<OpenSession | { copiedOf: SessionRow } | null> {
      const parts = cookieParts.safeParse(cookie.value.split('.'));
      if (!parts.success) return null;
      const [sessionId, refreshSecret] = parts.data;
      const found = await repository.lock(tx, sessionId, at);
      const shown = { ...cookie, refreshSecret };
      const renewal = found && (await renew(tx, found.session, shown, call, at));
      if (!renewal) return null;
      if (renewal === 'copied') return { copiedOf: found.session };
      return {
        user: found.user,
        sessionId,
        cookie: `${sessionId}.${renewal.refreshSecret}`,
        expiresAt: renewal.expiresAt,
      };
    },
  };
}

/** A session as its person sees it. */
export const presentSession = (
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
