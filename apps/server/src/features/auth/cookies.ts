import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The cookie that keeps a session alive beyond its tab. */
const SESSION = 'engram_session';
/** The cookie by which a browser that asked for a code, or signed in, is known again. */
const BROWSER = 'engram_browser';

/** How long a browser is known after it last signed in or asked for a code, in days. */
export const BROWSER_DAYS = 400;

const BROWSER_ID = /^[\w-]{43}$/u;

/** What a session's cookie holds, and whether it came under the name that https alone can set. */
export interface SessionCookie {
  value: string;
  secured: boolean;
}

/** The cookies of signing in. All are out of reach of scripts and of other sites. */
export function createAuthCookies(publicUrl: string | undefined) {
  const isSecure = ({ protocol }: FastifyRequest): boolean =>
    protocol === 'https' || (publicUrl?.startsWith('https:') ?? false);
  // Browsers take a name with this prefix from https alone, so that nobody on the way plants one.
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

    /** The session's cookie; one without the prefix where https came later than the session. */
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

    /** What the browser's cookie holds; null for callers that have none. */
    readBrowser,

    /** The same, and keeps the browser known from now on: one that has no cookie gets one. */
    keepBrowser(reply: FastifyReply): string {
      const value = readBrowser(reply.request) ?? randomBytes(32).toString('base64url');
      set(reply, BROWSER, value, { maxAge: BROWSER_DAYS * 24 * 60 * 60 });
      return value;
    },
  };
}
