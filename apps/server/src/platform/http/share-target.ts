import type { FastifyInstance } from 'fastify';

/** Where the web app says what to do after a share that did not reach it. */
const SHARE_AGAIN = '/share/again';

/**
 * Answers what another app shares with the installed web app. The app takes it over in the browser,
 * before it leaves the machine; it comes here only when the browser has lost the app or does not
 * have it yet. Nobody is known here and nothing is kept: the page says to share once more.
 */
export async function serveShareTarget(app: FastifyInstance): Promise<void> {
  await app.register(async (scope) => {
    // Whatever is sent, nothing of it is read.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.post('/share', (_request, reply) => reply.redirect(SHARE_AGAIN, 303));
  });
}
