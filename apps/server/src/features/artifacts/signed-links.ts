import { z } from 'zod';
import { createSignedTokens } from '../../platform/http/signed-tokens.ts';

/** How long a signed link works, in milliseconds. */
const LINK_TTL_MS = 15 * 60_000;

/** What a link shows: the file itself, or the small picture of it. */
export type LinkedPart = 'original' | 'thumbnail';

const claims = z.tuple([z.uuid(), z.uuid(), z.number(), z.enum(['original', 'thumbnail'])]);

export interface SignedLinks {
  sign(userId: string, artifactId: string, part?: LinkedPart): { path: string; expiresAt: Date };
  /** Whose file a token opens; null for a forged token, 'expired' for an old one. */
  open(token: string): { userId: string; artifactId: string; part: LinkedPart } | 'expired' | null;
}

/** Links to one file that need no sign-in. */
export function createSignedLinks(secret: string, now: () => Date): SignedLinks {
  const tokens = createSignedTokens(secret, 'signed-links');

  return {
    sign(userId, artifactId, part = 'original') {
      const expires = now().getTime() + LINK_TTL_MS;
      const token = tokens.sign([userId, artifactId, expires, part]);
      return { path: `/v1/files/${token}`, expiresAt: new Date(expires) };
    },

    open(token) {
      const given = tokens.read(token);
      if (given === undefined) return null;
      const [userId, artifactId, expires, part] = claims.parse(given);
      return expires < now().getTime() ? 'expired' : { userId, artifactId, part };
    },
  };
}
