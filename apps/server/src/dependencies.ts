import { createOriginOf } from './platform/http/hosts.ts';
import { type Core, createProviders, type ServerEnvironment } from './composition/core.ts';
import { openBackupPlace } from './composition/file-store.ts';
import { openStorage } from './composition/storage.ts';
import { type Config, version } from './config.ts';
import { createBackups } from './features/backup/backups.ts';
import { createConnections } from './features/connections/connections.service.ts';
import { createFiles } from './features/artifacts/artifacts.module.ts';
import { createPortability } from './features/portability/portability.module.ts';
import { createPayments } from './features/payments/payments.module.ts';
import { createModelsService } from './features/models/models.service.ts';
import { createAdminService } from './features/admin/admin.service.ts';
import { createAudit } from './features/admin/audit.ts';
import { createApiKeysService } from './features/api-keys/api-keys.service.ts';
import { createAuthService } from './features/auth/auth.service.ts';
import { createBlogService } from './features/blog/blog.service.ts';
import { createArtifactDeletion } from './features/deletion/artifact-deletion.ts';
import { createDeletion } from './features/deletion/deletion.module.ts';
import { createDevicesService } from './features/devices/devices.service.ts';
import { createBuildsService } from './features/connector/builds.service.ts';
import { createFilePasswordsService } from './features/artifacts/file-passwords.service.ts';
import { createHistory } from './features/history/history.module.ts';
import { assertLanguages, describeRecognition } from './features/ingestion/abilities.ts';
import { createIngestion } from './features/ingestion/ingestion.module.ts';
import { createKeywordsService } from './features/keywords/keywords.service.ts';
import { createLocation } from './features/location/location.service.ts';
import { MAIL_INTERVAL_MS } from './features/mailbox/mailbox-checks.ts';
import { createMailboxService } from './features/mailbox/mailbox.service.ts';
import { createMcpService } from './features/mcp/mcp.service.ts';
import { createPasskeysService } from './features/passkeys/passkeys.service.ts';
import { createProfileService } from './features/profile/profile.service.ts';
import { createQuestionnaireService } from './features/questionnaire/questionnaire.service.ts';
import { createSearch } from './features/search/search.module.ts';
import { createSecurityEvents } from './features/security-events/security-events.service.ts';
import { createSharesService } from './features/shares/shares.service.ts';
import { createCreditsService } from './features/subscription/credits.service.ts';
import { createSubscriptionService } from './features/subscription/subscription.service.ts';
import { createRecommendationsService } from './features/suggestions/recommendations.service.ts';
import { createSuggestionsService } from './features/suggestions/suggestions.service.ts';
import { createHealth } from './features/system/health.ts';
import { createSystemService } from './features/system/system.service.ts';
import { createConsistencyService } from './features/consistency/consistency.service.ts';
import { createWatchedFolders } from './features/watched-folders/watched-folders.service.ts';
import { createWebhooksService } from './features/webhooks/webhooks.service.ts';
import { createWebPages } from './features/web-pages/web-pages.service.ts';
import { createBackground } from './platform/background.ts';
import { createScheduledTasks } from './platform/jobs/scheduled-tasks.ts';
import { openObservability } from './platform/observability/open-observability.ts';
import { createLimits } from './platform/limits/limits.ts';

/** Photos that one user may upload: one every ten seconds on average. */
const PHOTO_RATE = { perSecond: 0.1, burst: 10 };

const HOUR_MS = 3_600_000;

