import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

const SESSION = 'engram_session';
const BROWSER = 'engram_browser';

export const BROWSER_DAYS = 400;

const BROWSER_ID = /^[\w-]{43}$/u;

export interface SessionCookie {
  value: string;
  secured: boolean;
}

export function createAuthCookies(publicUrl: string | undefined) {
  const isSecure = ({ protocol }: FastifyRequest): boolean =>
    protocol === 'https' || (publicUrl?.startsWith('https:') ?? false);
  // Browsers accept this prefix only over https, so an attacker on the network cannot set the cookie.
  const nameOf = (name: string, secure: boolean): string => (secure ? `__Secure-${name}` : name);
  const optionsFor = (secure: boolean) =>
    ({ path: '/v1/auth', httpOnly: true, sameSite: 'strict', secure }) as const;

  const set = (
    reply: FastifyReply,
    name: string,
    value: string,
    until: { expires: Date } | { maxAge: number },
  ): void => {
    const secure = isSecure(reply.request);
    void reply.setCookie(nameOf(name, secure), value, { ...optionsFor(secure), ...until });
  };
  const clear = (reply: FastifyReply, name: string, secure: boolean): void =>
    void reply.clearCookie(nameOf(name, secure), optionsFor(secure));

  const readBrowser = (request: FastifyRequest): string | null => {
    const value = request.cookies[nameOf(BROWSER, isSecure(request))] ?? '';
    return BROWSER_ID.test(value) ? value : null;
  };

  return {
    isSecure,

    /** A session that was opened before the server used https has a cookie without the prefix. */
    readSession({ cookies }: FastifyRequest): SessionCookie | undefined {
      for (const secured of [true, false]) {
        const value = cookies[nameOf(SESSION, secured)];
        if (value) return { value, secured };
      }
      return undefined;
    },

    setSession(reply: FastifyReply, value: string, expires: Date): void {
      set(reply, SESSION, value, { expires });
      const { request } = reply;
      if (isSecure(request) && request.cookies[SESSION]) clear(reply, SESSION, false);
    },

    clearSession(reply: FastifyReply): void {
      const { request } = reply;
      clear(reply, SESSION, isSecure(request));
      if (isSecure(request) && request.cookies[SESSION]) clear(reply, SESSION, false);
    },

    readBrowser,

    /** Reads the browser's ID or creates one, and sets the cookie. */
    ensureBrowser(reply: FastifyReply): string {
      const value = readBrowser(reply.request) ?? randomBytes(32).toString('base64url');
      set(reply, BROWSER, value, { maxAge: BROWSER_DAYS * 24 * 60 * 60 });
      return value;
    },
  };
}

export type AuthCookies = ReturnType<typeof createAuthCookies>;
