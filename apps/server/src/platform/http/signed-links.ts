import { z } from 'zod';
import type { Caller } from './admission.ts';
import { createSignedTokens } from './signed-tokens.ts';

/** Lifetime of a signed link in milliseconds. A download that has begun continues. */
const LINK_TTL_MS = 15 * 60_000;

/** The session, API key or connection that asked for a link. The link works only while it exists. */
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
    sign(holder: LinkHolder, opened: Claims): { token: string; expiresAt: Date } {
      const { userId, sessionId, apiKeyId, connectionId } = holder;
      const expires = now().getTime() + LINK_TTL_MS;
      const token = tokens.sign([userId, sessionId, apiKeyId, connectionId, expires, opened]);
      return { token, expiresAt: new Date(expires) };
    },

    /** Returns null for a forged token, and 'expired' for one that is old or whose holder has ended. */
    async open(token: string): Promise<{ holder: LinkHolder; opened: Claims } | 'expired' | null> {
      const given = tokens.read(token);
      if (given === undefined) return null;
      const [userId, sessionId, apiKeyId, connectionId, expires, opened] = signed.parse(given);
      const holder = { userId, sessionId, apiKeyId, connectionId };
      if (expires < now().getTime() || !(await isAlive(holder))) return 'expired';
      return { holder, opened: claims.parse(opened) };
    },
  };
}
