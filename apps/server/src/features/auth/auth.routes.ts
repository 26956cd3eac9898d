import { generateCode, logout, refreshSession, validateCode } from '@engram/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HttpError } from '../../platform/http/errors.ts';
import type { Mount } from '../../platform/http/mount.ts';
import { crossOrigin } from './auth.errors.ts';
import type { AuthService, SignedIn } from './auth.service.ts';

const COOKIE = 'engram_session';

export interface AuthRouteOptions {
  /** Address under which people reach the server, where it is set. */
  publicUrl: string | undefined;
}

/**
 * Whether another site's page makes a browser send this call. Browsers say so themselves
 * (Sec-Fetch-Site on https and localhost, Origin elsewhere); programs send neither.
 */
function comesFromElsewhere(request: FastifyRequest, publicUrl: string | undefined): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin } = request.headers;
  if (origin === undefined) return false;
  if (!URL.canParse(origin)) return true;
  const own = [request.host, ...(publicUrl ? [new URL(publicUrl).host] : [])];
  return !own.includes(new URL(origin).host);
}

/** Binds the calls of signing in and out, and keeps the session's cookie. */
export function mountAuthRoutes(
  mount: Mount,
  service: AuthService,
  { publicUrl }: AuthRouteOptions,
): void {
  const cookie = {
    path: '/v1/auth',
    httpOnly: true,
    sameSite: 'strict',
    secure: publicUrl?.startsWith('https:') ?? false,
  } as const;

  const assertOwnSite = (request: FastifyRequest): void => {
    if (comesFromElsewhere(request, publicUrl)) throw crossOrigin();
  };
  const answer = (reply: FastifyReply, { session, cookie: value, expiresAt }: SignedIn) => {
    void reply.setCookie(COOKIE, value, { ...cookie, expires: expiresAt });
    void reply.header('cache-control', 'no-store');
    return { data: session };
  };

  mount(generateCode, async ({ body, ip }) => {
    await service.generateCode({ email: body.email, ip });
    return { data: null };
  });

  mount(validateCode, async ({ body, ip, request, reply }) => {
    assertOwnSite(request);
    const { email, code, device = null, location = null } = body;
    return answer(reply, await service.validateCode({ email, code, ip, device, location }));
  });

  mount(refreshSession, async ({ request, reply }) => {
    assertOwnSite(request);
    try {
      return answer(reply, await service.refresh(request.cookies[COOKIE]));
    } catch (error) {
      const ended = error instanceof HttpError && error.status === 401;
      if (ended) void reply.clearCookie(COOKIE, cookie);
      throw error;
    }
  });

  mount(logout, async ({ caller, reply }) => {
    await service.logout(caller);
    void reply.clearCookie(COOKIE, cookie);
    return { data: null };
  });
}
