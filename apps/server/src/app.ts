import type { FastifyInstance } from 'fastify';
import type { Dependencies } from './dependencies.ts';
import { isApiKey } from './features/api-keys/api-keys.service.ts';
import { registerMultipart } from './features/artifacts/upload-form.ts';
import { mountAuthRoutes } from './features/auth/auth.routes.ts';
import { mountChatCompletions } from './features/chat-completions/chat-completions.routes.ts';
import { mountConnectionsRoutes } from './features/connections/connections.routes.ts';
import { mountAuthorizationServer } from './features/connections/oauth.routes.ts';
import { isAccessToken } from './features/connections/connections.service.ts';
import { mountMcp } from './features/mcp/mcp.routes.ts';
import { createAdmission } from './platform/http/admission.ts';
import { createMount } from './platform/http/mount.ts';
import { createHttpServer } from './platform/http/server.ts';
import { serveShareTarget, serveWebApp } from './platform/http/web-app.ts';

/** Pages and their files that one network may request. A first visit needs some thirty. */
const PAGES_RATE = { perSecond: 100, burst: 2000 };

export async function buildApp(deps: Dependencies): Promise<FastifyInstance> {
  const { config, services } = deps;
  const { limitOf } = deps.limits;
  const stopGraceMs = config.stopSeconds * 1000;
  const app = await createHttpServer({
    log: deps.log,
    trustProxy: config.trustProxy,
    host: config.host,
    publicUrl: config.publicUrl,
    pages: limitOf('pages', PAGES_RATE),
    pageSettings: config,
    stopGraceMs,
    observer: deps.observability.observer,
  });
  const calls = { perSecond: config.callsPerSecond, burst: config.callBurst };
  const keyCalls = { perSecond: config.keyCallsPerSecond, burst: config.keyCallBurst };
  const failed = config.failedCallsPerMinute;
  await registerMultipart(app, { files: config.uploadFiles });

  const admission = createAdmission({
    authenticate: services.auth.authenticate,
    authenticateKey: services.apiKeys.authenticate,
    isApiKey,
    isAccessToken,
    authenticateToken: services.connections.service.authenticate,
    originOf: deps.originOf,
    limits: {
      user: limitOf('calls of a person', calls),
      key: limitOf('calls of a program', keyCalls),
      open: limitOf('open calls', calls),
      failed: limitOf('failed calls', { perSecond: failed / 60, burst: failed }),
    },
    now: deps.now,
  });

  const { checkResponses, backgroundYield } = deps;
  const mountIn = (scope: FastifyInstance) =>
    createMount({ app: scope, admission, checkResponses, backgroundYield });

  if (config.role === 'worker') {
    await app.register(async (api) => services.system.probes(mountIn(api)), { prefix: '/v1' });
    return app;
  }
  await app.register(
    async (api) => {
      const mount = mountIn(api);
      mountAuthRoutes(mount, services.auth, config);
      mountConnectionsRoutes(mount, services.connections, deps);
      for (const { routes } of deps.features) routes(mount);
      await services.payments.eventRoutes(api, mountIn);
      await services.system.routes(mount, api);
    },
    { prefix: '/v1' },
  );
  await mountChatCompletions(app, {
    admission,
    core: deps,
    search: services.search,
    history: services.history,
  });
  await mountMcp(app, services.mcp, admission, backgroundYield, config.publicUrl);
  // Queued questions end now, so that the stop only waits for those that are analyzed.
  app.addHook('preClose', async () => deps.analysis.stop(stopGraceMs));
  await mountAuthorizationServer(app, services.connections, deps.originOf, admission);
  await serveShareTarget(app);
  await serveWebApp(app, deps.webFolder);
  return app;
}
