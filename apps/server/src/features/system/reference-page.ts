import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { createRequire } from 'node:module';
import path from 'node:path';

const ROOT = '/v1/reference';

/** Files of swagger-ui-dist that the page uses. */
const ASSETS = new Set(['/swagger-ui.css', '/swagger-ui-bundle.js', '/favicon-32x32.png']);

/** Swagger UI uses inline styles. Everything else is loaded from this origin. */
export const REFERENCE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const REFERENCE_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Engram API reference</title>
<link rel="icon" type="image/png" href="${ROOT}/favicon-32x32.png">
<link rel="stylesheet" href="${ROOT}/swagger-ui.css">
<script src="${ROOT}/swagger-ui-bundle.js" defer></script>
<script src="${ROOT}/initializer.js" defer></script>
</head>
<body>
<div id="reference"></div>
<noscript>This page needs JavaScript. The same contract is at <a href="/v1/openapi.json">/v1/openapi.json</a>.</noscript>
</body>
</html>
`;

// Without validatorUrl the page would send its address to a Swagger service.
const INITIALIZER = `SwaggerUIBundle({
  url: '/v1/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  validatorUrl: null,
});
`;

/** Serves the scripts and styles of the reference page below /v1/reference/. */
export async function serveReferenceAssets(app: FastifyInstance): Promise<void> {
  const manifest = createRequire(import.meta.url).resolve('swagger-ui-dist/package.json');
  app.get('/reference/initializer.js', (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(INITIALIZER),
  );
  await app.register(fastifyStatic, {
    root: path.dirname(manifest),
    prefix: '/reference/',
    decorateReply: false,
    index: false,
    maxAge: '1h',
    allowedPath: (pathName) => ASSETS.has(pathName),
  });
}
