import type { FastifyReply } from 'fastify';

/** The cookie that keeps a session alive beyond its tab. */
export const COOKIE = 'engram_session';

/** How the cookie is set, and has to be cleared: over https it never travels without. */
export const cookieOptions = ({ request }: FastifyReply, publicUrl: string | undefined) =>
  ({
    path: '/v1/auth',
    httpOnly: true,
    sameSite: 'strict',
    secure: request.protocol === 'https' || (publicUrl?.startsWith('https:') ?? false),
  }) as const;

/** Takes the cookie back. */
export function clearSessionCookie(reply: FastifyReply, publicUrl: string | undefined): void {
  void reply.clearCookie(COOKIE, cookieOptions(reply, publicUrl));
}
