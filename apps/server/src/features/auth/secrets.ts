import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';

export interface TokenClaims {
  userId: string;
  sessionId: string;
}

export interface TokenSubject extends TokenClaims {
  email: string;
  role: 'USER' | 'ADMIN';
}

const payloadShape = z.object({ sub: z.uuid(), sid: z.uuid(), exp: z.number() });

/** Tokens whose signature was verified and is not verified again. */
const VERIFIED_TOKENS = 10_000;

/** What is signed, hashed and drawn for signing in. Each use has a key of its own. */
export function createSecrets(secret: string) {
  const keyFor = (use: string) => createHmac('sha256', secret).update(`auth:${use}`).digest();
  const codeKey = keyFor('code');
  const linkKey = keyFor('link');
  const addressKey = keyFor('address');
  const browserKey = keyFor('browser');
  const refreshKey = keyFor('refresh');
  const tokenKey = keyFor('token');
  // A signature is verified on the threads that also sync files: while many are stored it would wait.
  const verified = new LRUCache<string, { claims: TokenClaims; expiresAt: number }>({
    max: VERIFIED_TOKENS,
  });
  const mac = (key: Buffer, text: string) => createHmac('sha256', key).update(text);

  return {
    /** Six digits. */
    newCode: (): string => String(randomInt(1_000_000)).padStart(6, '0'),

    hashCode: (email: string, code: string): string =>
      mac(codeKey, `${email}:${code}`).digest('base64url'),

    /** The key of a sign-in link: 128 random bits. */
    newLinkKey: (): string => randomBytes(16).toString('base64url'),

    hashLinkKey: (email: string, key: string): string =>
      mac(linkKey, `${email}:${key}`).digest('base64url'),

    /** Stands for a mail address or a network where only its attempts are counted. */
    pseudonym: (text: string): string => mac(addressKey, text).digest('base64url'),

    /** What is kept of a browser's cookie. */
    hashBrowser: (browser: string): string => mac(browserKey, browser).digest('base64url'),

    newRefreshSecret: (): string => randomBytes(32).toString('base64url'),

    /**
     * What a refresh secret is replaced by. It follows from the secret, so that two tabs that
     * refresh at the same moment with the same cookie end up with the same next one.
     */
    nextRefreshSecret: (sessionId: string, refreshSecret: string): string =>
      mac(refreshKey, `${sessionId}:${refreshSecret}`).digest('base64url'),

    hashRefreshSecret: (refreshSecret: string): string =>
      createHash('sha256').update(refreshSecret).digest('base64url'),

    signToken: (
      { userId, sessionId, email, role }: TokenSubject,
      issuedAt: Date,
      expiresAt: Date,
    ): Promise<string> =>
      new SignJWT({
        email,
        groups: role === 'ADMIN' ? ['User', 'Admin'] : ['User'],
        sid: sessionId,
      })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setSubject(userId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(tokenKey),

    /** What a token says; null when it is forged, damaged or has expired. */
    async readToken(token: string, at: Date): Promise<TokenClaims | null> {
      const known = verified.get(token);
      if (known) return known.expiresAt > at.getTime() ? known.claims : null;
      // The same bytes can be written in several ways, and only one is ours.
      const signature = token.slice(token.lastIndexOf('.') + 1);
      if (Buffer.from(signature, 'base64url').toString('base64url') !== signature) return null;
      try {
        const { payload } = await jwtVerify(token, tokenKey, {
          algorithms: ['HS256'],
          currentDate: at,
        });
        const { sub, sid, exp } = payloadShape.parse(payload);
        const claims = { userId: sub, sessionId: sid };
        verified.set(token, { claims, expiresAt: exp * 1000 });
        return claims;
      } catch {
        return null;
      }
    },
  };
}

export type Secrets = ReturnType<typeof createSecrets>;
