import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';

const payloadShape = z.object({ sub: z.uuid(), sid: z.uuid(), exp: z.number() });

interface Claims {
  userId: string;
  sessionId: string;
}

const VERIFIED_TOKENS = 10_000;

/** Signatures, hashes and random values for sign-in. Each use has its own key. */
export function createSecrets(secret: string) {
  const keyFor = (use: string) => createHmac('sha256', secret).update(`auth:${use}`).digest();
  const codeKey = keyFor('code');
  const linkKey = keyFor('link');
  const addressKey = keyFor('address');
  const browserKey = keyFor('browser');
  const refreshKey = keyFor('refresh');
  const tokenKey = keyFor('token');
  // Cached, because verification shares a thread pool with file operations and may wait for them.
  const verified = new LRUCache<string, Claims & { expiresAt: number }>({ max: VERIFIED_TOKENS });
  const mac = (key: Buffer, text: string) =>
    createHmac('sha256', key).update(text).digest('base64url');

  return {
    newCode: (): string => String(randomInt(1_000_000)).padStart(6, '0'),

    hashCode: (email: string, code: string): string => mac(codeKey, `${email}:${code}`),

    newLinkKey: (): string => randomBytes(16).toString('base64url'),

    hashLinkKey: (email: string, key: string): string => mac(linkKey, `${email}:${key}`),

    /** Stored instead of the address or network of an attempt. */
    pseudonym: (text: string): string => mac(addressKey, text),

    hashBrowser: (browser: string): string => mac(browserKey, browser),

    newRefreshSecret: (): string => randomBytes(32).toString('base64url'),

    /** Derived from the current one, so that tabs that refresh concurrently get the same one. */
    nextRefreshSecret: (sessionId: string, refreshSecret: string): string =>
      mac(refreshKey, `${sessionId}:${refreshSecret}`),

    hashRefreshSecret: (refreshSecret: string): string =>
      createHash('sha256').update(refreshSecret).digest('base64url'),

    signToken: (
      { userId, sessionId, email, role }: Claims & { email: string; role: 'USER' | 'ADMIN' },
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

    async readToken(token: string, time: Date): Promise<Claims | null> {
      const cached = verified.get(token);
      if (cached) return cached.expiresAt > time.getTime() ? cached : null;
      // Several base64url strings can encode the same bytes.
      const signature = token.slice(token.lastIndexOf('.') + 1);
      if (Buffer.from(signature, 'base64url').toString('base64url') !== signature) return null;
      try {
        const { payload } = await jwtVerify(token, tokenKey, {
          algorithms: ['HS256'],
          currentDate: time,
        });
        const { sub, sid, exp } = payloadShape.parse(payload);
        const claims = { userId: sub, sessionId: sid, expiresAt: exp * 1000 };
        verified.set(token, claims);
        return claims;
      } catch {
        return null;
      }
    },
  };
}

export type Secrets = ReturnType<typeof createSecrets>;
