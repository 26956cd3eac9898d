import type { FastifyInstance } from 'fastify';
import type { Dependencies } from './dependencies.ts';
import { mountAdminRoutes } from './features/admin/admin.service.ts';
import { isApiKey, mountApiKeysRoutes } from './features/api-keys/api-keys.service.ts';
import { mountArtifactsRoutes } from './features/artifacts/artifacts.routes.ts';
import { mountFilePasswordsRoutes } from './features/artifacts/file-passwords.routes.ts';
import { registerMultipart } from './features/artifacts/upload-form.ts';
import { mountAuthRoutes } from './features/auth/auth.routes.ts';
import { createSignInCalls } from './features/auth/sign-in-calls.ts';
import { mountBlogRoutes } from './features/blog/blog.service.ts';
import { mountChatCompletions } from './features/chat-completions/chat-completions.routes.ts';
import { mountConnectionsRoutes } from './features/connections/connections.routes.ts';
import { mountAuthorizationServer } from './features/connections/oauth.routes.ts';
import { isAccessToken } from './features/connections/connections.service.ts';
import { mountBuildsRoutes } from './features/connector/builds.service.ts';
import { mountDevicesRoutes } from './features/devices/devices.service.ts';
import { mountHistoryRoutes } from './features/history/history.service.ts';
import { mountModelsRoutes } from './features/models/models.service.ts';
import { mountKeywordsRoutes } from './features/keywords/keywords.service.ts';
import { mountLocationRoutes } from './features/location/location.service.ts';
import { mountMcp } from './features/mcp/mcp.routes.ts';
import { mountPasskeysRoutes } from './features/passkeys/passkeys.routes.ts';
import { mountPaymentEvents, mountPaymentsRoutes } from './features/payments/payments.routes.ts';
import { mountPortabilityRoutes } from './features/portability/portability.module.ts';
import { mountProfileRoutes } from './features/profile/profile.service.ts';
import { mountQuestionnaireRoutes } from './features/questionnaire/questionnaire.service.ts';
import { mountSearchRoutes } from './features/search/search.routes.ts';
import { mountSecurityEventsRoutes } from './features/security-events/security-events.service.ts';
import { mountSharesRoutes } from './features/shares/shares.service.ts';
import { mountCreditsRoutes } from './features/subscription/credits.service.ts';
import { mountSubscriptionRoutes } from './features/subscription/subscription.service.ts';
import { mountSuggestionsRoutes } from './features/suggestions/suggestions.service.ts';
import { mountProbes, mountSystemRoutes } from './features/system/system.service.ts';
import { mountMailboxRoutes } from './features/mailbox/mailbox.service.ts';
import { mountWebhooksRoutes } from './features/webhooks/webhooks.service.ts';
import { mountWebPagesRoutes } from './features/web-pages/web-pages.routes.ts';
import { createAdmission } from './platform/http/admission.ts';
import { createMount } from './platform/http/mount.ts';
import { createOriginOf } from './platform/http/hosts.ts';
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
  const formLimits = { files: config.uploadFiles };
  await registerMultipart(app, formLimits);

  const originOf = createOriginOf(config.publicUrl);
  const admission = createAdmission({
    authenticate: services.auth.authenticate,
    authenticateKey: services.apiKeys.authenticate,
    isApiKey,
    isAccessToken,
    authenticateToken: services.connections.service.authenticate,
    originOf,
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
    await app.register(async (api) => mountProbes(mountIn(api), services.system), {
      prefix: '/v1',
    });
    return app;
  }

  await app.register(
    async (api) => {
      const mount = mountIn(api);
      mountAuthRoutes(mount, services.auth, config);
      mountPasskeysRoutes(
        mount,
        services.passkeys,
        createSignInCalls(config.publicUrl),
        services.securityEvents,
        originOf,
      );
      mountProfileRoutes(mount, services.profile);
      services.deletion.routes(mount);
      mountQuestionnaireRoutes(mount, services.questionnaire);
      mountSubscriptionRoutes(mount, services.subscription);
      mountCreditsRoutes(mount, services.credits);
      mountAdminRoutes(mount, services.admin);
      mountApiKeysRoutes(mount, services.apiKeys, services.securityEvents);
      mountSecurityEventsRoutes(mount, services.securityEvents);
      mountConnectionsRoutes(mount, services.connections, services.securityEvents, originOf);
      mountDevicesRoutes(mount, services.devices, services.securityEvents);
      mountBuildsRoutes(mount, services.connectorBuilds);
      mountArtifactsRoutes(mount, services, formLimits);
      mountFilePasswordsRoutes(mount, services.filePasswords);
      mountWebPagesRoutes(mount, services.webPages);
      mountKeywordsRoutes(mount, services.keywords);
      mountModelsRoutes(mount, services.models);
      mountSearchRoutes(mount, services.search, services.transcription);
      mountSuggestionsRoutes(mount, services.suggestions, services.recommendations);
      mountHistoryRoutes(mount, services.history);
      mountLocationRoutes(mount, services.location);
      mountBlogRoutes(mount, services.blog);
      mountPaymentsRoutes(mount, services.payments, originOf);
      await mountPaymentEvents(api, mountIn, services.payments);
      const { exports, imports } = services.portability;
      mountPortabilityRoutes(mount, exports, imports, services.securityEvents);
      mountSharesRoutes(mount, services.shares, originOf);
      mountWebhooksRoutes(mount, services.webhooks, services.securityEvents);
      mountMailboxRoutes(mount, services.mailbox, services.securityEvents);
      await mountSystemRoutes(api, mount, services.system);
    },
    { prefix: '/v1' },
  );
  await mountChatCompletions(app, {
    admission,
    originOf,
    backgroundYield,
    search: services.search,
    history: services.history,
    now: deps.now,
  });
  await mountMcp(app, services.mcp, admission, backgroundYield, config.publicUrl);
  // Queued questions end now, so that the stop only waits for those that are analyzed.
  app.addHook('preClose', async () => deps.analysis.stop(stopGraceMs));
  await mountAuthorizationServer(app, services.connections, originOf, admission);
  await serveShareTarget(app);
  await serveWebApp(app, deps.webFolder);
  return app;
}
