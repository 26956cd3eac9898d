import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';

export interface SignedTokens {
  sign(claims: unknown): string;
  /** The claims of a token; undefined for a forged one. */
  read(token: string): unknown;
}

/** Compares two texts in a time that does not tell where they differ. */
export function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

/**
 * Claims that whoever carries them cannot change: JSON with an HMAC-SHA256 over it.
 * @param purpose keeps tokens of one kind from passing for another
 */
export function createSignedTokens(secret: string, purpose: string): SignedTokens {
  // A key object: from bytes one would be made anew for each of the links that an answer signs.
  const key = createSecretKey(createHmac('sha256', secret).update(purpose).digest());
  const mac = (payload: string): string =>
    createHmac('sha256', key).update(payload).digest('base64url');

  return {
    sign(claims) {
      const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
      return `${payload}.${mac(payload)}`;
    },

    read(token) {
      const end = token.lastIndexOf('.');
      const payload = token.slice(0, Math.max(0, end));
      // Compared as written: the same bytes can be written in several ways, and one is ours.
      if (!sameText(token.slice(end + 1), mac(payload))) return undefined;
      return JSON.parse(Buffer.from(payload, 'base64url').toString()) as unknown;
    },
  };
}
