import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { HttpError } from './errors.ts';

/** Replaces addresses that cannot be decoded. No page has this one. */
const UNREADABLE = '/unreadable-address';

/** Whether the app may be sent for an address. In place of a missing script, it would be run as one. */
const isPageAddress = (url: string): boolean =>
  !/^\/(?:v1(?:[/?]|$)|assets\/|\.well-known\/)/u.test(url);

const canBeDecoded = (url: string): boolean => {
  try {
    decodeURIComponent(url.split('?', 1)[0] ?? '');
    return true;
  } catch {
    return false;
  }
};

/** The address for the router, which rejects addresses that it cannot decode. */
export const readableAddress = (method: string | undefined, url: string): string =>
  (method === 'GET' || method === 'HEAD') && isPageAddress(url) && !canBeDecoded(url)
    ? UNREADABLE
    : url;

const ASSET_AGE_SECONDS = 365 * 86_400;

/** Shared answers must not be found by search engines. */
const SHARED = /^\/shared\//iu;

export async function serveWebApp(app: FastifyInstance, folder: string | null): Promise<void> {
  const page = folder && existsSync(path.join(folder, 'index.html')) ? 'index.html' : null;
  const sendPage = (request: FastifyRequest, reply: FastifyReply, file: string): FastifyReply => {
    if (SHARED.test(request.url)) void reply.header('x-robots-tag', 'noindex, nofollow');
    return reply.sendFile(file);
  };
  if (folder && page) {
    const served = { index: false, preCompressed: true, cacheControl: false } as const;
    // A wildcard, because otherwise each of hundreds of assets would be a route.
    await app.register(fastifyStatic, {
      ...served,
      root: path.join(folder, 'assets'),
      prefix: '/assets/',
      decorateReply: false,
      setHeaders: (reply) =>
        reply.header('cache-control', `public, max-age=${ASSET_AGE_SECONDS}, immutable`),
    });
    await app.register(fastifyStatic, {
      ...served,
      root: folder,
      wildcard: false,
      globIgnore: ['assets/**', 'pages/**', 'pages.json*'],
      setHeaders: (reply) => reply.header('cache-control', 'no-cache'),
    });
    const list = path.join(folder, 'pages.json');
    const pages = existsSync(list) ? readFileSync(list, 'utf8') : '[]';
    for (const { address, file } of JSON.parse(pages) as { address: string; file: string }[]) {
      app.get(address, (request, reply) => sendPage(request, reply, file));
    }
  }
  app.setNotFoundHandler(async (request, reply) => {
    const isPage = (request.method === 'GET' || request.method === 'HEAD') && page !== null;
    if (!isPage || !isPageAddress(request.url)) {
      throw new HttpError(404, 'not_found', 'This address does not exist.');
    }
    if (request.url === UNREADABLE && request.originalUrl !== UNREADABLE) void reply.status(400);
    return sendPage(request, reply, page);
  });
}

const SHARE_AGAIN = '/share/again';

/**
 * Handles content that another app shares with the installed web app, if the service worker, which normally
 * does so, is missing. Nothing is stored, and the page asks the user to share again.
 */
export async function serveShareTarget(app: FastifyInstance): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.post('/share', (_request, reply) => reply.redirect(SHARE_AGAIN, 303));
  });
}
