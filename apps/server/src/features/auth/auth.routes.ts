import {
  type BodyOf,
  confirmSession,
  generateCode,
  refreshSession,
  socialSignIn,
  startSocialSignIn,
  USE_NEWEST_MAIL,
  signInWithLink,
  validateCode,
} from '@engram/contract';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { createOriginOf, isOwnAddress, listensLocally } from '../../platform/http/hosts.ts';
import type { Mount } from '../../platform/http/mount.ts';
import { networksOf } from '../../platform/http/networks.ts';
import type { AuthService } from './auth.service.ts';
import type { Proof } from './identity-provider.ts';

const invalidProof = (message: string): HttpError => new HttpError(400, 'invalid_request', message);

/** @throws HttpError 400 unless there is exactly one complete proof */
function proofOf(body: BodyOf<typeof socialSignIn>): Proof {
  const { idToken, accessToken, code, codeVerifier, redirectUri, nonce } = body;
  const proofs = [idToken, accessToken, code].filter((proof) => proof !== undefined);
  if (proofs.length !== 1) throw invalidProof('Send exactly one of idToken, accessToken and code.');
  if (idToken !== undefined) return { kind: 'idToken', idToken, nonce: nonce ?? null };
  if (accessToken !== undefined) return { kind: 'accessToken', accessToken };
  if (code === undefined || codeVerifier === undefined || redirectUri === undefined) {
    throw invalidProof('Send the codeVerifier and the redirectUri with the code.');
  }
  return { kind: 'code', code, codeVerifier, redirectUri, nonce };
}

export function mountAuthRoutes(
  mount: Mount,
  service: AuthService,
  { publicUrl, host }: Pick<Config, 'publicUrl' | 'host'>,
): void {
  const { cookies, assertOwnSite, signInOrigin, answer } = service.calls;
  const assertOwnRedirect = (request: FastifyRequest, redirectUri: string): void => {
    if (isOwnAddress(redirectUri, request, publicUrl)) return;
    const message = 'The redirect address must be on this server.';
    throw new HttpError(400, 'foreign_redirect', message);
  };
  const mountOwnSite: Mount = (route, handler) =>
    mount(route, async (call) => {
      assertOwnSite(call.request);
      return handler(call);
    });
  const originOf = createOriginOf(publicUrl);
  // Remote clients can send any Host header, and a mailed link must not lead to another server.
  const isOriginTrusted = publicUrl !== undefined || listensLocally(host);

  mountOwnSite(generateCode, async ({ body, ip, request, reply }) => {
    const networks = networksOf(request);
    const browser = cookies.ensureBrowser(reply);
    const sent = await service.generateCode(
      { email: body.email, ip, networks, browser },
      isOriginTrusted ? originOf(request) : null,
    );
    return sent ? { data: null } : { data: null, message: USE_NEWEST_MAIL };
  });

  mountOwnSite(validateCode, async ({ body, request, reply }) => {
    const { email, code } = body;
    const signedIn = await service.validateCode({ ...signInOrigin(request, body), email, code });
    return answer(reply, signedIn);
  });

  mountOwnSite(signInWithLink, async ({ body, request, reply }) => {
    const { email, key } = body;
    const browser = cookies.ensureBrowser(reply);
    const origin = { ...signInOrigin(request, body), browser };
    return answer(reply, await service.signInWithLink({ ...origin, email, key }));
  });

  mountOwnSite(confirmSession, async ({ body, caller, ip, request }) => {
    const browser = cookies.readBrowser(request);
    const networks = networksOf(request);
    await service.confirm(caller, { code: body.code, ip, networks, browser });
    return { data: null };
  });

  mountOwnSite(startSocialSignIn, async ({ query, request, reply }) => {
    assertOwnRedirect(request, query.redirectUri);
    return { data: await service.startSocialSignIn(query, cookies.ensureBrowser(reply)) };
  });

  mountOwnSite(socialSignIn, async ({ body, request, reply }) => {
    service.assertSocialSignIn();
    if (body.redirectUri !== undefined) assertOwnRedirect(request, body.redirectUri);
    const origin = signInOrigin(request, body);
    return answer(reply, await service.signInSocially({ proof: proofOf(body), ...origin }));
  });

  service.sessions.routes(mount, cookies);

  mountOwnSite(refreshSession, async ({ body, ip, request, reply }) => {
    try {
      const call = { ip, secured: cookies.isSecure(request) };
      return answer(reply, await service.refresh(cookies.readSession(request), call));
    } catch (error) {
      if (!(error instanceof HttpError) || error.status !== 401) throw error;
      cookies.clearSession(reply);
      if (!body.ifAny) throw error;
      return { data: null, message: error.message };
    }
  });
}
