import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { createSignedTokens } from '../../platform/http/signed-tokens.ts';

/** How long a nonce may be shown, in milliseconds: as long as Google's ID tokens are valid. */
const NONCE_TTL_MS = 60 * 60_000;

const claims = z.tuple([z.string(), z.number(), z.string()]);

/**
 * Nonces for ID tokens. Each works in the browser alone that asked for it, by its cookie: a token that
 * somebody else got hold of, with the nonce in it, signs nobody in.
 */
export function createIdTokenNonces(secret: string, now: () => Date) {
  const tokens = createSignedTokens(secret, 'id-token-nonces');

  return {
    /** @param browser hash of the browser's cookie */
    issue: (browser: string): string =>
      tokens.sign([randomBytes(9).toString('base64url'), now().getTime() + NONCE_TTL_MS, browser]),

    /** Whether a nonce was given to this browser, and not too long ago. */
    isGivenTo(browser: string, nonce: string): boolean {
      const given = claims.safeParse(tokens.read(nonce)).data;
      if (!given) return false;
      const [, expiresAt, owner] = given;
      return owner === browser && expiresAt > now().getTime();
    },
  };
}