export async function createDependencies(config: Config, environment: ServerEnvironment) {
  const { log, now, checkResponses = false, meaningMs = 150, webFolder = null } = environment;
  const { warmUp = true, freeBytes, replaceInstallation, connectorFolder = '' } = environment;

  assertLanguages(config);
  const observability = await openObservability(config, { version, log, now });
  const storage = await openStorage(config, {
    log,
    now,
    observability,
    meaningMs,
    freeBytes,
    replaceInstallation,
  });
  const { database, jobs, backgroundYield, deletedAccounts, files, index, embedding } = storage;
  const { library } = storage;
  const limits = createLimits({ rateLimits: config.rateLimits, database, log, now });
  const { limitOf } = limits;
  const modelOptions = {
    yieldToRequests: backgroundYield.yieldToRequests,
    catalog: environment.languageModels,
    freeBytes,
  };
  const providers = createProviders(config, log, modelOptions, environment.fetchOutside);
  const { mailer, model, modelStore, speaker } = providers;
  const background = createBackground(log);
  const userAgent = `Engram/${version}${config.publicUrl ? ` (${config.publicUrl})` : ''}`;
  const securityEvents = createSecurityEvents(database, log, now);
  const core: Core = {
    config,
    log,
    now,
    version,
    userAgent,
    storage,
    providers,
    limits,
    background,
    securityEvents,
    originOf: createOriginOf(config.publicUrl),
  };
  const history = createHistory(core);
  const artifactDeletion = createArtifactDeletion(core, history.service);
  const ingestion = createIngestion(core, artifactDeletion);

  const audit = createAudit(core);
  const subscription = createSubscriptionService(core);
  const credits = createCreditsService(core, audit);
  const keywords = createKeywordsService(core);
  const { renderPhoto } = ingestion;
  const auth = createAuthService(core, renderPhoto, async (tx, userId) => {
    await keywords.addDefaults(tx, userId);
    await subscription.start(tx, userId);
  });
  const passkeys = createPasskeysService(core, auth);
  const apiKeys = createApiKeysService(core);
  const connections = createConnections(core);
  const devices = createDevicesService(core, connections.service);
  const shares = createSharesService(core, history.service);
  const webhooks = createWebhooksService(core);
  const fileServices = createFiles(core, {
    ingestion,
    deletion: artifactDeletion,
    keywords,
    subscription,
    devices,
  });
  const { arriving, artifacts, portableFiles, bulk, zips, folderFiles } = fileServices;
  const filePasswords = createFilePasswordsService(core, ingestion.viewLane);
  const webPages = createWebPages(core, { artifacts, lane: ingestion.viewLane });
  const { accounts } = auth;
  const watchedFolders = createWatchedFolders(core, { accounts, devices, artifacts, folderFiles });
  const mailbox = createMailboxService(core, { accounts, artifacts });
  const questions = await createSearch(
    core,
    { history, keywords, subscription, ingestion, metrics: observability.metrics },
    { analysis: environment.analysis, rerankMs: environment.rerankMs },
  );
  const { service: search, analysis, reranking } = questions;
  const mcp = createMcpService({ search, artifacts, library, webPages, version, log });
  const questionnaire = createQuestionnaireService(core, auth.accounts);
  const recommendations = createRecommendationsService({
    library,
    texts: storage.texts,
    preferences: questionnaire.preferences,
    ...questions.recommendations,
    model,
    now,
    background,
  });
  const suggestions = createSuggestionsService(storage, history.earlierQuestions, keywords);
  const payments = await createPayments(core, subscription);
  const profile = createProfileService(auth.accounts, renderPhoto, limitOf('photos', PHOTO_RATE));
  const admin = createAdminService(core, audit, auth.accounts.list, subscription);
  const deletion = createDeletion(core, artifactDeletion, {
    auth,
    passkeys,
    apiKeys,
    connections: connections.service,
    payments,
    subscription,
    history: history.repository,
    webhooks,
    mailbox,
    caches: [library, analysis, recommendations, suggestions],
    clearSession: auth.calls.cookies.clearSession,
  });
  const blog = createBlogService(core);
  const location = createLocation(core);
  const portability = await createPortability(core, {
    files: portableFiles,
    arriving,
    history: history.portable,
    keywords,
    profile,
    questionnaire,
    subscription,
    credits,
    payments,
  });
  const models = createModelsService(core, auth.accounts.count);
  const { backup } = config;
  const backups =
    backup === undefined ? null : createBackups(core, () => openBackupPlace(config, backup));
  const health = createHealth(core, observability, backups);
  const google = auth.describeSocialSignIn();
  const system = createSystemService({
    version,
    config,
    ready: health.ready,
    google: google.on ? { clientId: config.googleClientId ?? '' } : null,
    transcription: providers.transcriber.kind !== 'none',
    abilities: {
      mail: mailer.describe,
      google: () => google,
      geocoder: location.describe,
      payments: payments.describe,
      blog: blog.describe,
      model: () => model?.describe() ?? { on: false, detail: 'ENGRAM_LLM is set to none.' },
      speech: speaker.describe,
      embeddings: embedding.describe,
      reranker: reranking.describe,
      recognition: () => describeRecognition(config),
      transcription: providers.transcriber.describe,
      vision: providers.describer.describe,
      ffmpeg: providers.ffmpeg.describe,
    },
  });

  const consistency = createConsistencyService(core, ingestion, auth.accounts, arriving.has);
  const servicesToCleanUp = [
    auth,
    passkeys,
    connections.service,
    securityEvents,
    deletedAccounts,
    limits,
    zips,
    webhooks,
  ];
  const cleanUp = async (): Promise<void> => {
    for (const service of servicesToCleanUp) await service.cleanUp();
  };
  // Separate queues, so that maintenance and backups do not delay payments or each other.
  const taskQueues = {
    upkeep: [
      { name: 'forget', everyMs: HOUR_MS, run: cleanUp },
      { name: 'sweep', everyMs: HOUR_MS, atStart: true, run: consistency.maintain },
      { name: 'embed', everyMs: HOUR_MS, run: async () => embedding.checkAll() },
      ...deletion.tasks,
    ],
    provider: [payments.regular],
    mail: [{ name: 'mail', everyMs: MAIL_INTERVAL_MS, atStart: true, run: mailbox.checkAll }],
    backup: backups ? [{ name: 'backup', everyMs: HOUR_MS, run: backups.runIfDue }] : [],
  };
  const hasOtherServers = config.databaseUrl !== undefined;
  const scheduledTasks = Object.entries(taskQueues).map(([queue, tasks]) =>
    createScheduledTasks({ jobs, log, queue, tasks, hasOtherServers }),
  );

  await auth.assignRoles();

  return {
    ...core,
    ...storage,
    checkResponses,
    webFolder,
    reranking,
    observability,
    analysis,
    lane: ingestion.lane,
    interactiveLane: ingestion.interactiveLane,
    /** The features that mount their routes in the API. */
    features: [
      passkeys,
      profile,
      deletion,
      questionnaire,
      subscription,
      credits,
      admin,
      apiKeys,
      securityEvents,
      devices,
      fileServices,
      createBuildsService(connectorFolder, log),
      filePasswords,
      webPages,
      keywords,
      models,
      questions,
      suggestions,
      recommendations,
      history.service,
      location,
      blog,
      payments,
      portability,
      shares,
      webhooks,
      mailbox,
    ],
    services: {
      auth,
      apiKeys,
      connections,
      passkeys,
      artifactDeletion,
      deletion,
      subscription,
      artifacts,
      bulk,
      zips,
      folderFiles,
      devices,
      watchedFolders,
      webPages,
      history: history.service,
      mailbox,
      mcp,
      blog,
      webhooks,
      payments,
      portability,
      search,
      system,
      consistency,
      backups,
    },
    /** Starts the background work: waiting and interrupted jobs, and regular tasks. */
    async start(): Promise<void> {
      if (config.role !== 'worker' && warmUp) analysis.warmUp();
      embedding.start();
      if (config.role !== 'worker') reranking.start();
      if (config.role === 'web') return;
      await jobs.start();
      for (const { start } of scheduledTasks) await start();
      watchedFolders.start();
      await payments.start();
    },

    drain: health.drain,

    /** Shuts down in dependency order. */
    async close(): Promise<void> {
      await watchedFolders.close();
      await Promise.all([portability.close(), zips.close()]);
      await payments.close();
      await jobs.stop({ graceful: true, graceSeconds: config.stopSeconds });
      await ingestion.close();
      await modelStore.close();
      await model?.close();
      await speaker.close();
      await background.drain();
      await securityEvents.drain();
      await blog.drain();
      await embedding.close();
      await reranking.close();
      await analysis.close();
      await index.close();
      mailer.close();
      files.close();
      await database.close();
      await observability.close();
    },
  };
}

export type Dependencies = Awaited<ReturnType<typeof createDependencies>>;
