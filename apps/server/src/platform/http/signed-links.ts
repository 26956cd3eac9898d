import { z } from 'zod';
import type { Caller } from './admission.ts';
import { createSignedTokens } from './signed-tokens.ts';

/** How long a signed link works, in milliseconds. Running downloads continue. */
const LINK_TTL_MS = 15 * 60_000;

/** The session, API key or connection that requested a link, which works only while that exists. */
export type LinkHolder = Pick<Caller, 'userId' | 'sessionId' | 'apiKeyId' | 'connectionId'>;

export interface SignedLinksOptions {
  secret: string;
  isAlive: (holder: LinkHolder) => Promise<boolean>;
  now: () => Date;
}

const idOrNull = z.uuid().nullable();
const signed = z.tuple([z.uuid(), idOrNull, idOrNull, idOrNull, z.number(), z.unknown()]);

/** Links that work without authentication. `purpose` distinguishes kinds of links. */
export function createSignedLinks<Claims>(
  { secret, isAlive, now }: SignedLinksOptions,
  purpose: string,
  claims: z.ZodType<Claims>,
) {
  const tokens = createSignedTokens(secret, purpose);

  return {
    sign(holder: LinkHolder, granted: Claims): { token: string; expiresAt: Date } {
      const { userId, sessionId, apiKeyId, connectionId } = holder;
      const expires = now().getTime() + LINK_TTL_MS;
      const token = tokens.sign([userId, sessionId, apiKeyId, connectionId, expires, granted]);
      return { token, expiresAt: new Date(expires) };
    },

    /** Null for a forged token; 'expired' if it is old or its holder no longer exists. */
    async open(token: string): Promise<{ holder: LinkHolder; opened: Claims } | 'expired' | null> {
      const payload = tokens.read(token);
      if (payload === undefined) return null;
      const [userId, sessionId, apiKeyId, connectionId, expires, opened] = signed.parse(payload);
      const holder = { userId, sessionId, apiKeyId, connectionId };
      if (expires < now().getTime() || !(await isAlive(holder))) return 'expired';
      return { holder, opened: claims.parse(opened) };
    },
  };
}
