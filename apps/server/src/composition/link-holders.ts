import { and, eq, gt, isNull, or } from 'drizzle-orm';
import { apiKeys } from '../features/api-keys/api-keys.tables.ts';
import { sessions } from '../features/auth/auth.tables.ts';
import { connections } from '../features/connections/connections.tables.ts';
import type { Database } from '../platform/database/database.ts';
import type { LinkHolder } from '../platform/http/signed-links.ts';

/** Says whether the session, API key or connection that asked for a link still exists. */
export function createLinkHolders({ db }: Pick<Database, 'db'>, now: () => Date) {
  const queryOf = ({ userId, sessionId, apiKeyId, connectionId }: LinkHolder) => {
    if (sessionId !== null) {
      const isOpen = and(eq(sessions.id, sessionId), gt(sessions.expiresAt, now()));
      return db.$count(sessions, and(eq(sessions.userId, userId), isOpen));
    }
    if (apiKeyId !== null) {
      const isValid = or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now()));
      return db.$count(apiKeys, and(eq(apiKeys.userId, userId), eq(apiKeys.id, apiKeyId), isValid));
    }
    if (connectionId === null) return null;
    return db.$count(
      connections,
      and(eq(connections.userId, userId), eq(connections.id, connectionId)),
    );
  };

  return async (holder: LinkHolder): Promise<boolean> => ((await queryOf(holder)) ?? 0) > 0;
}
