import type { FastifyInstance } from 'fastify';

const SHARE_AGAIN = '/share/again';

/**
 * Answers what another app shares with the installed web app. The service worker handles this before it
 * leaves the machine, unless the browser has lost it. Nothing is stored; the page asks to share again.
 */
export async function serveShareTarget(app: FastifyInstance): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.post('/share', (_request, reply) => reply.redirect(SHARE_AGAIN, 303));
  });
}
