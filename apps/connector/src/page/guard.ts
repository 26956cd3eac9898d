import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Only the page's own scripts, styles and font are loaded, whatever a file name or a server contains. */
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': CONTENT_POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** Sets the security headers of a response. */
export function harden(response: ServerResponse): void {
  for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
}

const secret = (): string => randomBytes(32).toString('base64url');

function isSame(actual: string, expected: string): boolean {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The value of a cookie; undefined without it. */
function cookieOf(request: IncomingMessage, name: string): string | undefined {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

export interface Guard {
  /** The path of the page, with a slash at both ends. */
  home: string;
  /** Whether the host of a request is this machine, and not a foreign name that resolves to it. */
  isForHere(request: IncomingMessage): boolean;
  /** Whether a write comes from the page itself. */
  isFromPage(request: IncomingMessage): boolean;
  isSignedIn(request: IncomingMessage): boolean;
  /** A token that signs in a browser once. */
  newToken(): string;
  /** Exchanges a token for a cookie; null if the token is invalid or already used. */
  exchange(token: string): string | null;
}

/**
 * Authorizes browsers, because other programs and web pages can reach a port of this machine too. A
 * browser signs in with a token from the Connector and gets a cookie.
 */
export function createGuard(port: number): Guard {
  const hosts = new Set([`127.0.0.1:${port}`, `localhost:${port}`]);
  // Cookies belong to a host and not to a port, so that other servers of this machine would get this one
  // too. Therefore it has a path that they do not know, and a name for each port.
  const home = `/${secret()}/`;
  const name = `engram-connector-${port}`;
  const session = secret();
  let tokens: string[] = [];
  return {
    home,
    isForHere: ({ headers }) => hosts.has(headers.host ?? ''),
    isFromPage: ({ headers }) =>
      headers.origin === `http://${headers.host}` &&
      (headers['sec-fetch-site'] ?? 'same-origin') === 'same-origin',
    isSignedIn: (request) => isSame(cookieOf(request, name) ?? '', session),
    newToken: () => {
      const token = secret();
      tokens = [...tokens.slice(-9), token];
      return token;
    },
    exchange: (token) => {
      const remaining = tokens.filter((known) => !isSame(token, known));
      if (remaining.length === tokens.length) return null;
      tokens = remaining;
      return `${name}=${session}; Path=${home}; HttpOnly; SameSite=Strict`;
    },
  };
}
