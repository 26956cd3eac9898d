import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

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

/** Links to one file that need no sign-in: the claims with an HMAC-SHA256 over them. */
export function createSignedLinks(secret: string, now: () => Date): SignedLinks {
  // A key object: from bytes one would be made anew for each of the links that an answer signs.
  const key = createSecretKey(createHmac('sha256', secret).update('signed-links').digest());
  const mac = (payload: string): Buffer => createHmac('sha256', key).update(payload).digest();

  return {
    sign(userId, artifactId, part = 'original') {
      const expires = now().getTime() + LINK_TTL_MS;
      const payload = Buffer.from(JSON.stringify([userId, artifactId, expires, part])).toString(
        'base64url',
      );
      const token = `${payload}.${mac(payload).toString('base64url')}`;
      return { path: `/v1/files/${token}`, expiresAt: new Date(expires) };
    },

    open(token) {
      const end = token.lastIndexOf('.');
      const payload = token.slice(0, Math.max(0, end));
      // Compared as written: the same bytes can be written in several ways, and one is ours.
      const given = Buffer.from(token.slice(end + 1));
      const expected = Buffer.from(mac(payload).toString('base64url'));
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
      const [userId, artifactId, expires, part] = claims.parse(
        JSON.parse(Buffer.from(payload, 'base64url').toString()),
      );
      return expires < now().getTime() ? 'expired' : { userId, artifactId, part };
    },
  };
}
