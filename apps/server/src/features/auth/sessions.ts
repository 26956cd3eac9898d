import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Executor } from '../../platform/database/database.ts';
import type { AuthRepository } from './auth.repository.ts';
import type { SessionRow, UserRow } from './auth.tables.ts';
import { type Secrets, sameDigest } from './secrets.ts';

/** How long a session lives after its cookie was last renewed, in milliseconds. */
const SESSION_TTL_MS = 7 * 24 * 60 * 60_000;
/** How long a replaced refresh secret is still taken, for tabs that renew at once, in milliseconds. */
const REFRESH_GRACE_MS = 10_000;

export interface OpenSession {
  user: UserRow;
  sessionId: string;
  /** What the cookie is to hold. */
  cookie: string;
  expiresAt: Date;
}

interface Renewal {
  refreshSecret: string;
  expiresAt: Date;
}

const cookieParts = z.tuple([z.uuid(), z.string().min(1)]);

/** Sessions, each kept alive by a cookie of its id and a secret that is replaced at every use. */
export function createSessions({
  repository,
  secrets,
}: {
  repository: AuthRepository;
  secrets: Secrets;
}) {
  /**
   * Replaces the secret, unless that was done just now: tabs that start together show the same
   * cookie and all get the same next one. A secret that was replaced longer ago has been copied,
   * and ends the session for whoever holds it.
   */
  async function renew(
    tx: Executor,
    { id, refreshHash, createdAt, expiresAt }: SessionRow,
    refreshSecret: string,
    at: Date,
  ): Promise<Renewal | null> {
    const rotatedAt = expiresAt.getTime() - SESSION_TTL_MS;
    const rotatedJustNow =
      rotatedAt > createdAt.getTime() && at.getTime() - rotatedAt <= REFRESH_GRACE_MS;
    const next = secrets.nextRefreshSecret(id, refreshSecret);
    const nextHash = secrets.hashRefreshSecret(next);

    if (sameDigest(secrets.hashRefreshSecret(refreshSecret), refreshHash)) {
      if (rotatedJustNow) return { refreshSecret, expiresAt };
      const renewed = new Date(at.getTime() + SESSION_TTL_MS);
      await repository.rotateSession(tx, id, nextHash, renewed);
      return { refreshSecret: next, expiresAt: renewed };
    }
    if (rotatedJustNow && sameDigest(nextHash, refreshHash)) {
      return { refreshSecret: next, expiresAt };
    }
    await repository.deleteSession(id, tx);
    return null;
  }

  return {
    async open(tx: Executor, user: UserRow, at: Date): Promise<OpenSession> {
      const id = randomUUID();
      const refreshSecret = secrets.newRefreshSecret();
      const expiresAt = new Date(at.getTime() + SESSION_TTL_MS);
      const refreshHash = secrets.hashRefreshSecret(refreshSecret);
      await repository.insertSession(tx, {
        id,
        userId: user.id,
        refreshHash,
        createdAt: at,
        expiresAt,
      });
      return { user, sessionId: id, cookie: `${id}.${refreshSecret}`, expiresAt };
    },

    /** Answers null when the cookie's session has ended, or ends because of it. */
    async restore(tx: Executor, cookie: string, at: Date): Promise<OpenSession | null> {
      const parts = cookieParts.safeParse(cookie.split('.'));
      if (!parts.success) return null;
      const [sessionId, refreshSecret] = parts.data;
      const found = await repository.lockSession(tx, sessionId, at);
      const renewal = found && (await renew(tx, found.session, refreshSecret, at));
      if (!renewal) return null;
      return {
        user: found.user,
        sessionId,
        cookie: `${sessionId}.${renewal.refreshSecret}`,
        expiresAt: renewal.expiresAt,
      };
    },
  };
}
