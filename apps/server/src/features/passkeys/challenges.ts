import { hash, randomBytes } from 'node:crypto';
import { lte } from 'drizzle-orm';
import { z } from 'zod';
import type { Executor } from '../../platform/database/database.ts';
import { createSignedTokens } from '../../platform/http/signed-tokens.ts';
import { usedChallenges } from './passkeys.tables.ts';

/** How long a challenge is valid, in milliseconds. */
export const CHALLENGE_TTL_MS = 5 * 60_000;

const claimsShape = z.tuple([z.string(), z.number(), z.string()]);

const sha256 = (text: string): string => hash('sha256', text, 'base64url');

/** Browsers return a challenge in base64url. */
const tokenOf = (challenge: string): string => Buffer.from(challenge, 'base64url').toString();

/**
 * Challenges for passkeys. They are signed instead of stored, so that anonymous requests write nothing. Only
 * used ones are stored.
 */
export function createChallenges(secret: string) {
  const tokens = createSignedTokens(secret, 'passkey-challenges');

  return {
    /** A challenge for one holder: a session, or a browser with a cookie. */
    issue: (holder: string, time: Date): string =>
      tokens.sign([
        randomBytes(16).toString('base64url'),
        time.getTime() + CHALLENGE_TTL_MS,
        sha256(holder),
      ]),

    isIssuedTo(holder: string, challenge: string, time: Date): boolean {
      const claims = claimsShape.safeParse(tokens.read(tokenOf(challenge))).data;
      if (!claims) return false;
      const [, expiresAt, owner] = claims;
      return owner === sha256(holder) && expiresAt > time.getTime();
    },

    /** Marks a challenge as used; false if it was already used. */
    async use(tx: Executor, challenge: string, time: Date): Promise<boolean> {
      const expiresAt = new Date(time.getTime() + CHALLENGE_TTL_MS);
      const added = await tx
        .insert(usedChallenges)
        .values({ challengeHash: sha256(tokenOf(challenge)), expiresAt })
        .onConflictDoNothing()
        .returning({ challengeHash: usedChallenges.challengeHash });
      return added.length > 0;
    },

    async cleanUp(executor: Executor, time: Date): Promise<void> {
      await executor.delete(usedChallenges).where(lte(usedChallenges.expiresAt, time));
    },
  };
}
