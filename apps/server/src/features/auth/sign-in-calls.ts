import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Session } from '@engram/contract';
import type { SessionCall } from './sessions.ts';
import type { CodeRequest } from './sign-in-codes.ts';
import type { SignInTrace } from './users.repository.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { isOwnAddress } from '../../platform/http/hosts.ts';
import { networksOf } from '../../platform/http/networks.ts';
import { createAuthCookies } from './cookies.ts';

export type SignInOrigin = SignInTrace & SessionCall & Pick<CodeRequest, 'browser' | 'networks'>;

export interface SignedIn {
  session: Session;
  cookie: string;
  expiresAt: Date;
}

/**
 * Whether a page of another site caused this call. Browsers send Sec-Fetch-Site on https and localhost,
 * and Origin on other addresses.
 */
function isCrossSite(request: FastifyRequest, publicUrl: string | undefined): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin } = request.headers;
  return origin !== undefined && !isOwnAddress(origin, request, publicUrl);
}

export function createSignInCalls(publicUrl: string | undefined) {
  const cookies = createAuthCookies(publicUrl);

  return {
    cookies,

    /** @throws HttpError 403 for a call that a page of another site caused */
    assertOwnSite(request: FastifyRequest): void {
      if (!isCrossSite(request, publicUrl)) return;
      throw new HttpError(403, 'cross_origin', 'Other sites may not make this call.');
    },

    signInOrigin: (
      request: FastifyRequest,
      { device = null, location = null }: { device?: string | null; location?: string | null },
    ): SignInOrigin => ({
      ip: request.ip,
      networks: networksOf(request),
      device,
      location,
      browser: cookies.readBrowser(request),
      secured: cookies.isSecure(request),
    }),

    answer(reply: FastifyReply, { session, cookie, expiresAt }: SignedIn) {
      cookies.setSession(reply, cookie, expiresAt);
      return { data: session };
    },
  };
}
