import { z } from 'zod';
import { createSignedTokens } from '../../platform/http/signed-tokens.ts';

/** How long a link to an export works, in milliseconds. A download that has begun goes on. */
const LINK_TTL_MS = 15 * 60_000;

const claims = z.tuple([z.uuid(), z.number()]);

/** Links to a person's export that need no sign-in. */
export function createExportLinks(secret: string, now: () => Date) {
  const tokens = createSignedTokens(secret, 'exports');

  return {
    sign(userId: string): { path: string; expiresAt: Date } {
      const expiresAt = new Date(now().getTime() + LINK_TTL_MS);
      return { path: `/v1/exports/${tokens.sign([userId, expiresAt.getTime()])}`, expiresAt };
    },

    /** Whose export a token opens; null for a forged token, 'expired' for an old one. */
    open(token: string): string | null {
      const given = tokens.read(token);
      if (given === undefined) return null;
      const [userId, expires] = claims.parse(given);
      return expires < now().getTime() ? 'expired' : userId;
    },
  };
}

export type ExportLinks = ReturnType<typeof createExportLinks>;
