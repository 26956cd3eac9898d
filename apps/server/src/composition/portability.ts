import path from 'node:path';
import type { LedgerEntry } from '@engram/contract';
import type { PortableFiles } from '../features/artifacts/portable-files.ts';
import type { RunningQuota } from '../features/artifacts/running-quota.ts';
import type { HistoryRepository } from '../features/history/history.repository.ts';
import type { HistoryService } from '../features/history/history.service.ts';
import { createPortableHistory } from '../features/history/portable-history.ts';
import type { KeywordsService } from '../features/keywords/keywords.service.ts';
import { createExportService } from '../features/portability/export.service.ts';
import type { Billing } from '../features/portability/export-text.ts';
import { createImportService } from '../features/portability/import.service.ts';
import { createPortableProfile } from '../features/portability/portable-profile.ts';
import type { ProfileService } from '../features/profile/profile.service.ts';
import type { QuestionnaireService } from '../features/questionnaire/questionnaire.service.ts';
import type { CreditsService } from '../features/subscription/credits.service.ts';
import type { SubscriptionService } from '../features/subscription/subscription.service.ts';
import type { Core } from './core.ts';
import type { Payments } from './payments.ts';

interface Parts {
  files: PortableFiles;
  arriving: RunningQuota;
  historyRepository: HistoryRepository;
  services: {
    keywords: KeywordsService;
    history: HistoryService;
    profile: ProfileService;
    questionnaire: QuestionnaireService;
    subscription: SubscriptionService;
    credits: CreditsService;
    payments: Pick<Payments, 'invoices'>;
  };
}

/** What a person's plan is, and what was paid and credited: to be read, never to be brought in. */
async function readBilling(
  { subscription, credits, payments }: Parts['services'],
  userId: string,
): Promise<Billing> {
  const { plan, status, credit } = await subscription.metrics(userId);
  const ledger = await credits.ledger(userId, {});
  const changes: LedgerEntry[] = [];
  for await (const page of ledger.pages ?? []) changes.push(...page);
  const invoices = await payments.invoices.list(userId);
  return {
    plan,
    status,
    credits: credit,
    ledger: changes.map(({ createdDate: date, change, balance, reason }) => ({
      date,
      change,
      balance,
      reason,
    })),
    // Without the links to their documents, which work without a session.
    invoices: invoices.map(({ invoiceNo, plan: bought, paymentDate: date, amount }) => ({
      invoiceNo,
      plan: bought,
      date,
      amount,
    })),
  };
}

/** How everything of a person leaves as one zip, and comes in again. */
export async function createPortability(core: Core, parts: Parts) {
  const { config, storage, version, log, now } = core;
  const { files, arriving, historyRepository, services } = parts;
  const { keywords, subscription } = services;
  const { database, courtesy } = storage;
  const history = createPortableHistory({
    database,
    repository: historyRepository,
    existing: storage.artifactsRepository.known,
    redact: services.history.redact,
    limit: config.historyLimit,
  });
  const profile = createPortableProfile(services);
  const exports = createExportService({
    files,
    history,
    keywords: async (userId) =>
      (await keywords.list(userId)).map(({ keyword, isActive, isDefault, createdDate }) => ({
        keyword,
        active: isActive,
        default: isDefault,
        createdDate,
      })),
    profile: profile.read,
    billing: (userId) => readBilling(services, userId),
    signing: storage.signing,
    version,
    log,
    now,
  });
  const imports = await createImportService({
    files,
    history,
    keywords,
    fillProfile: profile.fill,
    assertMayUpload: subscription.assertMayUpload,
    arriving,
    folder: path.join(config.dataDir, 'imports'),
    room: storage.room,
    limitMb: config.importLimitMb,
    now,
    stepBack: courtesy.stepBack,
  });

  return {
    exports,
    imports,
    /** Ends what is under way. */
    async close(): Promise<void> {
      await Promise.all([exports.close(), imports.close()]);
    },
  };
}
